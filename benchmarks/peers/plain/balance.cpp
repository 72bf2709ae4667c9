// Balance on a plain executor.
#include "programs/balance.hpp"

#include "peers/plain/executor.hpp"

namespace bench {
namespace {

class dummy : public plain_executor::actor {
 public:
  void receive(plain_executor::worker& on, const plain_executor::content&) override {
    ++handled;
    on.end_one();
  }
  std::uint32_t handled = 0;
};

// On a line of its own: its neighbours may live on other threads.
class alignas(64) member : public plain_executor::actor {
 public:
  void join(balance_setting& setting, std::uint32_t id, const plain_executor::address* group) {
    setting_ = &setting;
    group_ = group;
    id_ = id;
  }
  void receive(plain_executor::worker& on, const plain_executor::content& m) override {
    executor_setting& s = setting_->group;
    wrong += !setting_->do_work();
    const bool last = record.received == s.limit;
    record.hear(s, id_, m.small);
    if (last) return on.end_one();
    on.send(group_[record.sent++ % s.set], {.small = id_ % s.set});
  }
  executor_record record;
  std::uint64_t wrong = 0;

 private:
  balance_setting* setting_ = nullptr;
  const plain_executor::address* group_ = nullptr;
  std::uint32_t id_ = 0;
};

int run(program& p) {
  balance_setting setting(p);
  p.require(setting.group.batch == 1, "here --batch is 1");
  const plain_options options = read_plain_options(p);
  p.ready();

  std::vector<member> members(setting.group.actors);
  std::vector<dummy> dummies(setting.dummies());
  std::vector<plain_executor::address> addresses(members.size());
  std::vector<plain_executor::address> all;  // in the order of the slots
  plain_executor threads(options, setting.slots());
  for (std::uint32_t slot = 0, next_dummy = 0; slot < setting.slots(); ++slot) {
    if (setting.is_real(slot)) {
      const std::uint32_t id = setting.id_of(slot);
      members[id].join(setting, id, &addresses[id - id % setting.group.set]);
      all.push_back(addresses[id] = threads.place(members[id]));
    } else {
      all.push_back(threads.place(dummies[next_dummy++]));
    }
  }

  stopwatch watch;
  for (const auto& to : all) plain_executor::send(to, {.small = executor_record::from_main});
  threads.wait();
  watch.stop();

  threads.check(p, setting.messages());
  if (threads.steals() && !p.tiny()) p.check_equal(threads.stolen() == 0, false, "no queue was stolen");
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
                   bench::plain_runtime);
  return bench::run(p);
}
