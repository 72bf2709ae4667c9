// Epochs under every kind of schedule, and the faults planted in them.
#include "dispatch/epoch.hpp"

#include <array>

#include "simulation/simulated.hpp"
#include "support/explorer_checks.hpp"

namespace {

using namespace tact;
using simulation::check;
using simulation::simulated;

struct node {
  simulated::atomic<std::uint32_t> value{0};
  unsigned freed = 0;
};

// Workers read the node behind a word, replace it and retire the old one, between quiescent states.
class replacing : public simulation::scenario {
 public:
  explicit replacing(unsigned workers, unsigned absences) : workers_(workers), absences_(absences) {}

  unsigned thread_count() const override { return workers_; }
  void thread(unsigned i) override {
    for (unsigned a = 0; a < absences_; ++a) {
      domain_.online(i);
      for (int n = 0; n < 2; ++n) {
        replace(i);
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

 private:
  void replace(unsigned i) {
    node* const old = current_.load(std::memory_order_acquire);
    use(*old);
    node* expected = old;
    node* const next = &nodes_.at(used_++);
    if (!current_.compare_exchange_strong(expected, next)) return;
    ++replaced_;
    domain_.retire(i, old, &finish, nullptr);
    use(*old);
  }
  static void use(node& n) {
    static_cast<void>(n.value.load(std::memory_order_relaxed));  // others run here
    check(n.freed == 0, "a node was freed while a worker held it");
  }
  static void finish(void* object, void*) { check(++static_cast<node*>(object)->freed == 1, "freed twice"); }

  const unsigned workers_;
  const unsigned absences_;
  std::array<node, 16> nodes_;
  unsigned used_ = 1;
  unsigned replaced_ = 0;
  simulated::atomic<node*> current_{nodes_.data()};
  dispatch::epoch_domain<simulated> domain_{workers_, 1, 1};
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

}  // namespace

TEST_CASE("epochs: nothing is freed while a worker holds it, everything when all are offline", "[dispatch][schedule]") {
  support::require_holds<two_workers>();
  support::require_holds<three_workers>();
  support::require_holds<coming_and_going>();
}

TEST_CASE("epochs: all of it holds in every schedule with few preemptions", "[dispatch][schedule][exhaustive]") {
  TACT_REQUIRE_ALL_HOLD(3, 1, two_workers_once);
  TACT_REQUIRE_ALL_HOLD(2, 1, two_workers);
  TACT_REQUIRE_ALL_HOLD(2, 0, three_workers);
}

TEST_CASE("epochs: planted faults are found", "[dispatch][schedule]") {
  TACT_REQUIRE_FOUND(freed_one_epoch_early, two_workers);
  TACT_REQUIRE_FOUND_WITHIN(1, 0, freed_one_epoch_early, two_workers);
  TACT_REQUIRE_FOUND(freed_while_scanning, three_workers);
  TACT_REQUIRE_FOUND_WITHIN(2, 0, freed_while_scanning, three_workers);
  TACT_REQUIRE_FOUND(online_not_fenced, two_workers);
  TACT_REQUIRE_FOUND_WITHIN(1, 1, online_not_fenced, two_workers);
}
