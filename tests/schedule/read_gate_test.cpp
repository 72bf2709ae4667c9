// The gate before the map of a store file under every kind of schedule: threads read while another one changes the map.
#include "store/disk/read_gate.hpp"

#include "support/explorer_checks.hpp"
#include "tools/explorer/simulated.hpp"

namespace read_gate_test {

namespace {

using namespace tact;
using explorer::check;
using explorer::simulated;

// Thread 0 changes the map twice; the others read, on stripes of their own.
struct growth : explorer::scenario {
  lmdb::read_gate<simulated, 2> gate;
  simulated::atomic<unsigned> reads{0};
  unsigned map = 0;  // which one there is

  void name(explorer::names& called) override {
    called.add(gate, "gate");
    called.add(reads, "reads");
  }
  std::string thread_name(unsigned index) const override {
    return index == 0 ? "growth" : "reader " + std::to_string(index);
  }
  unsigned thread_count() const override { return 3; }
  void thread(unsigned index) override { index == 0 ? grow() : read(index - 1); }

  void grow() {
    for (int n = 0; n < 2; ++n) {
      const bool alone = gate.shut([] {
        simulated::pause();
        return true;
      });
      check(alone, "the gate was given up");
      ++map;
      gate.open();
    }
  }
  void read(unsigned stripe) {
    for (int n = 0; n < 2; ++n) {
      if (!gate.try_enter(stripe)) continue;
      const unsigned found = map;
      reads.fetch_add(1);
      check(map == found, "the map has gone while a thread was reading");
      gate.leave(stripe);
    }
  }
};

}  // namespace

TEST_CASE("read gate: the map stays while a thread reads", "[store][schedule]") { support::require_holds<growth>(); }

TEST_CASE("read gate: in every schedule with few preemptions the map stays while a thread reads",
          "[store][schedule][exhaustive]") {
  TACT_REQUIRE_ALL_HOLD(2, 0, growth);
}

TEST_CASE("read gate: planted faults are found", "[store][schedule]") {
  TACT_REQUIRE_FOUND(gate_looked_at_first, growth);
  TACT_REQUIRE_FOUND_WITHIN(2, 0, gate_looked_at_first, growth);
}

}  // namespace read_gate_test
