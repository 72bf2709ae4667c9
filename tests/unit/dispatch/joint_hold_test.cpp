// Which shards a thread holds, and where it writes messages for each, without an engine.
#include "dispatch/holding/joint_hold.hpp"

#include <algorithm>
#include <vector>

#include "support/catch.hpp"
#include "support/dice.hpp"
#include "support/seed.hpp"

namespace joint_hold_unit_test {

namespace {

using namespace tact;
using support::dice;

constexpr std::uint32_t shard_count = 12;
constexpr std::uint32_t offices = 4;

struct fixture {
  fixture() {
    for (std::uint32_t i = 0; i < shard_count; ++i) {
      shards[i].number = i;
      shards[i].office = i % offices;
    }
  }
  static std::vector<std::uint32_t> outbox_of_each() {
    std::vector<std::uint32_t> all;
    for (std::uint32_t i = 0; i < shard_count; ++i) all.push_back(shard_count + i % offices);
    return all;
  }
  // Of every shard: is it held, and are messages for it written into this lane, or else into its outbox?
  void check(const mailbox::copy_queue* lane) {
    for (std::uint32_t i = 0; i < shard_count; ++i) {
      const detail::queue_tail* const to = hold.tails()[i];
      CHECK(to == (hold.has(i) ? static_cast<const detail::queue_tail*>(lane) : &outboxes.at(outbox_for[i]).queue));
    }
  }

  std::vector<mailbox::shard> shards{shard_count};
  std::vector<std::uint32_t> outbox_for = outbox_of_each();
  mailbox::outbox_set outboxes{shard_count + offices};
  dispatch::joint_hold hold{outbox_for, outboxes, offices};
};

}  // namespace

TEST_CASE("joint hold: what is sent to a shard goes to the lane that is run while the shard is held, else elsewhere",
          "[dispatch]") {
  TACT_SEEDED(seed);
  fixture f;
  dice d(seed);
  for (int round = 0; round < 200; ++round) {
    f.check(nullptr);
    mailbox::shard& first = f.shards[d.below(shard_count)];
    f.hold.begin(first);
    for (unsigned steps = d.below(30); steps != 0; --steps) {
      mailbox::shard& s = f.shards[d.below(shard_count)];
      if (!f.hold.has(s.number)) f.hold.add(s);
      if (d.below(6) == 0) f.hold.remove_if([&](const mailbox::shard&) { return d.below(2) == 0; });
      if (d.below(12) == 0) f.hold.separate();
      f.check(&first.lane);
    }
    f.hold.separate();
    f.check(&first.lane);
    mailbox::shard apart;  // as for an order to end
    apart.number = first.number;
    f.hold.lead_to(apart);
    f.check(&apart.lane);
    f.hold.lead_to(first);
    f.hold.end();
  }
}

TEST_CASE("joint hold: an outbox that was never opened, or is closed, has no room", "[dispatch]") {
  fixture f;
  mailbox::depot spare;
  mailbox::chunk_store chunks(spare);
  const auto has_room = [&](std::uint32_t shard) { return f.hold.tails()[shard]->write != f.hold.tails()[shard]->end; };
  CHECK_FALSE(has_room(3));
  auto& box = f.outboxes.open(f.outbox_for[3]);
  CHECK_FALSE(has_room(3));
  box.queue.equip(chunks.take());
  CHECK(has_room(3));
  CHECK(has_room(3 + offices));  // the same office
  CHECK_FALSE(has_room(2));
  f.outboxes.flush(chunks, [](std::uint32_t, mailbox::outbox_set::outbox&) { FAIL("nothing was written"); });
  CHECK_FALSE(has_room(3));
  f.outboxes.take_counts([](std::uint32_t, std::uint64_t) {});
  CHECK_FALSE(has_room(3));
}

}  // namespace joint_hold_unit_test
