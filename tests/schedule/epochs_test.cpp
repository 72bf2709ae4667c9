// Epochs under every kind of schedule, and the faults planted in them.
#include "dispatch/exchange/epoch.hpp"

#include <array>
#include <utility>
#include <vector>

#include "support/explorer_checks.hpp"
#include "tools/explorer/simulated.hpp"

namespace epochs_test {

namespace {

using namespace tact;
using explorer::check;
using explorer::simulated;

struct alignas(16) node {
  simulated::atomic<std::uint32_t> value{0};
  unsigned freed = 0;
};

// Workers read the node behind a word, replace it and retire the old one, between quiescent states.
class replacing : public explorer::scenario {
 public:
  explicit replacing(unsigned workers, unsigned absences) : workers_(workers), absences_(absences) {}

  unsigned thread_count() const override { return workers_; }
  void thread(unsigned i) override {
    for (unsigned a = 0; a < absences_; ++a) {
      domain_.online(i);
      for (int n = 0; n < 2; ++n) {
        for (unsigned r = 0; r < replaced_per_look(); ++r) replace(i);
        looks_up(i);
        domain_.quiesce(i);
      }
      domain_.offline(i);
    }
  }
  void at_end() override {
    check(domain_.retired_count() == 0, "all are offline, yet something is retired");
    unsigned freed = 0;
    for (const node& n : nodes_) freed += n.freed;
    check(freed == replaced_, "a node was never freed");
  }

 protected:
  virtual void end_of(unsigned i, node& old) {
    domain_.retire(i, &old, &finish, nullptr);
    use(old);
  }
  [[nodiscard]] virtual unsigned replaced_per_look() const noexcept { return 1; }
  virtual void looks_up(unsigned) {}
  dispatch::epoch_domain<simulated>& domain() noexcept { return domain_; }
  static void finish(void* object, void*) { check(++static_cast<node*>(object)->freed == 1, "freed twice"); }

 private:
  void replace(unsigned i) {
    node* const old = current_.load(std::memory_order_acquire);
    use(*old);
    node* expected = old;
    node* const next = &nodes_.at(used_++);
    if (!current_.compare_exchange_strong(expected, next)) return;
    ++replaced_;
    end_of(i, *old);
  }
  static void use(node& n) {
    static_cast<void>(n.value.load(std::memory_order_relaxed));  // others run here
    check(n.freed == 0, "a node was freed while a worker held it");
  }

  const unsigned workers_;
  const unsigned absences_;
  std::array<node, 20> nodes_;
  unsigned used_ = 1;
  unsigned replaced_ = 0;
  simulated::atomic<node*> current_{nodes_.data()};
  dispatch::epoch_domain<simulated> domain_{workers_, 1, 1};
};

// The same, but a worker that is the only one online frees what it has replaced at once.
class replacing_alone : public replacing {
 public:
  using replacing::replacing;

 private:
  void end_of(unsigned i, node& old) override {
    domain().is_only_one_online() ? finish(&old, nullptr) : replacing::end_of(i, old);
  }
};

// The same, but it asks once for all that it has replaced since its last look, as actors::reclaimer does.
class collecting_alone : public replacing {
 public:
  using replacing::replacing;

 private:
  [[nodiscard]] unsigned replaced_per_look() const noexcept override { return 2; }
  void end_of(unsigned i, node& old) override { waiting_.at(i).push_back(&old); }
  void looks_up(unsigned i) override {
    if (waiting_.at(i).empty()) return;
    const bool is_alone = domain().is_only_one_online();
    for (node* old : std::exchange(waiting_.at(i), {})) is_alone ? finish(old, nullptr) : replacing::end_of(i, *old);
  }

  std::array<std::vector<node*>, 3> waiting_;
};

// The same, with everything that is retired in a batch of its own, and so many of them that one worker looks into the
// hands of the others, which run handlers.
class handling : public explorer::scenario {
 public:
  static constexpr unsigned rounds = 4;

  handling() {
    for (unsigned i = 0; i < 2; ++i) domain_.set_hazard_slot(i, hazard_slots_.at(i));
  }
  unsigned thread_count() const override { return 2; }
  void thread(unsigned i) override {
    domain_.online(i);
    hazard_slots_.at(i).let_go();
    i == 0 ? handle() : replace();
    hazard_slots_.at(i).rest();
    domain_.offline(i);
  }
  void at_end() override {
    check(domain_.retired_count() == 0, "all are offline, yet something is retired");
    unsigned freed = 0;
    for (const node& n : nodes_) freed += n.freed;
    check(freed == 2 * rounds, "a node was never freed");
  }

 private:
  // Two messages in one hold.
  void handle() {
    for (std::uint64_t n = 1; n <= 2; ++n) {
      node& now = *current_.load(std::memory_order_acquire);
      node& place = *place_.load(std::memory_order_acquire);
      ports_[0].store(reinterpret_cast<std::uintptr_t>(&place) | n, std::memory_order_relaxed);
      hazard_slots_[0].hold(&now);
      for (int uses = 0; uses < 2; ++uses) {
        use(now);
        use(place);
      }
      hazard_slots_[0].let_go();
    }
  }
  void replace() {
    for (unsigned n = 0; n < rounds; ++n) {
      swap(current_);
      swap(place_);
      domain_.quiesce(1);
    }
  }
  void swap(simulated::atomic<node*>& word) {
    domain_.retire(1, word.exchange(&nodes_.at(used_++), std::memory_order_acq_rel), &finish, nullptr);
  }
  static void use(node& n) {
    static_cast<void>(n.value.load(std::memory_order_relaxed));  // others run here
    check(n.freed == 0, "a node was freed while a handler used it");
  }
  static void finish(void* object, void*) { check(++static_cast<node*>(object)->freed == 1, "freed twice"); }

  static constexpr std::uint64_t place_mask = ~std::uint64_t{15};
  std::array<node, 2 * rounds + 2> nodes_;
  unsigned used_ = 2;
  simulated::atomic<node*> current_{nodes_.data()};
  simulated::atomic<node*> place_{nodes_.data() + 1};
  std::array<simulated::atomic<std::uint64_t>, 2> ports_;
  std::array<dispatch::hazard_slot<simulated>, 2> hazard_slots_{
      dispatch::hazard_slot<simulated>(ports_[0], place_mask), dispatch::hazard_slot<simulated>(ports_[1], place_mask)};
  dispatch::epoch_domain<simulated> domain_{2, 1, 1, 2};
};

struct two_workers : replacing {
  two_workers() : replacing(2, 2) {}
};
struct three_workers : replacing {
  three_workers() : replacing(3, 1) {}
};

struct two_workers_once : replacing {
  two_workers_once() : replacing(2, 1) {}
};
struct coming_and_going : replacing {
  coming_and_going() : replacing(3, 2) {}
};
struct often_alone : replacing_alone {
  often_alone() : replacing_alone(2, 2) {}
};
struct often_alone_of_three : replacing_alone {
  often_alone_of_three() : replacing_alone(3, 2) {}
};
struct collecting : collecting_alone {
  collecting() : collecting_alone(2, 2) {}
};
struct collecting_of_three : collecting_alone {
  collecting_of_three() : collecting_alone(3, 1) {}
};
struct once_alone : replacing_alone {
  once_alone() : replacing_alone(2, 1) {}
};

}  // namespace

TEST_CASE("epochs: nothing is freed while a worker holds it, everything when all are offline", "[dispatch][schedule]") {
  support::require_holds<two_workers>();
  support::require_holds<three_workers>();
  support::require_holds<coming_and_going>();
}

TEST_CASE("epochs: what the only worker that is online has unlinked is freed at once, and no other worker holds it",
          "[dispatch][schedule]") {
  support::require_holds<often_alone>();
  support::require_holds<often_alone_of_three>();
  support::require_holds<collecting>();
  support::require_holds<collecting_of_three>();
}

TEST_CASE("epochs: around a handler that does not end all is freed but what it uses", "[dispatch][schedule]") {
  support::require_holds<handling>();
}

TEST_CASE("epochs: in every schedule with few preemptions nothing is freed while a worker holds it",
          "[dispatch][schedule][exhaustive]") {
  TACT_REQUIRE_ALL_HOLD(3, 1, two_workers_once);
  TACT_REQUIRE_ALL_HOLD(2, 1, two_workers);
  TACT_REQUIRE_ALL_HOLD(2, 0, three_workers);
  TACT_REQUIRE_ALL_HOLD(3, 1, once_alone);
  TACT_REQUIRE_ALL_HOLD(2, 1, often_alone);
}

TEST_CASE("epochs: planted faults are found", "[dispatch][schedule]") {
  TACT_REQUIRE_FOUND(freed_one_epoch_early, two_workers);
  TACT_REQUIRE_FOUND_WITHIN(1, 0, freed_one_epoch_early, two_workers);
  TACT_REQUIRE_FOUND(freed_while_scanning, three_workers);
  TACT_REQUIRE_FOUND_WITHIN(2, 0, freed_while_scanning, three_workers);
  TACT_REQUIRE_FOUND(online_not_fenced, two_workers);
  TACT_REQUIRE_FOUND_WITHIN(1, 1, online_not_fenced, two_workers);
  TACT_REQUIRE_FOUND(online_counted_late, often_alone);
  TACT_REQUIRE_FOUND(online_counted_late, collecting);
  TACT_REQUIRE_FOUND_WITHIN(1, 0, online_counted_late, once_alone);
  TACT_REQUIRE_FOUND(online_seen_too_early, two_workers_once);
  TACT_REQUIRE_FOUND_WITHIN(2, 0, online_seen_too_early, two_workers_once);
  TACT_REQUIRE_FOUND(hands_not_looked_at, handling);
  TACT_REQUIRE_FOUND(hands_not_fenced, handling);
  TACT_REQUIRE_FOUND(hazard_left, handling);
}

}  // namespace epochs_test
