// Outboxes, and what they keep when nothing is sent.
#include "mailbox/outbox_set.hpp"

#include <map>

#include "mailbox/inbox.hpp"
#include "support/catch.hpp"
#include "support/counted.hpp"
#include "tact/detail/message_type.hpp"

namespace outbox_set_test {

namespace {

using namespace tact::mailbox;

constexpr std::uint32_t shards = 10'000;

using tact::support::counted;

void put(copy_queue& q, int number, chunk_store& chunks) {
  const auto& type = tact::detail::message_type_of<counted>;
  auto* const e = new (q.reserve(type.slot_count(), chunks)) envelope(type, 0);
  new (e->payload()) counted(number);
}

}  // namespace

TEST_CASE("outbox_set: what was published is counted until the counts are taken, once", "[mailbox]") {
  outbox_set boxes(shards);
  CHECK_FALSE(boxes.was_used());
  static_cast<void>(boxes.open(7));
  CHECK(boxes.was_used());
  boxes.count_published(7, 3);
  boxes.count_published(shards - 1, 4);
  boxes.count_published(7, 2);
  CHECK(boxes.published(7) == 5);
  for (int times = 0; times < 2; ++times) {  // with an open outbox, and without one
    std::map<std::uint32_t, std::uint64_t> kept;
    boxes.take_counts([&](std::uint32_t shard, std::uint64_t messages) { kept[shard] = messages; });
    if (times == 0) CHECK(kept == std::map<std::uint32_t, std::uint64_t>{{7, 5}, {shards - 1, 4}});
    if (times == 1) CHECK(kept == std::map<std::uint32_t, std::uint64_t>{{8, 1}});
    CHECK(boxes.published(7) == 0);
    CHECK(boxes.is_open(7) == (times == 0));
    CHECK(boxes.was_used() == (times == 0));
    if (times == 1) break;
    depot spare;
    chunk_store chunks(spare);
    boxes.flush(chunks, [](std::uint32_t, outbox_set::outbox&) { FAIL("nothing was written"); });
    boxes.count_published(8, 1);
  }
}

TEST_CASE("outbox_set: an outbox that is closed keeps no chunk, and is as new when it is opened again", "[mailbox]") {
  depot spare;
  {
    chunk_store chunks(spare);
    outbox_set boxes(shards);
    for (int round = 0; round < 3; ++round) {
      for (std::uint32_t shard = 0; shard < 100; ++shard) {
        outbox_set::outbox& box = boxes.open(shard * 97);
        CHECK_FALSE(box.queue.has_chunks());
        put(box.queue, 1, chunks);
        if (shard % 2 == 0) CHECK(box.queue.cut_all(chunks) == 1);  // as an aborted run does
      }
      int published = 0;
      boxes.flush(chunks, [&](std::uint32_t shard, outbox_set::outbox& box) {
        ++published;
        CHECK(shard % 2 == 1);
        CHECK(box.queue.cut_all(chunks) == 1);
        box.queue.recycle(chunks);
      });
      CHECK(published == 50);
      CHECK(boxes.nothing_open());
      boxes.take_counts([](std::uint32_t, std::uint64_t) {});
    }
    chunks.trim(0);
  }
  spare.trim();
  CHECK(spare.chunks_held() == 0);
}

TEST_CASE("inbox: its spare chunk is taken only while nothing waits", "[mailbox]") {
  depot spare;
  chunk_store chunks(spare);
  inbox in;
  CHECK(in.take_spare() == nullptr);
  static_cast<void>(in.take(chunks.take(), 1));
  chunk* const left = in.take_spare();
  REQUIRE(left != nullptr);
  CHECK(in.take_spare() == nullptr);
  chunks.give(left);
}

}  // namespace outbox_set_test
