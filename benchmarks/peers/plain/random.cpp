// Random traffic on a plain executor.
#include "programs/random.hpp"

#include "peers/plain/executor.hpp"

namespace bench {
namespace {

// On a line of its own: its neighbours may live on other threads.
class alignas(64) member : public plain_executor::actor {
 public:
  member(const std::vector<plain_executor::address>& all, std::uint64_t number) : record(number), all_(&all) {}
  void receive(plain_executor::worker& on, const plain_executor::content& m) override {
    ++record.handled;
    if (m.value == 0) {
      ++record.ended;
      return on.end_one();
    }
    on.send((*all_)[record.choice.below(static_cast<std::uint32_t>(all_->size()))], {.value = m.value - 1});
  }
  random_record record;

 private:
  const std::vector<plain_executor::address>* all_;
};

int run(program& p) {
  const random_setting setting(p);
  const plain_options options = read_plain_options(p);
  p.ready();

  std::vector<plain_executor::address> all;
  std::deque<member> members;
  for (std::uint32_t i = 0; i < setting.actors; ++i) members.emplace_back(all, i);
  plain_executor threads(options, setting.actors);
  for (member& m : members) all.push_back(threads.place(m));

  stopwatch watch;
  for (const auto& to : all) plain_executor::send(to, {.value = setting.rounds});
  threads.wait();
  watch.stop();

  threads.check(p, setting.messages());
  check_random(p, setting, members);
  return p.report(watch, setting.messages());
}

}  // namespace
}  // namespace bench

int main(int argc, char** argv) {
  bench::program p(argc, argv, "Random traffic: each message goes on to an actor chosen at random.",
                   bench::plain_runtime);
  return bench::run(p);
}
