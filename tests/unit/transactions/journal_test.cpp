// Journals on one thread: what is staged where, and that a cut leaves no trace.
#include "transactions/journal.hpp"

#include <vector>

#include "support/catch.hpp"
#include "support/counted.hpp"
#include "support/dice.hpp"
#include "support/seed.hpp"
#include "tact/detail/message_type.hpp"

namespace journal_test {

namespace {

using namespace tact::mailbox;
using tact::support::counted;
using tact::support::dice;
using tact::transactions::journal;

const auto& type = tact::detail::message_type_of<counted>;

constexpr std::uint32_t shards = 5;
constexpr std::uint32_t to_lane = shards;  // where a message goes
constexpr std::uint32_t to_aside = shards + 1;
constexpr std::uint32_t places = shards + 2;
constexpr int current = -7;

struct fixture {
  fixture() {
    put_current();
    j.enter(lane);
  }
  ~fixture() {
    static_cast<void>(drain(lane));
    CHECK(counted::alive == 0);
  }

  // A run always finds the message that it runs for in the lane.
  void put_current() {
    new ((new (lane.reserve(type.slot_count(), chunks)) envelope(type, 0))->payload()) counted(current);
  }

  void stage(std::uint32_t where, int number) {
    void* place = where == to_lane    ? j.to_lane(type.slot_count())
                  : where == to_aside ? j.to_aside(type.slot_count())
                                      : j.to_outbox(where, type.slot_count());
    new ((new (place) envelope(type, where))->payload()) counted(number);
  }
  std::vector<int> drain(copy_queue& q) {
    std::vector<int> all;
    while (!q.empty()) {
      envelope& e = q.front();
      const unsigned slots = e.slots();
      all.push_back(static_cast<counted*>(e.message())->number);
      e.end_handled();
      q.pop(slots, chunks);
    }
    return all;
  }
  // What was published to each place.
  std::vector<std::vector<int>> publish() {
    std::vector<std::vector<int>> all(places);
    outboxes.flush(chunks, [&](std::uint32_t shard, outbox_set::outbox& box) {
      copy_queue q;
      q.append(box.queue.take().oldest, chunks);
      all[shard] = drain(q);
      q.recycle(chunks);
    });
    all[to_lane] = drain(lane);
    REQUIRE(all[to_lane].front() == current);
    all[to_lane].erase(all[to_lane].begin());
    put_current();
    all[to_aside] = drain(j.aside());
    return all;
  }
  void abort() {
    j.cut();
    j.conclude();
  }

  depot spare;
  chunk_store chunks{spare};
  outbox_set outboxes{shards};
  copy_queue lane;
  tact::detail::run window;
  journal j{window, outboxes, chunks, shards};
};

}  // namespace

TEST_CASE("journal: what is staged is published in order where it was sent, and only what was not cut",
          "[transaction]") {
  TACT_SEEDED(seed);
  fixture f;
  dice d(seed);
  int next = 0;
  for (int batch = 0; batch < 300; ++batch) {
    std::vector<std::vector<int>> model(places);
    std::uint64_t counted_aside = 0;
    const std::uint64_t sent_before = f.window.sent();
    for (unsigned runs = d.below(12); runs != 0; --runs) {
      journal::begin(f.window);
      auto kept = model;
      std::size_t staged = 0;
      std::uint64_t aside = 0;
      for (unsigned n = d.below(d.below(10) == 0 ? 300 : 6); n != 0; --n) {
        const auto where = d.below(places);
        // The caller empties what lies aside at each commit; here it is left for the end of the batch, and then no run
        // after it is cut.
        if (where == to_aside && runs != 1) continue;
        f.stage(where, next);
        model[where].push_back(next++);
        aside += where == to_aside;
        ++staged;
      }
      std::size_t seen = 0;
      f.j.for_each_staged([&](envelope&) { ++seen; });
      REQUIRE(seen == staged);
      if (d.below(3) == 0) {
        f.abort();
        model = std::move(kept);
      } else {
        counted_aside += aside;
        f.j.conclude();
      }
    }
    std::size_t total = 0;
    for (const auto& place : model) total += place.size();
    REQUIRE(f.window.sent() - sent_before == total - counted_aside);
    REQUIRE(f.publish() == model);
    REQUIRE(counted::alive == 1);  // the message that runs
  }
}

TEST_CASE("journal: a run can be cut several times and go on", "[transaction]") {
  fixture f;
  journal::begin(f.window);
  for (std::uint32_t p = 0; p < places; ++p) f.stage(p, 1);
  f.abort();
  CHECK(counted::alive == 1);  // the message that runs
  for (std::uint32_t p = 0; p < places; ++p) f.stage(p, 2);
  f.abort();
  for (std::uint32_t p = 0; p < places; ++p) f.stage(p, 3);
  for (const auto& place : f.publish()) CHECK(place == std::vector<int>{3});
}

TEST_CASE("journal: the last become wins, also over an end, and an end over the becomes before it", "[transaction]") {
  fixture f;
  tact::detail::closure first, second, third;
  journal::begin(f.window);
  CHECK(f.j.plain());
  CHECK(f.j.become(&first) == nullptr);
  CHECK(f.j.become(&second) == &first);
  CHECK(f.j.next() == &second);
  CHECK(f.j.changes_actor());
  CHECK_FALSE(f.j.plain());
  f.j.stop({tact::allocation::finished});
  CHECK(f.j.stops());
  CHECK(f.j.how().how == tact::allocation::finished);
  CHECK(f.j.become(&third) == &second);
  CHECK_FALSE(f.j.stops());
  f.j.conclude();
  CHECK(f.j.plain());
  CHECK_FALSE(f.j.changes_actor());
  journal::begin(f.window);
  f.j.stop({tact::allocation::delete_});
  CHECK(f.j.changes_actor());
  f.abort();
  CHECK_FALSE(f.j.changes_actor());
}

TEST_CASE("journal: creations get their behaviour in any order, and are forgotten with the run", "[transaction]") {
  fixture f;
  tact::detail::closure a, b;
  journal::begin(f.window);
  for (tact::detail::port address = 64; address <= 192; address += 64) {
    if (f.j.is_full()) f.j.make_room_for_creation();
    f.j.create({address, nullptr});
  }
  CHECK(f.j.install(64, a));
  CHECK(f.j.install(192, b));
  CHECK_FALSE(f.j.plain());
  const auto& made = f.j.creations();
  REQUIRE(made.size() == 3);
  CHECK(made[0].behavior == &a);
  CHECK(made[1].behavior == nullptr);
  CHECK(made[2].behavior == &b);
  f.abort();
  CHECK(f.j.creations().empty());
  CHECK(f.j.plain());
}

}  // namespace journal_test
