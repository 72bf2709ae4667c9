// Executor on tact.
#include "programs/executor.hpp"

#include <deque>
#include <vector>

#include "programs/engine.hpp"

namespace bench {
namespace {

struct visit {
  std::uint32_t from;
};

class member : public tact::actor<member, visit> {
 public:
  // `group`: the refs of its group. At its end it writes what it did to `done`.
  member(executor_setting& setting, std::uint32_t id, const tact::ref<member>* group, executor_record& done)
      : setting_(&setting), group_(group), done_(&done), id_(id), place_(id % setting.set) {}
  tact::allocation receive(tact::self<member>& self, const visit& m) {
    const executor_setting& s = *setting_;
    const bool last = record_.received == s.limit;
    record_.hear(*setting_, id_, m.from);
    if (last) {
      *done_ = record_;
      return tact::allocation::finished;
    }
    if (in_batch_ == 0) {
      for (std::uint32_t i = 0; i < s.batch; ++i) {
        self.send(group_[next_], visit{place_});
        if (++next_ == s.set) next_ = 0;
      }
      record_.sent += s.batch;
    }
    if (++in_batch_ == s.batch) in_batch_ = 0;
    return tact::allocation::nodelete;
  }

 private:
  executor_record record_;
  executor_setting* const setting_;
  const tact::ref<member>* const group_;
  executor_record* const done_;
  const std::uint32_t id_;
  const std::uint32_t place_;  // in its group
  std::uint32_t next_ = 0;
  std::uint32_t in_batch_ = 0;
};

// On a line of its own: its neighbours may live on other workers.
struct alignas(64) placed_member : member {
  using member::member;
};

int run(program& p) {
  executor_setting setting(p, 50);
  const auto placing = p.choice("placing", {"apart", "together"}, "a group on all workers, or each on one of them");
  const auto variant =
      p.choice("variant", {"attached", "spawned"}, "the program makes the objects, or the engine does");
  const auto options = read_engine_options(p);
  p.ready();
  const bool spawned = variant == "spawned";
  // Actors are created round over the workers. Together: by one of each group of as many groups as there are workers.
  const std::uint32_t groups = setting.actors / setting.set;
  const std::uint32_t side_by_side = placing == "together" ? p.threads() : 1;
  p.require(groups % side_by_side == 0, "with --placing together the groups are a multiple of --threads");

  std::deque<placed_member> placed;
  std::vector<executor_record> done(setting.actors);
  std::vector<tact::ref<member>> refs(setting.actors);
  tact::engine engine(options);
  for (std::uint32_t first = 0; first < groups; first += side_by_side) {
    for (std::uint32_t i = 0; i < setting.set * side_by_side; ++i) {
      const std::uint32_t group = first + i % side_by_side;
      const std::uint32_t id = group * setting.set + i / side_by_side;
      const auto* const all = &refs[std::size_t{group} * setting.set];
      refs[id] = spawned ? engine.spawn<member>(setting, id, all, done[id])
                         : engine.attach<member>(placed.emplace_back(setting, id, all, done[id]));
    }
  }

  stopwatch watch;
  for (const auto r : refs) engine.send(r, visit{executor_record::from_main});
  engine.wait_finished();
  watch.stop();

  say_exchange(p, engine);
  for (std::uint32_t id = 0; id < setting.actors; ++id) check_executor(p, setting, id, done[id]);
  check_engine(p, engine, setting.messages());
  return p.report(watch, setting.messages());
}

}  // namespace
}  // namespace bench

int main(int argc, char** argv) {
  bench::program p(argc, argv, "Executor: actors in groups send to each other in turn.", bench::tact_runtime);
  return bench::run(p);
}
