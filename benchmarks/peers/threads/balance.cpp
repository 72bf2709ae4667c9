// Balance on threads: no thread takes work from another.
#include "programs/balance.hpp"

#include <latch>

#include "peers/threads/pool.hpp"

namespace bench {
namespace {

using visits = pool<std::uint32_t>;

class dummy : public visits::actor {
 public:
  explicit dummy(std::latch* done = nullptr) : done_(done) {}
  void receive(visits&, const std::uint32_t&) override {
    ++handled;
    done_->count_down();
  }
  std::uint32_t handled = 0;

 private:
  std::latch* done_;
};

class member : public visits::actor {
 public:
  void join(balance_setting& setting, std::uint32_t id, member* group, std::latch& done) {
    setting_ = &setting;
    id_ = id;
    group_ = group;
    done_ = &done;
  }
  void receive(visits& threads, const std::uint32_t& from) override {
    executor_setting& s = setting_->group;
    wrong += !setting_->do_work();
    const bool last = record.received == s.limit;
    record.hear(s, id_, from);
    if (last) return done_->count_down();
    threads.send(group_[record.sent++ % s.set], id_ % s.set);
  }
  executor_record record;
  std::uint64_t wrong = 0;

 private:
  balance_setting* setting_ = nullptr;
  std::uint32_t id_ = 0;
  member* group_ = nullptr;
  std::latch* done_ = nullptr;
};

int run(program& p) {
  balance_setting setting(p);
  p.require(setting.group.batch == 1, "here --batch is 1");
  p.ready();

  std::latch done(setting.slots());
  std::vector<member> members(setting.group.actors);
  std::vector<dummy> dummies(setting.dummies(), dummy(&done));
  std::vector<visits::actor*> slots;
  visits threads(p.threads());
  for (std::uint32_t slot = 0, next_dummy = 0; slot < setting.slots(); ++slot) {
    if (setting.is_real(slot)) {
      const std::uint32_t id = setting.id_of(slot);
      members[id].join(setting, id, &members[id - id % setting.group.set], done);
      slots.push_back(&members[id]);
    } else {
      slots.push_back(&dummies[next_dummy++]);
    }
    threads.place(*slots.back());
  }

  stopwatch watch;
  for (auto* to : slots) threads.send(*to, executor_record::from_main);
  done.wait();
  watch.stop();

  for (std::uint32_t id = 0; id < members.size(); ++id) {
    check_executor(p, setting.group, id, members[id].record);
    p.check_equal(members[id].wrong, 0, "work that came out wrong");
  }
  for (const dummy& d : dummies) p.check_equal(d.handled, 1, "messages handled by a dummy");
  return p.report(watch, setting.messages());
}

}  // namespace
}  // namespace bench

int main(int argc, char** argv) {
  bench::program p(argc, argv, "Balance: all the work is placed on one worker, or on every other one.",
                   bench::pool_runtime);
  return bench::run(p);
}
