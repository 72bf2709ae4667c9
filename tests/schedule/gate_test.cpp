// The gate under every kind of schedule: sends from outside while the engine ends.
#include "actors/common/gate.hpp"

#include "support/explorer_checks.hpp"
#include "tools/explorer/simulated.hpp"

namespace gate_test {

namespace {

using namespace tact;
using explorer::check;
using explorer::simulated;

struct engine {
  simulated::atomic<std::uint32_t> sends{0};
  bool gone = false;
};

// Two threads send while a third ends the engine.
struct sending : explorer::scenario {
  engine e;
  actors::gate<simulated, engine> gate;
  sending() { gate.open(e); }
  void name(explorer::names& called) override {
    called.add(e, "engine");
    called.add(gate, "gate");
  }
  std::string thread_name(unsigned index) const override {
    return index == 0 ? "end" : "sender " + std::to_string(index);
  }
  unsigned thread_count() const override { return 3; }
  void thread(unsigned index) override { index == 0 ? end() : send(); }
  void end() {
    gate.close();
    e.gone = true;
  }
  void send() {
    for (int n = 0; n < 2; ++n) {
      engine* inside = gate.enter();
      if (inside == nullptr) continue;
      inside->sends.fetch_add(1);
      check(!inside->gone, "the engine went while a thread was inside");
      gate.leave();
    }
  }
};

}  // namespace

TEST_CASE("gate: the engine stays while a thread is inside", "[actor][schedule][law13]") {
  support::require_holds<sending>();
}

TEST_CASE("gate: in every schedule with few preemptions the engine stays while a thread is inside",
          "[actor][schedule][exhaustive]") {
  TACT_REQUIRE_ALL_HOLD(3, 0, sending);
}

TEST_CASE("gate: planted faults are found", "[actor][schedule]") {
  TACT_REQUIRE_FOUND(close_does_not_wait, sending);
  TACT_REQUIRE_FOUND_WITHIN(1, 0, close_does_not_wait, sending);
}

}  // namespace gate_test
