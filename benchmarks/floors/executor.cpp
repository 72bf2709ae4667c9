// Floor of the executor: lanes and streams by hand.
#include "programs/executor.hpp"

#include <vector>

#include "floors/exchange.hpp"

namespace bench {
namespace {

struct alignas(64) member {
  executor_setting* setting;
  const exchange::ref* group;
  std::uint32_t id;
  std::uint32_t next = 0;
  std::uint32_t in_batch = 0;
  executor_record record{};
};

void visit(exchange::thread& on, void* actor, const exchange::message& m) {
  member& me = *static_cast<member*>(actor);
  const executor_setting& s = *me.setting;
  const bool last = me.record.received == s.limit;
  me.record.hear(*me.setting, me.id, m.small);
  if (last) return;
  if (me.in_batch == 0) {
    for (std::uint32_t i = 0; i < s.batch; ++i) {
      on.send({&visit, me.group[me.next], 0, me.id % s.set});
      if (++me.next == s.set) me.next = 0;
    }
    me.record.sent += s.batch;
  }
  if (++me.in_batch == s.batch) me.in_batch = 0;
}

int run(program& p) {
  executor_setting setting(p, 50);
  const auto placing = p.choice("placing", {"apart", "together"}, "a group on all threads, or each on one of them");
  const unsigned partitions = read_partitions(p);
  p.ready();
  const std::uint32_t groups = setting.actors / setting.set;
  const std::uint32_t side_by_side = placing == "together" ? p.threads() : 1;
  p.require(groups % side_by_side == 0, "with --placing together the groups are a multiple of --threads");

  // In the order in which they are made, which is round over the partitions.
  std::vector<exchange::ref> refs(setting.actors);
  in_runs<member> members(setting.actors, partitions);
  exchange all(p.threads(), partitions, setting.actors);
  for (std::uint32_t first = 0; first < groups; first += side_by_side) {
    for (std::uint32_t i = 0; i < setting.set * side_by_side; ++i) {
      const std::uint32_t group = first + i % side_by_side;
      const std::uint32_t id = group * setting.set + i / side_by_side;
      refs[id] = all.add(&members.add(&setting, &refs[std::size_t{group} * setting.set], id));
    }
  }
  for (const exchange::ref to : refs) all.send({&visit, to, 0, executor_record::from_main});
  stopwatch watch;
  all.run(setting.messages());
  watch.stop();

  for (const member* m : members.all()) check_executor(p, setting, m->id, m->record);
  return p.report(watch, setting.messages());
}

}  // namespace
}  // namespace bench

int main(int argc, char** argv) {
  bench::program p(argc, argv, "Executor: actors in groups send to each other in turn.", "threads, no runtime");
  return bench::run(p);
}
