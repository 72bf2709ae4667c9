// Executor on CAF.
#include "programs/executor.hpp"

#include "peers/caf/system.hpp"

namespace bench {
namespace {

// What all actors know. An actor hands in its record when it ends.
struct board {
  executor_setting setting;
  std::vector<caf::actor> refs;
  std::vector<executor_record> records;
};

class member : public caf::event_based_actor {
 public:
  member(caf::actor_config& config, board* all, std::uint32_t id)
      : event_based_actor(config), all_(all), id_(id), first_(id - id % all->setting.set) {}

  caf::behavior make_behavior() override {
    return {[this](std::uint32_t from) {
      executor_setting& s = all_->setting;
      const bool last = record_.received == s.limit;
      record_.hear(s, id_, from);
      if (last) {
        all_->records[id_] = record_;
        return quit();
      }
      if (in_batch_ == 0) {
        for (std::uint32_t i = 0; i < s.batch; ++i) {
          send(all_->refs[first_ + next_], id_ - first_);
          if (++next_ == s.set) next_ = 0;
        }
        record_.sent += s.batch;
      }
      if (++in_batch_ == s.batch) in_batch_ = 0;
    }};
  }

 private:
  board* all_;
  std::uint32_t id_;
  std::uint32_t first_;  // of its group
  std::uint32_t next_ = 0;
  std::uint32_t in_batch_ = 0;
  executor_record record_;
};

int run(program& p) {
  board all{executor_setting(p, 3), {}, {}};
  caf_options options(p);
  p.ready();

  all.records.resize(all.setting.actors);
  caf::actor_system system(options);
  for (std::uint32_t id = 0; id < all.setting.actors; ++id) {
    all.refs.push_back(system.spawn<member, caf::lazy_init>(&all, id));
  }

  stopwatch watch;
  for (const auto& r : all.refs) caf::anon_send(r, executor_record::from_main);
  system.await_all_actors_done();
  watch.stop();

  for (std::uint32_t id = 0; id < all.setting.actors; ++id) check_executor(p, all.setting, id, all.records[id]);
  all.refs.clear();
  return p.report(watch, all.setting.messages());
}

}  // namespace
}  // namespace bench

int main(int argc, char** argv) {
  bench::program p(argc, argv, "Executor: actors in groups send to each other in turn.", bench::caf_runtime());
  return bench::run(p);
}
