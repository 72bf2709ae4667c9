// Random traffic on threads.
#include "programs/random.hpp"

#include <deque>
#include <latch>

#include "peers/threads/pool.hpp"

namespace bench {
namespace {

struct letter {
  std::uint64_t left;
};
using letters = pool<letter>;

class alignas(64) member : public letters::actor {
 public:
  member(std::deque<member>& all, std::latch& done, std::uint64_t number) : record(number), all_(&all), done_(&done) {}
  void receive(letters& threads, const letter& m) override {
    ++record.handled;
    if (m.left == 0) {
      ++record.ended;
      return done_->count_down();
    }
    threads.send((*all_)[record.choice.below(static_cast<std::uint32_t>(all_->size()))], {m.left - 1});
  }
  random_record record;

 private:
  std::deque<member>* all_;
  std::latch* done_;
};

int run(program& p) {
  const random_setting setting(p);
  p.ready();

  std::deque<member> all;
  std::latch done(setting.actors);
  for (std::uint32_t i = 0; i < setting.actors; ++i) all.emplace_back(all, done, i);
  letters threads(p.threads());
  for (member& m : all) threads.place(m);

  stopwatch watch;
  for (member& m : all) threads.send(m, {setting.rounds});
  done.wait();
  watch.stop();

  check_random(p, setting, all);
  return p.report(watch, setting.messages());
}

}  // namespace
}  // namespace bench

int main(int argc, char** argv) {
  bench::program p(argc, argv, "Random traffic: each message goes on to an actor chosen at random.",
                   bench::pool_runtime);
  return bench::run(p);
}
