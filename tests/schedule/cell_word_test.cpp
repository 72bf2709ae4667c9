// Commits under every kind of schedule: parallel runs that collide, go home, and come back.
#include "actors/cells/cell_word.hpp"

#include <array>

#include "support/explorer_checks.hpp"
#include "sync/eventcount.hpp"
#include "tools/explorer/simulated.hpp"

namespace cell_word_test {

namespace {

using namespace tact;
using explorer::check;
using explorer::simulated;
using sync::fault;

struct counter {
  alignas(8) unsigned value = 0;
  unsigned replaced = 0;
};
using cell_word = actors::cell_word<simulated, counter>;

struct message {
  bool becomes = true;
  unsigned runs = 0;
  unsigned fails = 0;
  unsigned published = 0;
};

// Workers add one by becoming; after `k` collisions a message goes to the holder of the home shard. Every third message
// may be one that only reads: under the tag it is run where it is.
class adding : public explorer::scenario {
 public:
  explicit adding(unsigned k, unsigned workers, bool some_read = false) : k_(k), workers_(workers) {
    cell_.install(&counters_[0]);
    for (unsigned i = 0; some_read && i < messages_.size(); i += 3) messages_.at(i).becomes = false;
  }

  void name(explorer::names& called) override {
    called.add(cell_, "cell");
    for (const counter& c : counters_) called.add(c, "behaviour " + std::to_string(&c - counters_.data()));
    called.add(sent_home_, "sent home");
    called.add(done_, "done");
    called.add(home_mail_, "home mail");
  }
  unsigned thread_count() const override { return workers_ + 1; }
  void thread(unsigned index) override {
    if (index == workers_) return hold_home();
    for (unsigned n = 0; n < each; ++n) run_parallel(messages_.at(index * each + n));
  }
  void at_end() override {
    unsigned becoming = 0;
    for (unsigned i = 0; i < workers_ * each; ++i) becoming += messages_.at(i).becomes;
    check(cell_.load().closure()->value == becoming, "a become is lost");
    for (unsigned i = 0; i < workers_ * each; ++i) {
      check(messages_.at(i).published == 1, "what a message stages was published twice or never");
    }
  }

 private:
  static constexpr unsigned each = 2;

  void run_parallel(message& m) {
    for (;;) {
      const cell_word::value seen = cell_.load();
      if (seen.is_home()) return run_away(m, seen);
      counter& next = run(m, seen);
      if (!m.becomes) return finish(m);
      if (simulated::planted(fault::publish_before_commit)) publish(m);
      if (cell_.commit(seen, &next)) return finish(m, seen);
      if (++m.fails == k_) {
        cell_.go_home();
        return forward(m);
      }
    }
  }

  // Not at home, under the tag. Whether a message will become is a guess, which is wrong once.
  void run_away(message& m, cell_word::value seen) {
    if (becomers_known_.load() != 0 && m.becomes) return forward(m);
    counter& next = run(m, seen);
    if (!m.becomes) return finish(m);
    if (simulated::planted(fault::become_away_from_home)) {
      cell_.replace(seen, &next);
      return finish(m, seen);
    }
    becomers_known_.store(1);
    if (simulated::planted(fault::left_by_stranger)) cell_.leave_home(seen);
    forward(m);
  }

  // Under the tag a become is a plain store, and cannot collide.
  void run_at_home(message& m) {
    if (simulated::planted(fault::forwarded_run_in_parallel) && !cell_.load().is_home()) return run_parallel(m);
    if (!cell_.load().is_home()) cell_.go_home();
    const cell_word::value seen = cell_.load();
    counter& next = run(m, seen);
    if (!m.becomes) return finish(m);
    cell_.replace(seen, &next);
    finish(m, seen);
  }

  counter& run(message& m, cell_word::value seen) {
    check(++m.runs <= k_ + 1, "a message ran more than k + 1 times");
    counter& next = counters_.at(used_++);
    next.value = seen.closure()->value + 1;
    return next;
  }
  void finish(message& m, cell_word::value seen) {
    check(++seen.closure()->replaced == 1, "two becomes replaced one behaviour");
    finish(m);
  }
  void finish(message& m) {
    if (!m.becomes || !simulated::planted(fault::publish_before_commit)) publish(m);
    if (done_.fetch_add(1) + 1 == workers_ * each) home_mail_.notify();
  }
  static void publish(message& m) { ++m.published; }

  void forward(message& m) {
    home_mutex_.lock();
    forwarded_.at(sent_home_.load()) = &m;
    sent_home_.fetch_add(1);
    home_mutex_.unlock();
    home_mail_.notify();
  }
  void hold_home() {
    for (std::uint32_t next = 0;;) {
      while (next != sent_home_.load()) run_at_home(*forwarded_.at(next++));
      go_back();
      const auto ticket = home_mail_.prepare();
      if (done_.load() == workers_ * each) return home_mail_.cancel();
      if (next != sent_home_.load()) {
        home_mail_.cancel();
      } else {
        home_mail_.wait(ticket);
      }
    }
  }
  // At the end of a gulp the holder may give the actor back to all workers.
  void go_back() {
    const cell_word::value now = cell_.load();
    if (!now.is_home()) return;
    cell_.leave_home(now);
    becomers_known_.store(0);
  }

  const unsigned k_;
  const unsigned workers_;
  std::array<counter, 64> counters_;
  unsigned used_ = 1;
  std::array<message, 6> messages_;
  cell_word cell_;
  simulated::atomic<std::uint32_t> becomers_known_{0};

  simulated::mutex home_mutex_;
  std::array<message*, 16> forwarded_{};
  simulated::atomic<std::uint32_t> sent_home_{0};
  simulated::atomic<std::uint32_t> done_{0};
  sync::eventcount<simulated> home_mail_;
};

struct one_collision : adding {
  one_collision() : adding(1, 2) {}
};
struct two_collisions : adding {
  two_collisions() : adding(2, 3) {}
};

struct readers_away : adding {
  readers_away() : adding(1, 3, true) {}
};
struct more_readers_away : adding {
  more_readers_away() : adding(2, 3, true) {}
};

// Two answers for one continuation.
struct once : explorer::scenario {
  counter continuation;
  cell_word cell;
  once() { cell.install(&continuation); }
  unsigned thread_count() const override { return 2; }
  void thread(unsigned) override {
    const cell_word::value seen = cell.load();
    if (!seen.is_ended() && cell.claim(seen)) check(++seen.closure()->replaced == 1, "a one-shot ran twice");
  }
  void at_end() override { check(continuation.replaced == 1 && cell.load().is_ended(), "a one-shot never ran"); }
};

// One ends the actor while two others become.
struct ending : explorer::scenario {
  std::array<counter, 4> counters;
  cell_word cell;
  unsigned ends = 0;
  ending() { cell.install(&counters[0]); }
  unsigned thread_count() const override { return 3; }
  void thread(unsigned index) override {
    for (;;) {
      const cell_word::value seen = cell.load();
      if (seen.is_ended()) return;
      const bool won = index == 0 ? cell.try_end(seen) : cell.commit(seen, &counters.at(index));
      if (won) {
        check(++seen.closure()->replaced == 1, "two replaced one behaviour");
        ends += index == 0;
        return;
      }
    }
  }
  void at_end() override { check(ends == 1 && cell.load().is_ended(), "an ended actor came back"); }
};

}  // namespace

TEST_CASE("cell_word: becomes form one chain, and a message runs at most k + 1 times", "[actor][schedule][law3]") {
  support::require_holds<one_collision>();
  support::require_holds<two_collisions>();
}

TEST_CASE("cell_word: under the tag messages that do not become run elsewhere, and disturb nothing",
          "[actor][schedule]") {
  support::require_holds<readers_away>();
  support::require_holds<more_readers_away>();
}

TEST_CASE("cell_word: a one-shot runs once, an end is final", "[actor][schedule]") {
  support::require_holds<once>();
  support::require_holds<ending>();
}

TEST_CASE("cell_word: in every schedule with few preemptions becomes form one chain, and an end is final",
          "[actor][schedule][exhaustive]") {
  TACT_REQUIRE_ALL_HOLD(3, 1, once);
  TACT_REQUIRE_ALL_HOLD(3, 1, ending);
  TACT_REQUIRE_ALL_HOLD(3, 1, one_collision);
  TACT_REQUIRE_ALL_HOLD(2, 1, two_collisions);
}

TEST_CASE("cell_word: planted faults are found", "[actor][schedule]") {
  TACT_REQUIRE_FOUND(commit_without_cas, one_collision);
  TACT_REQUIRE_FOUND_WITHIN(1, 0, commit_without_cas, one_collision);
  TACT_REQUIRE_FOUND(home_on_other_line, one_collision);
  TACT_REQUIRE_FOUND_WITHIN(3, 0, home_on_other_line, one_collision);
  TACT_REQUIRE_FOUND(publish_before_commit, one_collision);
  TACT_REQUIRE_FOUND_WITHIN(1, 0, publish_before_commit, one_collision);
  TACT_REQUIRE_FOUND(forwarded_run_in_parallel, one_collision);
  TACT_REQUIRE_FOUND_WITHIN(4, 0, forwarded_run_in_parallel, one_collision);
  TACT_REQUIRE_FOUND(become_away_from_home, readers_away);
  TACT_REQUIRE_FOUND(left_by_stranger, readers_away);
  TACT_REQUIRE_FOUND(once_runs_twice, once);
  TACT_REQUIRE_FOUND_WITHIN(0, 0, once_runs_twice, once);
}

}  // namespace cell_word_test
