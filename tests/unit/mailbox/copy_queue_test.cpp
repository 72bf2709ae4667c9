// Copy queues: first in first out over any number of chunks, and cut back without a trace.
#include "mailbox/copy_queue.hpp"

#include <array>
#include <deque>
#include <vector>

#include "mailbox/chunk_memory.hpp"
#include "mailbox/inbox.hpp"
#include "support/catch.hpp"
#include "support/counted.hpp"
#include "support/dice.hpp"
#include "support/seed.hpp"
#include "tact/detail/message_type.hpp"

namespace copy_queue_test {

namespace {

using namespace tact::mailbox;
using tact::support::counted;
using tact::support::dice;

struct wide : counted {
  using counted::counted;
  std::array<char, 60> load{};
};

template <class M = counted>
void put(copy_queue& q, int number, chunk_store& store) {
  const auto& type = tact::detail::message_type_of<M>;
  auto* e = new (q.reserve(type.slot_count(), store)) envelope(type, 0);
  new (e->payload()) M(number);
}
void put_any(copy_queue& q, int number, chunk_store& store) {
  number % 3 == 0 ? put<wide>(q, number, store) : put(q, number, store);
}
int get(copy_queue& q, chunk_store& store) {
  envelope& e = q.front();
  const unsigned slots = e.slots();
  const int number = static_cast<counted*>(e.message())->number;
  e.end_handled();
  q.pop(slots, store);
  return number;
}

struct fixture {
  fixture() { REQUIRE(counted::alive == 0); }
  ~fixture() { CHECK(counted::alive == 0); }
  depot shared;
  chunk_store store{shared};
};

constexpr int many = 1000;  // several chunks

// Where the queue ends, to be cut back to there; it gets a chunk if it has none.
std::byte* end_of(copy_queue& q, chunk_store& store) {
  if (!q.has_chunks()) q.equip(store.take());
  return q.write;
}

}  // namespace

TEST_CASE("copy queue: gives back in order what was put, across chunks", "[mailbox]") {
  fixture f;
  copy_queue q;
  CHECK(q.empty());
  for (int round = 0; round < 3; ++round) {
    for (int i = 0; i < many; ++i) put_any(q, i, f.store);
    CHECK(q.has_more_chunks());
    for (int i = 0; i < many; ++i) REQUIRE(get(q, f.store) == i);
    CHECK(q.empty());
  }
  // An empty queue fills its only chunk from the beginning again.
  const auto held = f.shared.chunks_held();
  for (int i = 0; i < 100 * many; ++i) {
    put(q, i, f.store);
    REQUIRE(get(q, f.store) == i);
  }
  CHECK(f.shared.chunks_held() == held);
}

TEST_CASE("copy queue: is cut back to any mark, and ends what it cuts", "[mailbox]") {
  fixture f;
  for (const int before : {0, 1, 5, 200, many}) {
    for (const int after : {0, 1, 7, 300, many}) {
      copy_queue q;
      for (int i = 0; i < before; ++i) put_any(q, i, f.store);
      std::byte* const mark = end_of(q, f.store);
      for (int i = 0; i < after; ++i) put_any(q, -1, f.store);
      int since = 0;
      q.for_each_since(mark, [&](envelope& e) { since += static_cast<counted*>(e.message())->number == -1; });
      CHECK(since == after);
      q.cut(mark, f.store);
      REQUIRE(counted::alive == before);
      for (int i = 0; i < 50; ++i) put_any(q, before + i, f.store);
      for (int i = 0; i < before + 50; ++i) REQUIRE(get(q, f.store) == i);
      CHECK(q.empty());
      q.recycle(f.store);
    }
  }
}

TEST_CASE("copy queue: chunks that are taken out and appended elsewhere keep their order", "[mailbox]") {
  fixture f;
  copy_queue lane, outbox;
  int next = 0;
  int expected = 0;
  for (int round = 0; round < 20; ++round) {
    for (int i = 0; i < round * 30; ++i) put_any(outbox, next++, f.store);
    const auto chain = outbox.take();
    CHECK(outbox.empty());
    lane.append(chain.oldest, f.store);
    for (int i = 0; i < round * 20; ++i) REQUIRE(get(lane, f.store) == expected++);
  }
  CHECK(messages_in_head(lane) > 0);
  while (!lane.empty()) REQUIRE(get(lane, f.store) == expected++);
  CHECK(expected == next);
  lane.append(nullptr, f.store);
  CHECK(lane.empty());
}

// Senders that publish a message or two at a time must not make a lane of many times the size of its messages.
TEST_CASE("copy queue: appended chunks take at most four times the memory of what is in them", "[mailbox]") {
  fixture f;
  const int in_each = GENERATE(1, 5, 40, 60);
  copy_queue lane;
  for (int i = 0; i < many; i += in_each) {
    copy_queue box;
    for (int n = i; n < i + in_each; ++n) put(box, n, f.store);
    lane.append(box.take().oldest, f.store);
  }
  const auto all = lane.take();
  std::size_t chunks = 0;
  for (const chunk* c = all.oldest; c != nullptr; c = c->next) ++chunks;
  const std::size_t slots = many * tact::detail::message_type_of<counted>.slot_count();
  CHECK(chunks <= 4 * slots / chunk::capacity_slots + 1);
  lane.begin_with(all);
  for (int i = 0; !lane.empty(); ++i) REQUIRE(get(lane, f.store) == i);
  lane.recycle(f.store);
}

namespace {

void put_for(copy_queue& q, tact::detail::port actor, chunk_store& store) {
  const auto& type = tact::detail::message_type_of<counted>;
  new ((new (q.reserve(type.slot_count(), store)) envelope(type, actor))->payload()) counted(0);
}
// As they are published, and taken by the holder of an office.
void publish(copy_queue& from, copy_queue& to, chunk_store& store) {
  const auto all = from.take();
  for (chunk* c = all.oldest; c != nullptr; c = c->next) c->find_only_target();
  to.append(all.oldest, store);
}
void end_all(copy_queue& q, chunk_store& store) {
  while (!q.empty()) get(q, store);
  q.recycle(store);
}

constexpr tact::detail::port seventh = 7 << 6;
constexpr tact::detail::port eighth = 8 << 6;
constexpr unsigned enough = 60;  // messages that are not copied when their chunk is appended

}  // namespace

TEST_CASE("copy queue: a chunk is known to be for one actor only if every message is for that actor", "[mailbox]") {
  fixture f;
  copy_queue box, q;
  for (unsigned i = 0; i < enough; ++i) put_for(box, seventh + i % 3, f.store);
  const bool other = GENERATE(false, true);
  if (other) put_for(box, eighth, f.store);
  put_for(box, seventh, f.store);
  publish(box, q, f.store);
  REQUIRE(q.only_target_of_head() == (other ? chunk::several : seventh));
  SECTION("one was popped") { get(q, f.store); }
  SECTION("one was added behind them") { put_for(q, seventh, f.store); }
  SECTION("the last one was cut off") { CHECK(q.cut(q.write - slot_bytes, f.store) == 1); }
  SECTION("few were copied behind them, and a chunk came behind these") {
    put_for(box, eighth, f.store);
    publish(box, q, f.store);
    CHECK_FALSE(q.has_more_chunks());
    for (unsigned i = 0; i < enough; ++i) put_for(box, eighth, f.store);
    publish(box, q, f.store);
    CHECK(q.has_more_chunks());
  }
  CHECK(q.only_target_of_head() == chunk::several);
  end_all(q, f.store);
}

TEST_CASE("copy queue: what will be published knows of its full chunks whether they are for one actor", "[mailbox]") {
  fixture f;
  const bool other = GENERATE(false, true);
  copy_queue box;
  box.will_be_published();
  const unsigned in_chunk = chunk::capacity_slots / tact::detail::message_type_of<counted>.slot_count();
  for (unsigned i = 0; i < in_chunk; ++i) put_for(box, other && i == in_chunk - 1 ? eighth : seventh, f.store);
  CHECK(box.only_target_of_head() == chunk::several);  // it is not left yet
  put_for(box, seventh, f.store);
  const auto all = box.take();
  REQUIRE(all.oldest != all.newest);
  CHECK(all.oldest->only_target == (other ? chunk::several : seventh));
  CHECK(all.newest->only_target == chunk::several);  // the thread that publishes looks
  box.begin_with(all);
  end_all(box, f.store);
}

TEST_CASE("copy queue: a full chunk of which something was cut off is not known to be for one actor", "[mailbox]") {
  fixture f;
  copy_queue box;
  box.will_be_published();
  put_for(box, seventh, f.store);
  std::byte* const second = box.write;
  while (!box.has_more_chunks()) put_for(box, seventh, f.store);
  CHECK(box.cut(second, f.store) != 0);
  const auto all = box.take();
  REQUIRE(all.oldest == all.newest);
  CHECK(all.oldest->only_target == chunk::several);
  box.begin_with(all);
  end_all(box, f.store);
}

TEST_CASE("copy queue: a chunk counts its messages, however they came and whatever was cut off", "[mailbox]") {
  TACT_SEEDED(seed);
  fixture f;
  dice d(seed);
  for (int round = 0; round < 200; ++round) {
    copy_queue q;
    std::uint64_t model = 0;
    for (unsigned steps = d.below(12); steps != 0; --steps) {
      const unsigned n = d.below(d.below(4) == 0 ? 300 : 9);
      switch (d.below(3)) {
        case 0:
          for (unsigned i = 0; i < n; ++i) put_any(q, static_cast<int>(d.below(100)), f.store);
          model += n;
          break;
        case 1: {
          std::byte* const mark = end_of(q, f.store);
          for (unsigned i = 0; i < n; ++i) put_any(q, static_cast<int>(d.below(100)), f.store);
          REQUIRE(q.cut(mark, f.store) == n);
          break;
        }
        default: {
          copy_queue box;
          for (unsigned i = 0; i < n; ++i) put_any(box, static_cast<int>(d.below(100)), f.store);
          q.append(box.take().oldest, f.store);
          model += n;
        }
      }
    }
    const auto all = q.take();
    REQUIRE(messages_in(all.oldest) == model);
    if (all.oldest != nullptr) q.begin_with(all);
    end_all(q, f.store);
  }
}

TEST_CASE("copy queue: the chunk that is read is taken out, and the rest keeps its order", "[mailbox]") {
  fixture f;
  copy_queue q, taken;
  for (int i = 0; i < many; ++i) put_any(q, i, f.store);
  const std::size_t slots = q.slots_waiting();
  taken.append(q.take_head(), f.store);
  CHECK(taken.slots_waiting() + q.slots_waiting() == slots);
  int next = 0;
  while (!taken.empty()) REQUIRE(get(taken, f.store) == next++);
  while (q.has_more_chunks()) taken.append(q.take_head(), f.store);
  while (!taken.empty()) REQUIRE(get(taken, f.store) == next++);
  taken.append(q.take_head(), f.store);
  CHECK(q.empty());
  while (!taken.empty()) REQUIRE(get(taken, f.store) == next++);
  CHECK(next == many);
  taken.recycle(f.store);
}

TEST_CASE("copy queue: behaves like a deque under random operations", "[mailbox]") {
  TACT_SEEDED(seed);
  fixture f;
  dice d(seed);
  copy_queue q;
  std::deque<int> model;
  int next = 0;
  for (int step = 0; step < 20'000; ++step) {
    switch (d.below(4)) {
      case 0:
      case 1:
        for (unsigned n = d.below(d.below(20) == 0 ? 400 : 8); n != 0; --n) {
          put_any(q, next, f.store);
          model.push_back(next++);
        }
        break;
      case 2:
        for (unsigned n = d.below(d.below(20) == 0 ? 500 : 10); n != 0 && !model.empty(); --n) {
          REQUIRE(get(q, f.store) == model.front());
          model.pop_front();
        }
        break;
      case 3: {  // a run that is aborted
        std::byte* const mark = end_of(q, f.store);
        for (unsigned n = d.below(d.below(20) == 0 ? 400 : 8); n != 0; --n) put_any(q, -1, f.store);
        q.cut(mark, f.store);
        break;
      }
    }
    REQUIRE(q.empty() == model.empty());
    REQUIRE(counted::alive == static_cast<int>(model.size()));
  }
  while (!q.empty()) static_cast<void>(get(q, f.store));
}

TEST_CASE("inbox: says when it was empty, and is taken whole, in order", "[mailbox]") {
  fixture f;
  inbox in;
  copy_queue lane;
  for (int round = 0; round < 3; ++round) {
    for (int i = 0; i < many; ++i) {
      alignas(counted) std::byte room[slot_bytes];  // an inbox copies more than a small message
      auto* payload = new (room) counted(i);
      const auto receipt = in.put(tact::detail::message_type_of<counted>, 0, payload, f.shared);
      CHECK(receipt.how == (i == 0 ? inbox::entry::first : inbox::entry::later));
      CHECK(receipt.behind_ns == static_cast<std::uint64_t>(i + 1) * (round == 0 ? inbox::slow_ns : 7u));
    }
    CHECK(in.sent() == static_cast<std::uint64_t>(round + 1) * many);
    // With a spare chunk for what comes next, or without.
    chunk* const taken = in.take(round == 1 ? f.shared.take() : nullptr, 7);
    CHECK(taken->next != nullptr);
    CHECK(messages_in(taken) == many);  // each chunk says how many it has
    lane.append(taken, f.store);
    for (int i = 0; i < many; ++i) REQUIRE(get(lane, f.store) == i);
    CHECK(lane.empty());
  }
}

TEST_CASE("inbox: refuses what comes after it was closed, and leaves it alone", "[mailbox]") {
  fixture f;
  inbox in;
  copy_queue lane;
  alignas(16) std::byte room[16];
  const auto put_one = [&](int number) {
    auto* payload = new (room) counted(number);
    const auto receipt = in.put(tact::detail::message_type_of<counted>, 0, payload, f.shared);
    if (receipt.how == inbox::entry::refused) payload->~counted();
    return receipt.how;
  };
  CHECK(put_one(1) == inbox::entry::first);
  in.close();
  CHECK(put_one(2) == inbox::entry::refused);
  CHECK(in.sent() == 1);
  lane.append(in.take(nullptr, 1), f.store);
  CHECK(get(lane, f.store) == 1);
  CHECK(lane.empty());
  CHECK(counted::alive == 0);
}

TEST_CASE("depot: keeps a bounded number of spare chunks, and a store keeps a bounded number for itself", "[mailbox]") {
  depot shared;
  std::vector<chunk*> taken;
  for (int i = 0; i < 3000; ++i) taken.push_back(shared.take());
  CHECK(shared.allocations() == 3000);
  CHECK(shared.chunks_held() == 3000);
  {
    chunk_store store(shared);
    for (chunk* c : taken) store.give(c);
    CHECK(shared.chunks_held() < 3000 / 2);
    const auto kept = shared.chunks_held();
    store.trim(4);
    CHECK(shared.chunks_held() <= kept);
    for (int i = 0; i < 200; ++i) {
      chunk* c = store.take();
      CHECK(c->filled == c->slots);
      CHECK(c->next == nullptr);
      store.give(c);
    }
    CHECK(shared.allocations() == 3000);
  }
  for (int i = 0; i < 500; ++i) free_chunk(shared.take());
  CHECK(shared.allocations() == 3000);
}

TEST_CASE("depot: what a store has too much of goes there in batches, and comes back in batches", "[mailbox]") {
  constexpr unsigned batch = depot::batch_chunks;
  depot shared;
  chunk_store giver(shared), taker(shared);
  std::vector<chunk*> taken;
  for (unsigned i = 0; i < 4 * batch; ++i) taken.push_back(shared.take());
  for (chunk* c : taken) giver.give(c);  // it keeps one batch to use, and one that it holds back
  const depot::list first = shared.take_some();
  CHECK(first.count == batch);
  unsigned linked = 0;
  for (const chunk* c = first.first; c != nullptr; c = c->next) ++linked;
  CHECK(linked == batch);
  shared.give_batch(first.first);
  for (unsigned i = 0; i < 2 * batch; ++i) taken[i] = taker.take();
  CHECK(shared.allocations() == 4 * batch);
  for (unsigned i = 0; i < 2 * batch; ++i) taker.give(taken[i]);
}

TEST_CASE("depot: one chunk taken out of a batch leaves the others for those that come later", "[mailbox]") {
  constexpr unsigned batch = depot::batch_chunks;
  depot shared;
  std::vector<chunk*> taken;
  {
    chunk_store store(shared);
    for (unsigned i = 0; i < 3 * batch; ++i) taken.push_back(shared.take());
    for (chunk* c : taken) store.give(c);
  }
  for (chunk*& c : taken) c = shared.take();
  CHECK(shared.allocations() == 3 * batch);
  for (chunk* c : taken) shared.give(c);
}

}  // namespace copy_queue_test
