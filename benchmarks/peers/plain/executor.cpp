// Executor on a plain executor.
#include "peers/plain/executor.hpp"

#include "programs/executor.hpp"

namespace bench {
namespace {

// On a line of its own: its neighbours may live on other threads.
class alignas(64) member : public plain_executor::actor {
 public:
  // `group`: the addresses of its group.
  void join(executor_setting& setting, std::uint32_t id, const plain_executor::address* group) {
    setting_ = &setting;
    group_ = group;
    id_ = id;
    place_ = id % setting.set;
  }
  void receive(plain_executor::worker& on, const plain_executor::content& m) override {
    const executor_setting& s = *setting_;
    const bool last = record.received == s.limit;
    record.hear(*setting_, id_, m.small);
    if (last) return on.end_one();
    if (in_batch_ == 0) {
      for (std::uint32_t i = 0; i < s.batch; ++i) {
        on.send(group_[next_], {.small = place_});
        if (++next_ == s.set) next_ = 0;
      }
      record.sent += s.batch;
    }
    if (++in_batch_ == s.batch) in_batch_ = 0;
  }
  executor_record record;

 private:
  executor_setting* setting_ = nullptr;
  const plain_executor::address* group_ = nullptr;
  std::uint32_t id_ = 0;
  std::uint32_t place_ = 0;  // in its group
  std::uint32_t next_ = 0;
  std::uint32_t in_batch_ = 0;
};

int run(program& p) {
  executor_setting setting(p, 50);
  const auto placing = p.choice("placing", {"apart", "together"}, "a group on all threads, or each on one of them");
  const plain_options options = read_plain_options(p);
  p.ready();
  // Actors are placed round over the threads. Together: one of each group of as many groups as there are threads.
  const std::uint32_t groups = setting.actors / setting.set;
  const std::uint32_t side_by_side = placing == "together" ? p.threads() : 1;
  p.require(groups % side_by_side == 0, "with --placing together the groups are a multiple of --threads");

  std::vector<member> members(setting.actors);
  std::vector<plain_executor::address> all(setting.actors);
  plain_executor threads(options, setting.actors);
  for (std::uint32_t first = 0; first < groups; first += side_by_side) {
    for (std::uint32_t i = 0; i < setting.set * side_by_side; ++i) {
      const std::uint32_t group = first + i % side_by_side;
      const std::uint32_t id = group * setting.set + i / side_by_side;
      members[id].join(setting, id, &all[std::size_t{group} * setting.set]);
      all[id] = threads.place(members[id]);
    }
  }

  stopwatch watch;
  for (const auto& to : all) plain_executor::send(to, {.small = executor_record::from_main});
  threads.wait();
  watch.stop();

  threads.check(p, setting.messages());
  for (std::uint32_t id = 0; id < setting.actors; ++id) check_executor(p, setting, id, members[id].record);
  return p.report(watch, setting.messages());
}

}  // namespace
}  // namespace bench

int main(int argc, char** argv) {
  bench::program p(argc, argv, "Executor: actors in groups send to each other in turn.", bench::plain_runtime);
  return bench::run(p);
}
