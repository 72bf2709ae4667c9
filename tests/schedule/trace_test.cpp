// Traces say in words which thread did what to which word.
#include <array>

#include "schedule/small_scenarios.hpp"

namespace trace_test {

namespace {

using namespace tact;
using namespace tact::schedule;

struct parcel {
  alignas(8) unsigned weight = 0;
};

// A clerk puts a parcel on a shelf, with a tag in the low bits, and a carrier who did not look drops it.
struct warehouse : two_threads {
  parcel heavy;
  struct {
    simulated::atomic<std::uint64_t> right{0}, left{0};
  } shelves;
  word bell;

  std::string thread_name(unsigned i) const override { return i == 0 ? "clerk" : "carrier"; }
  void name(explorer::names& called) override {
    called.add(heavy, "heavy parcel");
    called.add(shelves, "shelves");
    called.add(shelves.right, "right shelf");
  }
  void thread(unsigned i) override {
    if (i == 0) {
      std::uint64_t seen = 0;
      shelves.right.compare_exchange_strong(seen, reinterpret_cast<std::uintptr_t>(&heavy) | 1);
      shelves.left.exchange(0xabcd'0123'4567);
      bell.fetch_add(1);
    } else {
      std::uint64_t seen = 0;
      while (bell.load() == 0) simulated::pause();
      shelves.right.compare_exchange_strong(seen, 0);
      bell.store(0, std::memory_order_relaxed);
      check(seen == 0, "dropped");
    }
  }
};

struct long_story : two_threads {
  word n;
  void thread(unsigned i) override {
    for (std::uint32_t k = 0; i == 0 && k < 1'000; ++k) n.store(k);
    while (i == 1 && n.load() != 999) simulated::pause();
    check(i == 0, "the end");
  }
};

template <class Scenario>
explorer::result exhaust(unsigned preemptions, unsigned late_stores) {
  explorer::bounds b;
  b.preemptions = preemptions;
  b.late_stores = late_stores;
  return explorer::exhaust(b, [] { return std::make_unique<Scenario>(); });
}

bool says(const explorer::result& r, const std::string& line) { return r.trace.find(line) != std::string::npos; }

}  // namespace

TEST_CASE("trace: names threads, words and what they hold, with the values before and after", "[explorer]") {
  const explorer::result r = exhaust<warehouse>(0, 0);
  REQUIRE(r.trace ==
          "  clerk: compare_exchange right shelf 0 -> heavy parcel|1\n"
          "  clerk: exchange shelves+16 0 -> 0xabcd01234567\n"
          "  clerk: fetch_add w0 0 -> 1\n"
          "\n"
          "  carrier: load w0 1\n"
          "  carrier: compare_exchange (failed) right shelf heavy parcel|1\n"
          "  carrier: store w0 0\n");
}

TEST_CASE("trace: says which thread was preempted, and which stores came late", "[explorer]") {
  const explorer::result one = exhaust<unlocked_count>(1, 0);
  REQUIRE(says(one, "  thread 0: load w0 0\n  thread 0: (is preempted)\n\n  thread 1: "));
  const explorer::result late = exhaust<relaxed_flags>(0, 1);
  REQUIRE(says(late, "  thread 0: store (buffered) w0 1\n"));
}

TEST_CASE("trace: of a long one the beginning and the end are told", "[explorer]") {
  const explorer::result r = exhaust<long_story>(0, 0);
  REQUIRE(r.text == "the end");
  REQUIRE(says(r, "thread 0: store w0 0\n"));
  REQUIRE(says(r, "lines are left out)\n"));
  REQUIRE(says(r, "thread 1: load w0 999\n"));
  REQUIRE(std::count(r.trace.begin(), r.trace.end(), '\n') < 420);
}

}  // namespace trace_test
