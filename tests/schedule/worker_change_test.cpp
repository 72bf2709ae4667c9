// Workers that come and go under every kind of schedule, among senders, thieves and workers that stay.
#include "dispatch/exchange/shard_mover.hpp"

#include <algorithm>
#include <string>

#include "schedule/staff.hpp"

namespace worker_change_test {

namespace {

using namespace tact;
using explorer::check;
using explorer::simulated;
using schedule::staff;
using sync::fault;

// A shard that is worth stealing and can be given away, always, unless it is held.
struct token {
  struct {
    bool held = false;
    bool eligible() const { return !held; }
    bool is_idle() const { return !held; }
    bool try_hold() { return held = true; }
  } word;
  simulated::atomic<std::uint32_t> owner{0};
};

// Thread 0 moves the shard of the last of three workers to the first one, which steals from the last meanwhile, and
// from which the second steals what it has got.
struct movers_and_thieves : explorer::scenario {
  movers_and_thieves() {
    for (unsigned i = 0; i < tokens.size(); ++i) table.deal(i, tokens[i]);
  }
  unsigned thread_count() const override { return 3; }
  void thread(unsigned index) override {
    if (index == 0) return mover.level(2, [](unsigned) {});
    const unsigned victim = index == 1 ? 2 : 0;
    static_cast<void>(table.steal(index - 1, victim, 2, [](unsigned) {}));
  }
  void at_end() override {
    std::array<unsigned, 5> found{};
    for (unsigned w = 0; w < 3; ++w) {
      check(table.of(w).size() == table.share_of(w, 2), "a worker has more than its share of the shards, or less");
      for (std::size_t i = 0; i < table.of(w).size(); ++i) {
        const token* s = table.of(w)[i].load();
        check(s != nullptr, "a shard was lost");
        if (s == nullptr || mover.is_vacant(s)) continue;
        check(s->owner.load() == w, "a shard says that it belongs to another worker");
        ++found[static_cast<std::size_t>(s - tokens.data())];
      }
    }
    for (const unsigned times : found) check(times == 1, "a shard is in two slots or in none");
  }

  std::array<token, 5> tokens;
  dispatch::shard_table<simulated, token> table{3, 5};
  dispatch::shard_mover<simulated, token> mover{table};
};

// A third worker gets its share, by which a slot of the first one is vacant for a while; the first one brings a shard
// home, and would give what it finds in that slot.
struct mover_and_home_comer : explorer::scenario {
  mover_and_home_comer() {
    for (unsigned i = 0; i < tokens.size(); ++i) table.deal(i, tokens[i]);
  }
  unsigned thread_count() const override { return 2; }
  void thread(unsigned index) override {
    if (index == 0) return mover.level(3, [](unsigned) {});
    for (std::size_t i = 0; i < table.of(0).size(); ++i) {
      token* const foreign = table.of(0)[i].load();
      if (foreign == nullptr || !mover.is_vacant(foreign)) continue;
      return void(table.exchange(0, *foreign, tokens[1], [](unsigned) {}));
    }
  }
  void at_end() override {
    std::array<unsigned, 6> found{};
    for (unsigned w = 0; w < 3; ++w) {
      check(table.of(w).size() == table.share_of(w, 3), "a worker has more than its share of the shards, or less");
      for (std::size_t i = 0; i < table.of(w).size(); ++i) {
        const token* s = table.of(w)[i].load();
        if (s == nullptr || mover.is_vacant(s))
          return check(false, "a slot is empty or vacant, and nobody moves a shard");
        check(s->owner.load() == w, "a shard says that it belongs to another worker");
        ++found[static_cast<std::size_t>(s - tokens.data())];
      }
    }
    for (const unsigned times : found) check(times == 1, "a shard is in two slots or in none");
  }

  std::array<token, 6> tokens;
  dispatch::shard_table<simulated, token> table{3, 6, 2};
  dispatch::shard_mover<simulated, token> mover{table};
};

// Thread 0 sends, thread 1 changes the number of workers as src/dispatch/workers/workforce.cpp does, the others are
// workers.
template <unsigned Workers, unsigned Shards, unsigned Running = Workers>
class changing_staff : public staff<Workers, Shards> {
 public:
  explicit changing_staff(unsigned letters) : staff<Workers, Shards>(letters, Workers, Running), letters_(letters) {
    for (unsigned w = Running; w < Workers; ++w) {
      goes_[w].store(true);
      gone_[w].store(true);
    }
  }
  unsigned thread_count() const override { return 2 + Workers; }
  void thread(unsigned index) override {
    if (index == 1) return change();
    if (index != 0) return serve(index - 2);
    for (unsigned n = 0; n < letters_; ++n) this->send({0, n / Shards, 0}, n % Shards);
  }
  void at_end() override {
    staff<Workers, Shards>::at_end();
    for (unsigned w = 0; w < Workers; ++w) {
      const auto& slots = this->shards().of(w);
      std::size_t filled = 0;
      for (std::size_t i = 0; i < slots.size(); ++i) filled += is_vacant(slots[i].load()) ? 0U : 1U;
      check(filled == this->shards().share_of(w, running_), "a worker has more than its share of the shards, or less");
    }
  }

 protected:
  virtual void change() = 0;
  // The worker before this one, round the table; one that has gone may be asked as well.
  std::optional<unsigned> victim_of(unsigned me) override { return (me + Workers - 1) % Workers; }
  bool is_told_to_go(unsigned me) override { return goes_[me].load(); }
  bool is_vacant(const schedule::shard* s) const override { return mover_.is_vacant(s); }

  void grow(unsigned wanted) {
    while (running_ < wanted) {
      gone_[running_].store(false);
      goes_[running_].exchange(false);
      this->wakeups(running_).notify();
      this->all().set_running(++running_);
    }
    share();
  }
  void shrink(unsigned wanted) {
    const unsigned before = std::exchange(running_, wanted);
    this->all().set_running(wanted);
    for (unsigned w = wanted; w < before; ++w) {
      goes_[w].exchange(true);
      this->wakeups(w).notify();
    }
    share();
    for (unsigned w = wanted; w < before; ++w) wait_until_gone(w);
    if (!simulated::planted(fault::gone_not_asked_again)) share();
  }

 private:
  void share() {
    mover_.level(running_, [this](unsigned told) { this->wakeups(told).notify(); });
    if (!simulated::planted(fault::offices_not_told)) this->all().announce_offices();
  }
  // Sleeps, while it has gone, where senders may still wake it.
  void serve(unsigned me) {
    for (;;) {
      this->work(me);
      if (is_told_to_go(me) && !gone_[me].load()) {
        gone_[me].exchange(true);
        left_.notify();
      }
      const auto ticket = this->wakeups(me).prepare();
      if (this->over()) {
        gone_[me].exchange(true);
        left_.notify();
        return;
      }
      if (is_told_to_go(me)) this->wakeups(me).wait(ticket);
    }
  }
  void wait_until_gone(unsigned w) {
    for (;;) {
      const auto ticket = left_.prepare();
      if (gone_[w].load()) return left_.cancel();
      left_.wait(ticket);
    }
  }

  const unsigned letters_;
  unsigned running_ = Running;
  std::array<simulated::atomic<bool>, Workers> goes_;
  std::array<simulated::atomic<bool>, Workers> gone_;
  sync::eventcount<simulated> left_;
  dispatch::shard_mover<simulated, schedule::shard> mover_{this->shards()};
};

// One of two goes; each steals from the other.
struct one_goes : changing_staff<2, 3> {
  one_goes() : changing_staff(3) {}
  void change() override { shrink(1); }
};

// The same without stealing.
struct one_just_goes : one_goes {
  std::optional<unsigned> victim_of(unsigned) override { return {}; }
};

// Two of three workers go, one after the other, while all of them steal.
struct two_go : changing_staff<3, 3> {
  two_go() : changing_staff(4) {}
  void change() override {
    shrink(2);
    shrink(1);
  }
};

// One is alone, and another comes.
struct one_comes : changing_staff<2, 3, 1> {
  one_comes() : changing_staff(4) {}
  void change() override { grow(2); }
};

// One goes and comes again, while a third stays and another goes for good.
struct one_comes_again : changing_staff<3, 4> {
  one_comes_again() : changing_staff(4) {}
  void change() override {
    shrink(1);
    grow(2);
  }
};

// Thread 0 sends, thread 1 changes how many workers run as workforce::run_only does, the others are workers. Nobody
// waits for a worker that is to rest. Each letter is sent on, through an office.
template <unsigned Workers, unsigned Shards>
class resting_staff : public staff<Workers, Shards> {
 public:
  explicit resting_staff(unsigned letters, unsigned hops = 1)
      : staff<Workers, Shards>(letters, Workers), letters_(letters), hops_(hops) {}
  unsigned thread_count() const override { return 2 + Workers; }
  std::string thread_name(unsigned index) const override {
    return index == 0 ? "sender" : index == 1 ? "changer" : "worker " + std::to_string(index - 2);
  }
  void thread(unsigned index) override {
    if (index == 1) return change();
    if (index != 0) return this->work(index - 2);
    for (unsigned n = 0; n < letters_; ++n) this->send({0, n / Shards, hops_}, n % Shards);
  }

 protected:
  virtual void change() = 0;
  std::optional<unsigned> victim_of(unsigned me) override { return (me + Workers - 1) % Workers; }
  bool is_vacant(const schedule::shard* s) const override { return mover_.is_vacant(s); }
  bool rests(unsigned me) override { return me >= this->all().running(); }

  void run_only(unsigned wanted) {
    house& h = this->all();
    const unsigned before = h.running();
    h.set_running(wanted);
    mover_.level(
        wanted, [&](const schedule::shard& s) { return std::optional(h.owner_of_office(s.office)); },
        [this](unsigned told) { this->wakeups(told).notify(); });
    if (!simulated::planted(fault::offices_not_told)) h.announce_offices();
    for (unsigned w = std::min(before, wanted); w < std::max(before, wanted); ++w) this->wakeups(w).notify();
  }

 private:
  using house = schedule::house;

  const unsigned letters_;
  const unsigned hops_;
  dispatch::shard_mover<simulated, schedule::shard> mover_{this->shards()};
};

// One of two rests, and each steals from the other meanwhile.
struct one_rests : resting_staff<2, 3> {
  one_rests() : resting_staff(3) {}
  void change() override { run_only(1); }
};
// The same without stealing.
struct one_just_rests : one_rests {
  std::optional<unsigned> victim_of(unsigned) override { return {}; }
};
// The same with letters that are not sent on, two for each shard.
struct one_rests_soon : resting_staff<2, 2> {
  one_rests_soon() : resting_staff(4, 0) {}
  void change() override { run_only(1); }
};
// The second worker rests as soon as it is in a swap, or a little later; then another letter comes for the shard that
// it steals. The first one steals nothing back.
struct one_rests_in_swap : resting_staff<2, 2> {
  one_rests_in_swap() : resting_staff(2, 0) {}
  void thread(unsigned index) override {
    if (index != 0) return resting_staff::thread(index);
    send({0, 0, 0}, 0);
    while (all().running() != 1) simulated::pause();
    send({0, 1, 0}, 0);
  }
  void change() override {
    for (int n = 0; n < 8 && shards().of(1)[0].load() != nullptr; ++n) simulated::pause();
    run_only(1);
  }
  std::optional<unsigned> victim_of(unsigned me) override {
    return me == 0 ? std::nullopt : std::optional<unsigned>(0);
  }
};
struct one_rests_and_runs : resting_staff<2, 3> {
  one_rests_and_runs() : resting_staff(3) {}
  void change() override {
    run_only(1);
    run_only(2);
  }
};
// Those that have nothing to do bring shards home as well.
struct two_rest_and_run : resting_staff<3, 4> {
  two_rest_and_run() : resting_staff(4) {}
  bool brings_home() const override { return true; }
  void change() override {
    run_only(1);
    run_only(3);
    run_only(1);
  }
};

}  // namespace

TEST_CASE("worker_change: a shard that is moved among thieves is lost by nobody", "[dispatch][schedule]") {
  support::require_holds<movers_and_thieves>();
  support::require_holds<mover_and_home_comer>();
}

TEST_CASE("worker_change: one that goes leaves no letter behind", "[dispatch][schedule]") {
  support::require_holds<one_goes>();
  support::require_holds<two_go>();
}

TEST_CASE("worker_change: one that comes gets its share, and nobody sleeps through a letter", "[dispatch][schedule]") {
  support::require_holds<one_comes>();
  support::require_holds<one_comes_again>();
}

TEST_CASE("worker_change: while workers rest and run again no letter is lost, and nobody sleeps through one",
          "[dispatch][schedule]") {
  support::require_holds<one_rests>();
  support::require_holds<one_rests_in_swap>();
  support::require_holds<one_rests_and_runs>();
  support::require_holds<two_rest_and_run>();
}

TEST_CASE("worker_change: in every schedule with few preemptions no shard and no letter is lost",
          "[dispatch][schedule][exhaustive]") {
  TACT_REQUIRE_ALL_HOLD(3, 0, movers_and_thieves);
  TACT_REQUIRE_ALL_HOLD(3, 0, mover_and_home_comer);
  TACT_REQUIRE_ALL_HOLD(1, 0, one_just_goes);
  TACT_REQUIRE_ALL_HOLD(1, 0, one_goes);
  TACT_REQUIRE_ALL_HOLD(1, 0, one_comes);
  TACT_REQUIRE_ALL_HOLD(1, 0, one_just_rests);
  TACT_REQUIRE_ALL_HOLD(1, 0, one_rests_soon);
  TACT_REQUIRE_ALL_HOLD(1, 0, one_rests_in_swap);
}

TEST_CASE("worker_change: planted faults are found", "[dispatch][schedule]") {
  TACT_REQUIRE_FOUND(moved_by_store, one_goes);
  TACT_REQUIRE_FOUND(moved_by_store, movers_and_thieves);
  TACT_REQUIRE_FOUND_WITHIN(2, 0, moved_by_store, movers_and_thieves);
  TACT_REQUIRE_FOUND(moved_owner_late, movers_and_thieves);
  TACT_REQUIRE_FOUND_WITHIN(1, 0, moved_owner_late, movers_and_thieves);
  TACT_REQUIRE_FOUND(moved_not_looked_at, one_just_goes);
  TACT_REQUIRE_FOUND_WITHIN(1, 0, moved_not_looked_at, one_just_goes);
  TACT_REQUIRE_FOUND(moved_not_looked_at, one_comes);
  TACT_REQUIRE_FOUND_WITHIN(1, 0, moved_not_looked_at, one_comes);
  TACT_REQUIRE_FOUND(gone_not_asked_again, one_goes);
  TACT_REQUIRE_FOUND_WITHIN(1, 0, gone_not_asked_again, one_goes);
  TACT_REQUIRE_FOUND(moved_not_looked_at, one_rests_soon);
  TACT_REQUIRE_FOUND(offices_not_told, one_just_rests);
  TACT_REQUIRE_FOUND_WITHIN(1, 0, offices_not_told, one_just_rests);
  TACT_REQUIRE_FOUND(nobodys_given, mover_and_home_comer);
  TACT_REQUIRE_FOUND_WITHIN(2, 0, nobodys_given, mover_and_home_comer);
  TACT_REQUIRE_FOUND(kept_not_looked_at, one_rests_in_swap);
  TACT_REQUIRE_FOUND_WITHIN(1, 0, kept_not_looked_at, one_rests_in_swap);
}

}  // namespace worker_change_test
