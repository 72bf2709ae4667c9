// The queue swap under every kind of schedule: thieves among themselves, and thieves among workers and senders.
#include "dispatch/exchange/shard_table.hpp"

#include <array>

#include "dispatch/exchange/shard_mover.hpp"
#include "schedule/staff.hpp"

namespace shard_table_test {

namespace {

using namespace tact;
using dispatch::theft_outcome;
using explorer::check;
using explorer::scheduler;
using explorer::simulated;
using schedule::staff;

// An atomic that knows which thread wrote null into it: until that thread writes again, no other may.
template <class T>
class watched_atomic : public simulated::atomic<T> {
  using base = simulated::atomic<T>;

 public:
  using base::base;
  void store(T value) noexcept {
    base::store(value);
    written(value);
  }
  T exchange(T value) noexcept {
    const T before = base::exchange(value);
    written(value);
    return before;
  }
  bool compare_exchange_strong(T& expected, T wanted) noexcept {
    const bool done = base::compare_exchange_strong(expected, wanted);
    if (done) written(wanted);
    return done;
  }

 private:
  void written(T value) noexcept {
    const scheduler* s = scheduler::current();
    if (s == nullptr) return;
    check(!is_null_ || wrote_null_ == s->running_thread(),
          "a slot that a thief had emptied was written by another one");
    is_null_ = value == T{};
    wrote_null_ = s->running_thread();
  }
  bool is_null_ = false;
  unsigned wrote_null_ = 0;
};

struct watched : simulated {
  template <class T>
  using atomic = watched_atomic<T>;
};

// A shard that is worth stealing and can be given away, always: so every thief wants everything.
struct token {
  struct {
    static bool eligible() { return true; }
    static bool is_idle() { return true; }
  } word;
  simulated::atomic<std::uint32_t> owner{0};
};

// A shard that has messages and is held, so no thief takes it; but it can be exchanged.
struct busy_token {
  struct {
    bool busy = false;
    bool eligible() const { return !busy; }
    bool is_idle() const { return !busy; }
    bool try_hold() { return busy = true; }
  } word;
  simulated::atomic<std::uint32_t> owner{0};
};

// Four workers have a shard each, and worker i's shard is at home with worker i + 1, round the table. Each thread
// brings the one home that is lost, and gives its guest for it, whatever waits in the two; a thief and a mover work
// beside them.
template <unsigned Threads, bool Moves>
class home_comers : public explorer::scenario {
 public:
  home_comers() {
    for (unsigned i = 0; i < count; ++i) table_.deal(i, tokens_[i]);
    tokens_[1].word.busy = true;
  }
  unsigned thread_count() const override { return Threads + 1; }
  void thread(unsigned index) override {
    if (index < Threads) {
      const unsigned lost = (index + count - 1) % count;
      brought_ += table_.exchange(index, tokens_[index], tokens_[lost], [](unsigned) {}) ? 1U : 0U;
    } else if (Moves) {
      mover_.level(count - 1, [](unsigned) {});
    } else {
      stolen_ += table_.steal(count - 1, 0, 0, [](unsigned) {}).outcome == theft_outcome::stolen ? 1U : 0U;
    }
  }
  void at_end() override {
    std::array<unsigned, count> found{};
    unsigned moved = 0;
    for (unsigned w = 0; w < count; ++w) {
      for (std::size_t i = 0; i < table_.of(w).size(); ++i) {
        const busy_token* s = table_.of(w)[i].load();
        check(s != nullptr, "a shard was lost");
        if (s == nullptr) return;
        if (mover_.is_vacant(s)) continue;
        check(s->owner.load() == w, "a shard says that it belongs to another worker");
        ++found[static_cast<std::size_t>(s - tokens_.data())];
        moved += s != &tokens_[w] ? 1U : 0U;
      }
    }
    for (const unsigned times : found) check(times == 1, "a shard is in two slots or in none");
    check(Moves || brought_ + stolen_ != 0 || moved == 0, "nobody succeeded, yet something has changed");
  }

 private:
  static constexpr unsigned count = 4;

  std::array<busy_token, count> tokens_;
  dispatch::shard_table<simulated, busy_token> table_{count, count};
  dispatch::shard_mover<simulated, busy_token> mover_{table_};
  unsigned brought_ = 0;
  unsigned stolen_ = 0;
};
using home_comers_and_thief = home_comers<3, false>;
using home_comers_and_mover = home_comers<3, true>;

// Workers with one shard each; worker i steals once from Victims[i], or not at all if that is itself.
template <unsigned... Victims>
class thieves : public explorer::scenario {
 public:
  thieves() {
    for (unsigned i = 0; i < count; ++i) table_.deal(i, tokens_[i]);
  }
  unsigned thread_count() const override { return count; }
  void thread(unsigned index) override {
    if (victims[index] == index) return;
    const auto t = table_.steal(index, victims[index], 0, [](unsigned) {});
    if (t.outcome == theft_outcome::stolen) ++stolen_;
  }
  void at_end() override {
    unsigned moved = 0;
    std::array<unsigned, count> found{};
    for (unsigned w = 0; w < count; ++w) {
      const token* s = table_.of(w)[0].load();
      check(s != nullptr, "a shard was lost");
      if (s == nullptr) return;
      check(s->owner.load() == w, "a shard says that it belongs to another worker");
      ++found[static_cast<std::size_t>(s - tokens_.data())];
      if (s != &tokens_[w]) ++moved;
    }
    for (const unsigned times : found) check(times == 1, "a shard is in two slots");
    if (stolen_ == 0) {
      check(moved == 0, "nobody succeeded, yet something has changed");
      check(is_cycle, "nobody succeeded, and it was no cycle");
      ++all_failed;
    }
  }
  static inline unsigned all_failed = 0;  // schedules

 private:
  static constexpr unsigned count = sizeof...(Victims);
  static constexpr std::array<unsigned, count> victims{Victims...};
  static constexpr bool is_cycle = [] {
    for (unsigned i = 0; i < count; ++i) {
      if (victims[i] == i) return false;
    }
    return true;
  }();

  std::array<token, count> tokens_;
  dispatch::shard_table<watched, token> table_{count, count};
  unsigned stolen_ = 0;
};

using queue_of_thieves = thieves<0, 0, 0, 0>;
using chain_of_thieves = thieves<0, 0, 1, 2>;
using cycle_of_thieves = thieves<1, 2, 0>;

// Worker 0 has two shards with letters, and two thieves, to whom letters come as well.
struct robbed_staff : staff<3, 4> {
  static constexpr unsigned each = 3;
  robbed_staff() : staff(2 * each) {}
  unsigned thread_count() const override { return 5; }
  void thread(unsigned index) override {
    if (index >= 2) return work(index - 2);
    constexpr std::array<std::array<unsigned, each>, 2> to{{{0, 3, 0}, {1, 2, 3}}};
    std::array<unsigned, 4> numbers{};
    for (unsigned n = 0; n < each; ++n) send({index, numbers[to[index][n]]++, 0}, to[index][n]);
  }
  std::optional<unsigned> victim_of(unsigned me) override { return me == 0 ? 1U : 0U; }
};

// Each worker steals from the next one, round the table.
struct staff_of_thieves : robbed_staff {
  std::optional<unsigned> victim_of(unsigned me) override { return (me + 1) % 3; }
};

// One busy shard, which may be stolen while its owner runs it and then leaves letters in it.
struct busy_staff : staff<2, 2> {
  static constexpr unsigned letters = 4;
  busy_staff() : staff(letters) {}
  unsigned thread_count() const override { return 3; }
  void thread(unsigned index) override {
    if (index != 0) return work(index - 1);
    for (unsigned n = 0; n < letters; ++n) send({0, n, 0}, 0);
  }
  std::optional<unsigned> victim_of(unsigned me) override {
    return me == 0 ? std::nullopt : std::optional<unsigned>(0);
  }
};

// A thief that searched again would find what it had left with a sleeping victim: here each searches once.
struct once_robbed_staff : robbed_staff {
  std::optional<unsigned> victim_of(unsigned me) override {
    if (me == 0 || searched_[me]) return {};
    searched_[me] = true;
    return 0;
  }
  std::array<bool, 3> searched_{};
};

// Shards are scattered: worker 0 has the shards that are at home with worker 1, and the other way round. Both take
// theirs back when they have nothing to do, and do not steal.
struct scattered_staff : staff<2, 4> {
  static constexpr unsigned letters = 4;
  scattered_staff() : staff(letters) {
    for (schedule::shard& s : all().shards()) shards().deal(s.number ^ 1, s);
  }
  unsigned thread_count() const override { return 3; }
  void thread(unsigned index) override {
    if (index != 0) return work(index - 1);
    for (unsigned n = 0; n < letters; ++n) send({0, n / 2, 0}, n % 2);
  }
  bool brings_home() const override { return true; }
};

// The same, and each brings home once, so that nobody finds later what was left with one that sleeps.
struct once_scattered_staff : scattered_staff {
  bool brings_home() const override { return tries_++ == 0; }
  mutable unsigned tries_ = 0;
};

}  // namespace

TEST_CASE("shard_table: of several thieves on one victim, or in a chain, one succeeds", "[dispatch][schedule][law7]") {
  support::require_holds<queue_of_thieves>();
  support::require_holds<chain_of_thieves>();
}

TEST_CASE("shard_table: of a cycle of thieves all may fail, and then nothing has changed", "[dispatch][schedule]") {
  cycle_of_thieves::all_failed = 0;
  support::require_holds<cycle_of_thieves>();
  CHECK(cycle_of_thieves::all_failed != 0);
}

TEST_CASE("shard_table: nobody sleeps through a letter for a shard that is stolen", "[dispatch][schedule][law9]") {
  support::require_holds<robbed_staff>();
  support::require_holds<busy_staff>();
  support::require_holds<once_robbed_staff>();
  support::require_holds<staff_of_thieves>();
}

TEST_CASE("shard_table: a shard is brought home among thieves and beside the mover, and is lost by nobody",
          "[dispatch][schedule]") {
  support::require_holds<home_comers_and_thief>();
  support::require_holds<home_comers_and_mover>();
}

TEST_CASE("shard_table: nobody sleeps through a letter for a shard that is brought home",
          "[dispatch][schedule][law9]") {
  support::require_holds<scattered_staff>();
  support::require_holds<once_scattered_staff>();
}

TEST_CASE(
    "shard_table: in every schedule with few preemptions a shard has one owner, and nobody sleeps through a letter",
    "[dispatch][schedule][exhaustive]") {
  TACT_REQUIRE_ALL_HOLD(3, 0, queue_of_thieves);
  TACT_REQUIRE_ALL_HOLD(3, 0, chain_of_thieves);
  TACT_REQUIRE_ALL_HOLD(3, 0, cycle_of_thieves);
  TACT_REQUIRE_ALL_HOLD(3, 0, busy_staff);
  TACT_REQUIRE_ALL_HOLD(1, 0, once_robbed_staff);
  TACT_REQUIRE_ALL_HOLD(2, 0, home_comers_and_thief);
  TACT_REQUIRE_ALL_HOLD(1, 0, home_comers_and_mover);
  TACT_REQUIRE_ALL_HOLD(2, 0, once_scattered_staff);
}

TEST_CASE("shard_table: planted faults are found", "[dispatch][schedule]") {
  TACT_REQUIRE_FOUND(own_slot_not_emptied, chain_of_thieves);
  TACT_REQUIRE_FOUND_WITHIN(1, 0, own_slot_not_emptied, chain_of_thieves);
  TACT_REQUIRE_FOUND(swap_by_exchange, chain_of_thieves);
  TACT_REQUIRE_FOUND_WITHIN(1, 0, swap_by_exchange, chain_of_thieves);
  TACT_REQUIRE_FOUND(own_slot_not_emptied, home_comers_and_thief);
  TACT_REQUIRE_FOUND(swap_by_exchange, home_comers_and_thief);
  TACT_REQUIRE_FOUND(restore_forgotten, home_comers_and_thief);
  TACT_REQUIRE_FOUND(owner_told_late, home_comers_and_thief);
  TACT_REQUIRE_FOUND(given_not_looked_at, once_scattered_staff);
  TACT_REQUIRE_FOUND(restore_forgotten, cycle_of_thieves);
  TACT_REQUIRE_FOUND_WITHIN(1, 0, restore_forgotten, cycle_of_thieves);
  TACT_REQUIRE_FOUND(owner_not_restored, queue_of_thieves);
  TACT_REQUIRE_FOUND_WITHIN(1, 0, owner_not_restored, queue_of_thieves);
  TACT_REQUIRE_FOUND(owner_told_late, chain_of_thieves);
  TACT_REQUIRE_FOUND_WITHIN(1, 0, owner_told_late, chain_of_thieves);
  TACT_REQUIRE_FOUND(given_not_looked_at, once_robbed_staff);
  TACT_REQUIRE_FOUND_WITHIN(1, 0, given_not_looked_at, once_robbed_staff);
  TACT_REQUIRE_FOUND(park_after_lost_swap, once_robbed_staff);
  TACT_REQUIRE_FOUND_WITHIN(1, 0, park_after_lost_swap, once_robbed_staff);
  TACT_REQUIRE_FOUND(rest_not_announced, busy_staff);
  TACT_REQUIRE_FOUND_WITHIN(2, 0, rest_not_announced, busy_staff);
}

}  // namespace shard_table_test
