// Balance on CAF: what comes from outside goes round over its workers, so the first message of an actor places it.
#include "programs/balance.hpp"

#include <atomic>

#include "peers/caf/system.hpp"

namespace bench {
namespace {

struct board {
  explicit board(program& p) : setting(p) {}
  balance_setting setting;
  std::vector<caf::actor> refs;  // of the real actors
  std::vector<executor_record> records;
  std::atomic<std::uint32_t> dummies = 0;
  std::atomic<std::uint64_t> wrong = 0;
};

class dummy : public caf::event_based_actor {
 public:
  dummy(caf::actor_config& config, board* all) : event_based_actor(config), all_(all) {}
  caf::behavior make_behavior() override {
    return {[this](std::uint32_t) {
      ++all_->dummies;
      quit();
    }};
  }

 private:
  board* all_;
};

class member : public caf::event_based_actor {
 public:
  member(caf::actor_config& config, board* all, std::uint32_t id)
      : event_based_actor(config), all_(all), id_(id), first_(id - id % all->setting.group.set) {}
  caf::behavior make_behavior() override {
    return {[this](std::uint32_t from) {
      executor_setting& s = all_->setting.group;
      if (!all_->setting.do_work()) ++all_->wrong;
      const bool last = record_.received == s.limit;
      record_.hear(s, id_, from);
      if (last) {
        all_->records[id_] = record_;
        return quit();
      }
      send(all_->refs[first_ + record_.sent++ % s.set], id_ - first_);
    }};
  }

 private:
  board* all_;
  std::uint32_t id_;
  std::uint32_t first_;
  executor_record record_;
};

int run(program& p) {
  board all(p);
  p.require(all.setting.group.batch == 1, "here --batch is 1");
  caf_options options(p);
  p.ready();

  const balance_setting& setting = all.setting;
  all.records.resize(setting.group.actors);
  all.refs.resize(setting.group.actors);
  std::vector<caf::actor> slots;
  caf::actor_system system(options);
  for (std::uint32_t slot = 0; slot < setting.slots(); ++slot) {
    if (setting.is_real(slot)) {
      const std::uint32_t id = setting.id_of(slot);
      slots.push_back(all.refs[id] = system.spawn<member, caf::lazy_init>(&all, id));
    } else {
      slots.push_back(system.spawn<dummy, caf::lazy_init>(&all));
    }
  }

  stopwatch watch;
  for (const auto& to : slots) caf::anon_send(to, executor_record::from_main);
  slots.clear();
  system.await_all_actors_done();
  watch.stop();

  for (std::uint32_t id = 0; id < setting.group.actors; ++id) check_executor(p, setting.group, id, all.records[id]);
  p.check_equal(all.wrong, 0, "work that came out wrong");
  p.check_equal(all.dummies, setting.dummies(), "messages handled by dummies");
  all.refs.clear();
  return p.report(watch, setting.messages());
}

}  // namespace
}  // namespace bench

int main(int argc, char** argv) {
  bench::program p(argc, argv, "Balance: all the work is placed on one worker, or on every other one.",
                   bench::caf_runtime());
  return bench::run(p);
}
