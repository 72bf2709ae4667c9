// A home that is shut: when behaviours that are replaced may go at once, under every kind of schedule.
#include <array>

#include "actors/cells/cell_word.hpp"
#include "dispatch/exchange/epoch.hpp"
#include "support/explorer_checks.hpp"
#include "tools/explorer/simulated.hpp"

namespace home_alone_test {

namespace {

using namespace tact;
using explorer::check;
using explorer::simulated;

struct alignas(16) behavior {
  simulated::atomic<std::uint32_t> state{0};
  unsigned freed = 0;
};
using cell_word = actors::cell_word<simulated, behavior>;

// Thread 0 holds the home shard and becomes; the others run messages that do not, where they find the home open.
class staying_alone : public explorer::scenario {
 public:
  explicit staying_alone(unsigned readers) : readers_(readers) { cell_.install_home(behaviors_.data()); }

  void name(explorer::names& called) override {
    called.add(cell_, "cell");
    for (const behavior& b : behaviors_) called.add(b, "behaviour " + std::to_string(&b - behaviors_.data()));
  }
  unsigned thread_count() const override { return 1 + readers_; }
  void thread(unsigned i) override {
    domain_.online(i);
    i == 0 ? hold_home() : read(i);
    domain_.offline(i);
  }
  void at_end() override {
    check(domain_.retired_count() == 0, "all are offline, yet something is retired");
    for (unsigned n = 0; n < becomes; ++n) check(behaviors_.at(n).freed == 1, "a behaviour was never freed");
    check(behaviors_.at(becomes).freed == 0 && cell_.load().is_untagged(), "the last behaviour is gone");
  }

 private:
  static constexpr unsigned becomes = 6;

  void hold_home() {
    for (unsigned n = 1; n < becomes - 1; ++n) {
      become(n);
      if (n == 2) cell_.shut_home(cell_.load());
      domain_.quiesce(0);
    }
    cell_.open_home(cell_.load());
    become(becomes - 1);
    become(becomes);
    cell_.leave_home(cell_.load());
  }
  void become(unsigned next) {
    const cell_word::value seen = cell_.load();
    cell_.replace(seen, &behaviors_.at(next));
    if (!seen.is_sole()) return domain_.retire(0, seen.closure(), &finish, nullptr);
    finish(seen.closure(), nullptr);
  }
  void read(unsigned i) {
    for (int n = 0; n < 2; ++n) {
      const cell_word::value seen = cell_.load();
      if (seen.is_untagged() || seen.is_open_home()) use(*seen.closure());
      domain_.quiesce(i);
    }
  }
  static void use(behavior& b) {
    for (int n = 0; n < 2; ++n) {
      static_cast<void>(b.state.load(std::memory_order_relaxed));  // others run here
      check(b.freed == 0, "a behaviour was freed while a worker ran it");
    }
  }
  static void finish(void* object, void*) {
    check(++static_cast<behavior*>(object)->freed == 1, "a behaviour was freed twice");
  }

  const unsigned readers_;
  std::array<behavior, becomes + 1> behaviors_;
  cell_word cell_;
  dispatch::epoch_domain<simulated> domain_{1 + readers_, 1, 1};
};

struct one_reader : staying_alone {
  one_reader() : staying_alone(1) {}
};
struct two_readers : staying_alone {
  two_readers() : staying_alone(2) {}
};

}  // namespace

TEST_CASE("home: while it is shut nobody else looks at a behaviour, and what is replaced goes at once",
          "[actor][schedule]") {
  support::require_holds<one_reader>();
  support::require_holds<two_readers>();
}

TEST_CASE("home: in every schedule with few preemptions nobody else looks at a behaviour while its home is shut",
          "[actor][schedule][exhaustive]") {
  TACT_REQUIRE_ALL_HOLD(2, 1, one_reader);
}

TEST_CASE("home: planted faults are found", "[actor][schedule]") {
  TACT_REQUIRE_FOUND(shut_not_looked_at, one_reader);
  TACT_REQUIRE_FOUND_WITHIN(2, 0, shut_not_looked_at, one_reader);
  TACT_REQUIRE_FOUND(sole_too_early, one_reader);
  TACT_REQUIRE_FOUND_WITHIN(2, 0, sole_too_early, one_reader);
}

}  // namespace home_alone_test
