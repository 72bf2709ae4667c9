// Executor on threads.
#include "programs/executor.hpp"

#include <latch>

#include "peers/threads/pool.hpp"

namespace bench {
namespace {

using visits = pool<std::uint32_t>;  // the sender's place in its group

class member : public visits::actor {
 public:
  void join(executor_setting& setting, std::uint32_t id, member* group, std::latch& done) {
    setting_ = &setting;
    id_ = id;
    place_ = id % setting.set;
    group_ = group;
    done_ = &done;
  }
  void receive(visits& threads, const std::uint32_t& from) override {
    executor_setting& s = *setting_;
    const bool last = record.received == s.limit;
    record.hear(s, id_, from);
    if (last) return done_->count_down();
    if (in_batch_ == 0) {
      for (std::uint32_t i = 0; i < s.batch; ++i) {
        threads.send(group_[next_], place_);
        if (++next_ == s.set) next_ = 0;
      }
      record.sent += s.batch;
    }
    if (++in_batch_ == s.batch) in_batch_ = 0;
  }
  executor_record record;

 private:
  executor_setting* setting_ = nullptr;
  std::uint32_t id_ = 0;
  std::uint32_t place_ = 0;  // in its group
  std::uint32_t next_ = 0;
  std::uint32_t in_batch_ = 0;
  member* group_ = nullptr;
  std::latch* done_ = nullptr;
};

int run(program& p) {
  executor_setting setting(p, 15);
  p.ready();

  std::vector<member> members(setting.actors);
  std::latch done(setting.actors);
  visits threads(p.threads());
  for (std::uint32_t id = 0; id < setting.actors; ++id) {
    members[id].join(setting, id, &members[id - id % setting.set], done);
    threads.place(members[id]);
  }

  stopwatch watch;
  for (member& m : members) threads.send(m, executor_record::from_main);
  done.wait();
  watch.stop();

  for (std::uint32_t id = 0; id < setting.actors; ++id) check_executor(p, setting, id, members[id].record);
  return p.report(watch, setting.messages());
}

}  // namespace
}  // namespace bench

int main(int argc, char** argv) {
  bench::program p(argc, argv, "Executor: actors in groups send to each other in turn.", bench::pool_runtime);
  return bench::run(p);
}
