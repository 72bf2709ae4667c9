// How the threads that wait for quiet are told of it, while only the worker that comes last looks at all counters, and
// while workers rest and run again: under every kind of schedule.
#include <algorithm>
#include <array>
#include <string>
#include <utility>

#include "dispatch/exchange/idle_set.hpp"
#include "support/explorer_checks.hpp"
#include "sync/eventcount.hpp"
#include "tools/explorer/simulated.hpp"

namespace quiet_schedule_test {

namespace {

using namespace tact;
using explorer::check;
using explorer::simulated;
using sync::fault;

// Thread 0 sends a message to each worker, and waits for quiet; thread 1 changes how many workers run. The others are
// workers, which idle and park as src/dispatch/workers/worker.cpp has it. What comes for a worker that rests was on its
// way when it was told so: it runs that. The handler of `forwarder` sends a message on to the first worker.
template <unsigned Workers, unsigned Running = Workers>
class office_hours : public explorer::scenario {
 public:
  office_hours() {
    for (unsigned w = Running; w < Workers; ++w) idle_.remove(w);
  }
  unsigned thread_count() const override { return 2 + Workers; }
  std::string thread_name(unsigned index) const override {
    return index == 0 ? "sender" : index == 1 ? "changer" : "worker " + std::to_string(index - 2);
  }
  void name(explorer::names& called) override {
    called.add(running_, "running");
    called.add(quiet_, "quiet event");
    called.add(outside_sent_, "sent from outside");
    for (unsigned w = 0; w < Workers; ++w) {
      called.add(desks_[w].waiting, "waiting for " + std::to_string(w));
      called.add(desks_[w].done, "done by " + std::to_string(w));
      called.add(desks_[w].sent, "sent by " + std::to_string(w));
      called.add(desks_[w].wakeups, "wakeups of worker " + std::to_string(w));
    }
  }
  void thread(unsigned index) override {
    if (index == 1) return change();
    if (index != 0) return work(index - 2);
    for (unsigned w = 0; w < Workers; ++w) {
      outside_sent_.fetch_add(1);
      bring(w);
    }
    wait_quiet();
    check(handled_ == Workers + 1, "it is quiet, and not every message was handled");
    over_.store(true);
    for (desk& d : desks_) d.wakeups.notify();
  }

 protected:
  virtual void change() {}
  // As workforce::run_only.
  void run_only(unsigned wanted) {
    const unsigned before = running_.load();
    // Whether they are idle or not: a worker that is not, and is in the set, does no harm.
    for (unsigned w = before; w < wanted; ++w) idle_.add(w);
    running_.store(wanted);
    for (unsigned w = before; w < wanted; ++w) idle_.add(w);
    if (wanted > before && simulated::planted(fault::rested_not_woken)) return;
    for (unsigned w = std::min(before, wanted); w < std::max(before, wanted); ++w) desks_[w].wakeups.notify();
  }

 private:
  static constexpr unsigned forwarder = Workers - 1;
  struct desk {
    simulated::atomic<unsigned> waiting{0};
    simulated::atomic<unsigned> sent{0};
    simulated::atomic<unsigned> done{0};
    sync::eventcount<simulated> wakeups;
    bool is_idle = true;
    unsigned sent_so_far = 0;
    unsigned done_so_far = 0;
  };

  void bring(unsigned to) {
    desks_[to].waiting.fetch_add(1);
    desks_[to].wakeups.notify();
  }
  bool rests(unsigned me) const { return me >= running_.load(); }
  void say_idle(unsigned me, bool idle) {
    if (std::exchange(desks_[me].is_idle, idle) == idle) return;
    idle ? show_idle(me) : idle_.remove(me);
  }
  void show_idle(unsigned me) {
    const bool shows = desks_[me].is_idle && !rests(me);
    if (idle_.has(me) == shows) return;
    if (!shows) idle_.remove(me);
    if (shows || (desks_[me].is_idle && !rests(me))) idle_.add(me);
  }
  bool round(unsigned me) {
    desk& d = desks_[me];
    const unsigned taken = d.waiting.load() == 0 ? 0 : d.waiting.exchange(0);
    if (taken == 0) return false;
    say_idle(me, false);
    for (unsigned n = 0; n < taken; ++n) {
      if (me == forwarder && d.sent_so_far == 0) {
        d.sent.store(++d.sent_so_far);
        bring(0);
      }
      ++handled_;
      ++d.done_so_far;
    }
    return true;
  }
  void work(unsigned me) {
    while (!over_.load()) {
      if (round(me)) continue;
      const bool seen_alone = simulated::planted(fault::idle_seen_alone) && are_all_idle();
      say_idle(me, true);
      park(me, seen_alone);
    }
  }
  void park(unsigned me, bool seen_alone) {
    desk& d = desks_[me];
    d.done.store(d.done_so_far);
    const auto ticket = d.wakeups.prepare();
    show_idle(me);
    const bool planted = simulated::planted(fault::idle_seen_alone);
    quiet_.notify_if([&] { return (planted ? seen_alone : rests(me) || are_all_idle()) && is_quiet(); });
    if (d.waiting.load() != 0 || over_.load()) return d.wakeups.cancel();
    d.wakeups.wait(ticket);
  }
  bool are_all_idle() const { return idle_.are_all(running_.load()); }
  // As census::is_quiet.
  bool is_quiet() const {
    unsigned done = 0, sent = 0;
    for (const desk& d : desks_) done += d.done.load();
    for (const desk& d : desks_) sent += d.sent.load();
    return done == sent + outside_sent_.load();
  }
  void wait_quiet() {
    for (;;) {
      const auto ticket = quiet_.prepare();
      if (is_quiet()) return quiet_.cancel();
      quiet_.wait(ticket);
    }
  }

  std::array<desk, Workers> desks_;
  dispatch::basic_idle_set<simulated> idle_{Workers};
  simulated::atomic<unsigned> running_{Running};
  simulated::atomic<unsigned> outside_sent_{0};
  simulated::atomic<bool> over_{false};
  sync::eventcount<simulated> quiet_;
  unsigned handled_ = 0;
};

using two_that_run = office_hours<2>;
using three_that_run = office_hours<3>;

// The second one rests from some moment on.
struct one_lies_down : office_hours<2> {
  void change() override { run_only(1); }
};
// The second one rests at first.
struct one_gets_up : office_hours<2, 1> {
  void change() override { run_only(2); }
};
struct two_lie_down_and_get_up : office_hours<3> {
  void change() override {
    run_only(1);
    run_only(3);
  }
};

}  // namespace

TEST_CASE("quiet: who waits for it is told by the worker that comes last", "[dispatch][schedule]") {
  support::require_holds<two_that_run>();
  support::require_holds<three_that_run>();
}

TEST_CASE("quiet: who waits for it is told while workers rest and run again", "[dispatch][schedule]") {
  support::require_holds<one_lies_down>();
  support::require_holds<one_gets_up>();
  support::require_holds<two_lie_down_and_get_up>();
}

TEST_CASE("quiet: in every schedule with few preemptions who waits for it is told",
          "[dispatch][schedule][exhaustive]") {
  TACT_REQUIRE_ALL_HOLD(1, 0, two_that_run);
  TACT_REQUIRE_ALL_HOLD(1, 0, one_lies_down);
  TACT_REQUIRE_ALL_HOLD(1, 0, one_gets_up);
}

TEST_CASE("quiet: planted faults are found", "[dispatch][schedule]") {
  TACT_REQUIRE_FOUND(idle_seen_alone, two_that_run);
  TACT_REQUIRE_FOUND_WITHIN(0, 0, idle_seen_alone, two_that_run);
  TACT_REQUIRE_FOUND(rested_not_woken, one_gets_up);
  TACT_REQUIRE_FOUND_WITHIN(2, 0, rested_not_woken, one_gets_up);
}

}  // namespace quiet_schedule_test
