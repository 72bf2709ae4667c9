// The ring of events under every kind of schedule: it is copied while its writer goes round.
#include "inspect/event_ring.hpp"

#include <array>
#include <cstdint>
#include <string>

#include "support/explorer_checks.hpp"
#include "tools/explorer/simulated.hpp"

namespace event_ring_test {

namespace {

using namespace tact;
using explorer::check;
using explorer::simulated;
using ring_type = inspect::event_ring<simulated>;

struct shape {
  unsigned events;  // that the ring has room for
  unsigned block;
  unsigned written;   // by thread 0, in all
  unsigned readers;   // the other threads
  unsigned readings;  // of each of them
};

// Thread 0 writes, the others read. Each word of an event says the number of this event.
template <shape Shape>
struct copied : explorer::scenario {
  ring_type ring{Shape.events, Shape.block};
  std::uint64_t begun = 0;                             // events that the writer has begun to write
  std::array<ring_type::reading, Shape.readers> last;  // what each reader has read last

  void name(explorer::names& called) override { called.add(ring, "ring"); }
  unsigned thread_count() const override { return 1 + Shape.readers; }
  std::string thread_name(unsigned index) const override {
    return index == 0 ? "writer" : "reader " + std::to_string(index);
  }
  void thread(unsigned index) override {
    if (index == 0) return write();
    for (unsigned i = 0; i < Shape.readings; ++i) read(last.at(index - 1));
  }
  void at_end() override {
    const ring_type::reading all = ring.read();
    check_whole(all);
    check_no_more_dropped(all);
    check(end_of(all) == Shape.written, "a read after the end has not the newest event");
    check(all.events.size() + Shape.block > Shape.events || all.first == 0, "too little is left at the end");
    for (const ring_type::reading& one : last) check_goes_forward(one, all);
  }

  void write() {
    for (std::uint64_t n = 0; n < Shape.written; ++n) {
      begun = n + 1;
      ring.write(event(n));
    }
  }
  void read(ring_type::reading& before) {
    const ring_type::reading now = ring.read();
    check_whole(now);
    check_no_more_dropped(now);
    check_goes_forward(before, now);
    before = now;
  }

  // No event has the words of a ring that is new.
  static inspect::event_words event(std::uint64_t n) { return {n + 1, n + 1, n + 1, n + 1}; }
  static std::uint64_t end_of(const ring_type::reading& r) { return r.first + r.events.size(); }

  static void check_whole(const ring_type::reading& r) {
    for (std::uint64_t i = 0; i < r.events.size(); ++i) {
      const inspect::event_words& e = r.events[i];
      check(e[0] == e[1] && e[1] == e[2] && e[2] == e[3], "an event was kept that is not whole");
      check(e == event(r.first + i), "an event was kept that is another one");
    }
  }
  // What the writer has announced is less than a block more than what it has begun to overwrite.
  void check_no_more_dropped(const ring_type::reading& r) const {
    check(r.first == 0 || r.first + Shape.events < begun + Shape.block, "an event was dropped that is still there");
    check(end_of(r) <= begun, "an event was read before it was written");
  }
  static void check_goes_forward(const ring_type::reading& before, const ring_type::reading& now) {
    check(before.first <= now.first, "an event that was gone is there again");
    check(end_of(before) <= end_of(now), "an event that was there is not written yet");
  }
};

// The writer comes round, and overwrites.
using overtaken = copied<shape{.events = 4, .block = 2, .written = 7, .readers = 1, .readings = 2}>;
using overtaken_twice = copied<shape{.events = 4, .block = 2, .written = 7, .readers = 2, .readings = 1}>;
using read_often = copied<shape{.events = 4, .block = 2, .written = 10, .readers = 2, .readings = 3}>;
using smallest = copied<shape{.events = 2, .block = 1, .written = 4, .readers = 1, .readings = 2}>;
using smallest_of_two = copied<shape{.events = 2, .block = 1, .written = 4, .readers = 2, .readings = 1}>;
// The writer stops before it would overwrite.
using filled = copied<shape{.events = 4, .block = 2, .written = 4, .readers = 2, .readings = 2}>;

}  // namespace

TEST_CASE("event ring: an event that is read is whole, and is the one of its number", "[inspect][schedule]") {
  support::require_holds<overtaken>();
  support::require_holds<overtaken_twice>();
  support::require_holds<smallest>();
}

TEST_CASE("event ring: readings go forward, whatever is overwritten meanwhile", "[inspect][schedule]") {
  support::require_holds<read_often>();
}

TEST_CASE("event ring: no event is dropped that is still there, and after the end the newest are read",
          "[inspect][schedule]") {
  support::require_holds<filled>();
  support::require_holds<smallest_of_two>();
}

TEST_CASE(
    "event ring: in every schedule with few preemptions an event that is read is whole, and none is dropped in vain",
    "[inspect][schedule][exhaustive]") {
  TACT_REQUIRE_ALL_HOLD(6, 0, smallest);
  TACT_REQUIRE_ALL_HOLD(5, 0, overtaken);
  TACT_REQUIRE_ALL_HOLD(4, 0, overtaken_twice);
}

TEST_CASE("event ring: planted faults are found", "[inspect][schedule]") {
  TACT_REQUIRE_FOUND(ring_overwrites_unsaid, overtaken);
  TACT_REQUIRE_FOUND_WITHIN(1, 0, ring_overwrites_unsaid, overtaken);
  TACT_REQUIRE_FOUND(ring_overwrites_unsaid, smallest);
  TACT_REQUIRE_FOUND_WITHIN(1, 0, ring_overwrites_unsaid, smallest);
}

}  // namespace event_ring_test
