// Timers under every kind of schedule: they are set, fired, cancelled and dropped, and their records used again.
#include "actors/time/timer_word.hpp"

#include <array>
#include <string>
#include <utility>
#include <vector>

#include "actors/time/flagged_ask.hpp"
#include "actors/time/timer_inbox.hpp"
#include "support/explorer_checks.hpp"
#include "sync/lock.hpp"
#include "tools/explorer/simulated.hpp"

namespace timer_test {

namespace {

using namespace tact;
using explorer::check;
using explorer::simulated;
using timer_word = actors::timer_word<simulated>;
using cancelling = timer_word::cancelling;

struct record {
  timer_word word;
  record* next = nullptr;
  unsigned message = 0;  // whose it is, from 1; 0: there is none
  unsigned target = 0;   // written by the thread that sets it, and read by the service
  bool repeats = false;
  bool is_free = true;
};
using inbox = actors::timer_inbox<simulated, record>;

// One thread sets timers that are due at once, one is the service, and others cancel, as actors::timers does it.
class timing : public explorer::scenario {
 public:
  explicit timing(unsigned records = 1) : records_(records) {}
  void name(explorer::names& called) override {
    for (unsigned i = 0; i < records_.size(); ++i) called.add(records_.at(i), "record " + std::to_string(i));
    called.add(inbox_, "inbox");
  }
  std::string thread_name(unsigned index) const override {
    return index == 0 ? "service" : index == 1 ? "setter" : "canceller " + std::to_string(index - 1);
  }
  void at_end() override {
    for (const record& r : records_) check(r.is_free && r.message == 0, "a record was not given back");
    for (const timer& t : timers_) check(!t.is_set || t.ended == 1, "a message was not ended, or twice");
  }

 protected:
  static constexpr unsigned timers_max = 2;

  struct timer {
    record* at = nullptr;
    timer_word::key key = 0;
    simulated::atomic<bool> shown{false};
    simulated::atomic<unsigned> sent{0};
    bool is_set = false;
    bool is_cancelled = false;  // and the thread that cancelled it knows that
    unsigned ended = 0;
  };
  struct entry {
    record* at;
    timer_word::key key;
    unsigned number;
  };

  // -- the setter
  void set(unsigned number, bool repeats = false) {
    record& r = take();
    r.message = number + 1;
    r.target = number;
    r.repeats = repeats;
    timer& t = timers_.at(number);
    t.at = &r;
    t.key = r.word.begin();
    t.is_set = true;
    t.shown.store(true);
    if (!inbox_.put(r, r, 0)) drop_all(&r);
  }

  // -- threads that cancel. `alone`: no other thread cancels it.
  void cancel(unsigned number, bool alone = true) {
    timer& t = timers_.at(number);
    while (!t.shown.load()) simulated::pause();
    const cancelling how = t.at->word.cancel_and_wait(t.key);
    if (how == cancelling::too_late) {
      check(!alone || t.sent.load() != 0 || is_closed_, "it is too late to cancel what was not sent");
    } else {
      t.is_cancelled = true;
      end_cancelled(t, how, number);
    }
  }
  // As at a commit, which does not wait.
  void cancel_or_stop(unsigned number) {
    timer& t = timers_.at(number);
    while (!t.shown.load()) simulated::pause();
    const cancelling how = t.at->word.cancel(t.key);
    if (how == cancelling::under_way) t.at->word.stop(t.key);
    if (how == cancelling::ends_message || how == cancelling::ends_all) end_cancelled(t, how, number);
  }

  // -- the service
  void serve(unsigned rounds) {
    serve(rounds, [this] { return done_.load(); });
  }
  template <class IsOver>
  void serve(unsigned rounds, IsOver is_over) {
    while (!is_over()) {
      for (record* r = inbox_.take(); r != nullptr;) arm(*std::exchange(r, r->next));
      due_.clear();
      if (rounds > 0) due_.swap(wheel_);
      if (!due_.empty()) --rounds;
      if (looks_) look();
      for (const entry& e : due_) fire(e);
      if (due_.empty()) inbox_.sleep(inbox::never, inbox::never, is_over);
    }
  }
  void end_service() {
    is_closed_ = true;
    drop_all(inbox_.close());
    due_.clear();
    due_.swap(wheel_);
    for (const entry& e : due_) {
      if (e.at->word.drop(e.key)) end_message(*e.at, e.number), give(*e.at);
    }
  }
  void tell_done() {
    done_.exchange(true);
    inbox_.wake();
  }

  std::array<timer, timers_max> timers_;
  bool looks_ = false;                      // the service looks at what is armed before it fires it
  simulated::atomic<unsigned> working_{0};  // threads that are not done

 private:
  using inside = sync::locked<sync::lock<simulated>>;

  record& take() {
    for (;; simulated::pause()) {
      const inside in(lock_);
      for (record& r : records_) {
        if (std::exchange(r.is_free, false)) return r;
      }
    }
  }
  void give(record& r) {
    const inside in(lock_);
    check(!r.is_free, "a record was given back twice");
    check(r.message == 0, "a record was given back with its message");
    r.is_free = true;
  }
  void end_message(record& r, unsigned number) {
    check(r.message == number + 1, "somebody else has the message");
    busy_.fetch_add(1);  // it takes a while
    check(r.message == number + 1, "the record was used again while its message was ended");
    r.message = 0;
    ++timers_.at(number).ended;
  }
  void end_cancelled(const timer& t, cancelling how, unsigned number) {
    record& r = *t.at;
    end_message(r, number);
    if (how == cancelling::ends_message && r.word.emptied(t.key)) return;
    r.word.end(t.key);
    give(r);
  }
  void arm(record& r) {
    const timer_word::key key = r.word.key_of_held();
    const unsigned number = r.message - 1;  // of one that was cancelled it is not used
    if (r.word.arm(key)) {
      wheel_.push_back({&r, key, number});
    } else if (r.word.leave(key)) {
      r.word.end(key);
      give(r);
    }
  }
  void fire(const entry& e) {
    record& r = *e.at;
    if (!r.word.begin_fire(e.key)) return;
    timer& t = timers_.at(e.number);
    check(r.message == e.number + 1, "a message left that was not there");
    check(!t.is_cancelled, "a timer fired after it was cancelled");
    t.sent.fetch_add(1);
    if (r.repeats && r.word.rearm(e.key)) return wheel_.push_back(e);
    end_message(r, e.number);
    r.word.end(e.key);
    give(r);
  }
  // As timers::read.
  void look() {
    for (const entry& e : due_) {
      if (!e.at->word.disarm(e.key)) continue;
      busy_.fetch_add(1);  // it takes a while
      check(e.at->target == e.number, "the record was used again while the service looked at it");
      if (!e.at->word.arm(e.key) && e.at->word.leave(e.key)) {
        e.at->word.end(e.key);
        give(*e.at);
      }
    }
  }
  void drop_all(record* waiting) {
    while (waiting != nullptr) {
      record& r = *std::exchange(waiting, waiting->next);
      const timer_word::key key = r.word.key_of_held();
      if (r.word.withdraw(key)) {
        end_message(r, r.message - 1);
        give(r);
      } else if (r.word.leave(key)) {
        r.word.end(key);
        give(r);
      }
    }
  }

  std::vector<record> records_;
  sync::lock<simulated> lock_;
  inbox inbox_;
  std::vector<entry> wheel_;
  std::vector<entry> due_;  // not in the service's frame: what a thread holds is not freed where a schedule breaks off
  simulated::atomic<unsigned> busy_{0};
  simulated::atomic<bool> done_{false};
  bool is_closed_ = false;
};

// Two timers, one after the other in one record; another thread cancels each. The engine ends when that is done.
struct set_and_cancelled : timing {
  set_and_cancelled() { working_.store(2); }
  unsigned thread_count() const override { return 3; }
  void thread(unsigned index) override {
    if (index == 0) {
      serve(4);
      return end_service();
    }
    for (unsigned i = 0; i < timers_max; ++i) index == 1 ? set(i) : cancel(i);
    if (working_.fetch_sub(1) == 1) tell_done();
  }
};

// The same, while the service looks at them.
struct looked_at : set_and_cancelled {
  looked_at() { looks_ = true; }
};

// A timer that repeats, and two threads that cancel it, each in its own way.
struct repeated : timing {
  repeated() { working_.store(3); }
  unsigned thread_count() const override { return 4; }
  void thread(unsigned index) override {
    if (index == 0) {
      serve(2);
      return end_service();
    }
    if (index == 1) set(0, true);
    if (index == 2) cancel_or_stop(0);
    if (index == 3) cancel(0, false);
    if (working_.fetch_sub(1) == 1) tell_done();
  }
};

// Only a thread that sets a timer can wake the service, which ends when both have fired.
struct handed_over : timing {
  handed_over() : timing(2) {}
  unsigned thread_count() const override { return 3; }
  void thread(unsigned index) override {
    if (index != 0) return set(index - 1);
    serve(timers_max, [this] { return timers_[0].ended + timers_[1].ended == timers_max; });
    end_service();
  }
};

// The engine ends while timers are set and cancelled.
struct dropped : timing {
  unsigned thread_count() const override { return 3; }
  void thread(unsigned index) override {
    if (index == 0) {
      serve(1);
      return end_service();
    }
    if (index == 1) {
      set(0);
      tell_done();
      set(1);
    }
    if (index == 2) cancel_or_stop(0);
  }
};

// One thread asks in a context with two flags, each of which another thread sets; the service answers, or the ask ends
// by one of them.
class flagged_asks : public explorer::scenario {
 public:
  void name(explorer::names& called) override {
    called.add(word_, "word");
    for (unsigned i = 0; i < flags_; ++i) called.add(flag_.at(i), "flag " + std::to_string(i));
  }
  std::string thread_name(unsigned index) const override {
    return index == 0 ? "asker" : index == 1 ? "service" : "canceller " + std::to_string(index - 1);
  }
  unsigned thread_count() const override { return 4; }
  void thread(unsigned index) override {
    if (index == 0) ask();
    if (index == 1) serve();
    if (index > 1) set(index - 2);
  }
  void at_end() override {
    check(ended_ != 0, "an ask goes on although its flags are set");
    check(ended_ < 2, "an ask ended twice");
  }

 private:
  using asks = actors::flagged_ask<simulated>;
  static constexpr unsigned flags_ = 2;

  void ask() {
    key_ = word_.key_of_free();
    for (unsigned i = 0; i < flags_; ++i) {
      const sync::locked hold(lock_);
      noted_.at(i).push_back(key_);
    }
    static_cast<void>(word_.begin());
    is_waiting_.store(true);
    asks::look([this] { return flag_[0].load() || flag_[1].load(); }, [this] { end(key_); });
  }
  // The answer is brought by a thread that cancels the timer.
  void serve() {
    if (!is_waiting_.load()) return;
    if (!word_.arm(key_)) static_cast<void>(word_.leave(key_));
  }
  void set(unsigned i) {
    const auto take = [&]() -> const std::vector<timer_word::key>& {
      const sync::locked hold(lock_);
      taken_.at(i).swap(noted_.at(i));
      return taken_.at(i);
    };
    asks::set(flag_.at(i), take, [this](timer_word::key k) { end(k); });
  }
  void end(timer_word::key k) {
    const cancelling how = word_.cancel(k);
    if (how != cancelling::ends_message && how != cancelling::ends_all) return;
    ++ended_;
    if (how == cancelling::ends_message) static_cast<void>(word_.emptied(k));
  }

  timer_word word_;
  timer_word::key key_ = 0;
  std::array<simulated::atomic<bool>, flags_> flag_{};
  simulated::atomic<bool> is_waiting_{false};
  sync::lock<simulated> lock_;
  std::array<std::vector<timer_word::key>, flags_> noted_;
  std::array<std::vector<timer_word::key>, flags_> taken_;  // not in a frame, see due_
  unsigned ended_ = 0;
};

}  // namespace

TEST_CASE("timer_word: a cancelled timer never fires, one that cannot be cancelled was sent, each record has one owner",
          "[actor][schedule]") {
  support::require_holds<set_and_cancelled>();
}

TEST_CASE("timer_word: a timer that the service looks at fires or is cancelled once, as one that it leaves alone",
          "[actor][schedule]") {
  support::require_holds<looked_at>();
  TACT_REQUIRE_ALL_HOLD(1, 0, looked_at);
}

TEST_CASE("timer_word: one that repeats ends once, however it is stopped", "[actor][schedule]") {
  support::require_holds<repeated>();
}

TEST_CASE("timer_inbox: the service sleeps through no timer", "[actor][schedule]") {
  support::require_holds<handed_over>();
}

TEST_CASE("timer_inbox: what is set while the engine ends is fired, cancelled or dropped once", "[actor][schedule]") {
  support::require_holds<dropped>();
}

TEST_CASE("timer_word: in every schedule with few preemptions a timer fires, is cancelled or is dropped, once",
          "[actor][schedule][exhaustive]") {
  TACT_REQUIRE_ALL_HOLD(1, 0, set_and_cancelled);
  TACT_REQUIRE_ALL_HOLD(1, 0, repeated);
  TACT_REQUIRE_ALL_HOLD(3, 0, handed_over);
  TACT_REQUIRE_ALL_HOLD(2, 0, dropped);
}

TEST_CASE("timer_word: planted faults are found", "[actor][schedule]") {
  TACT_REQUIRE_FOUND(timer_fires_unasked, set_and_cancelled);
  TACT_REQUIRE_FOUND_WITHIN(1, 0, timer_fires_unasked, set_and_cancelled);
  TACT_REQUIRE_FOUND(timer_freed_by_both, set_and_cancelled);
  TACT_REQUIRE_FOUND_WITHIN(1, 0, timer_freed_by_both, set_and_cancelled);
  TACT_REQUIRE_FOUND(timer_cancel_hurries, set_and_cancelled);
  TACT_REQUIRE_FOUND_WITHIN(1, 0, timer_cancel_hurries, set_and_cancelled);
  TACT_REQUIRE_FOUND(timer_wakes_nobody, handed_over);
  TACT_REQUIRE_FOUND_WITHIN(0, 0, timer_wakes_nobody, handed_over);
  TACT_REQUIRE_FOUND(timer_slept_through, handed_over);
  TACT_REQUIRE_FOUND_WITHIN(1, 0, timer_slept_through, handed_over);
}

TEST_CASE("flagged_ask: an ask ends once when a flag of its context is set, whoever is first",
          "[actor][schedule][exhaustive]") {
  support::require_holds<flagged_asks>();
  TACT_REQUIRE_ALL_HOLD(2, 0, flagged_asks);
  TACT_REQUIRE_FOUND(flag_unlooked, flagged_asks);
  TACT_REQUIRE_FOUND_WITHIN(1, 0, flag_unlooked, flagged_asks);
}

}  // namespace timer_test
