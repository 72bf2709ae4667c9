// How many spare chunks a worker holds back, and where new ones come from when memory is short.
#include <algorithm>
#include <cstddef>
#include <new>
#include <set>
#include <utility>
#include <vector>

#include "base/blocks.hpp"
#include "base/reserve.hpp"
#include "mailbox/chunk_memory.hpp"
#include "mailbox/depot.hpp"
#include "support/catch.hpp"

namespace chunk_store_test {

namespace {

using namespace tact::mailbox;

constexpr unsigned batch = depot::batch_chunks;
constexpr unsigned at_once = tact::base::pooling ? 4 : 1;

// Refuses this thread all memory while it lives.
class refusal final : public tact::base::allocation_watch {
 public:
  refusal() { tact::base::watch_allocations(this); }
  ~refusal() { tact::base::watch_allocations(nullptr); }
  refusal(const refusal&) = delete;
  refusal& operator=(const refusal&) = delete;
  bool permits_allocation() noexcept override { return false; }
};

unsigned count(const chunk* first) {
  unsigned linked = 0;
  for (; first != nullptr; first = first->next) ++linked;
  return linked;
}
void free_all(chunk* first) {
  while (first != nullptr) free_chunk(std::exchange(first, first->next));
}
// Takes whole batches from the depot until it has none; returns how many.
unsigned take_batches(depot& from) {
  for (unsigned batches = 0;; ++batches) {
    const depot::list some = from.take_some();
    CHECK(count(some.first) == some.count);
    free_all(some.first);
    if (some.count != batch) return batches;
  }
}

}  // namespace

TEST_CASE("chunk store: holds back the more batches the more outboxes its owner fills, from one to eight",
          "[mailbox]") {
  const auto [outboxes, held_back] = GENERATE(table<std::size_t, unsigned>(
      {{0, 1}, {1, 1}, {16, 1}, {31, 1}, {32, 2}, {63, 3}, {64, 4}, {127, 7}, {128, 8}, {1'000, 8}}));
  INFO("outboxes=" << outboxes);
  depot shared;
  chunk_store store(shared, outboxes);
  const auto give = [&](unsigned chunks) {
    for (; chunks != 0; --chunks) store.give(allocate_chunk());
  };
  give((held_back + 1) * batch);  // what it holds back, and a batch to use
  CHECK(take_batches(shared) == 0);
  give(1);
  CHECK(take_batches(shared) == 1);
  give(batch - 1);
  CHECK(take_batches(shared) == 0);
  give(2 * batch);
  CHECK(take_batches(shared) == 2);
  // What it has held back it uses before it goes to the depot.
  const auto before = shared.allocations();
  std::vector<chunk*> taken;
  for (unsigned i = 0; i < (held_back + 1) * batch; ++i) taken.push_back(store.take());
  CHECK(shared.allocations() == before);
  CHECK(store.take_spare() == nullptr);
  CHECK(std::set<chunk*>(taken.begin(), taken.end()).size() == taken.size());
  for (chunk* c : taken) free_chunk(c);
}

TEST_CASE("chunk store: gives all that it holds back to the depot on trim, and keeps what it may", "[mailbox]") {
  const auto [outboxes, held_back] = GENERATE(table<std::size_t, unsigned>({{0, 1}, {64, 4}, {500, 8}}));
  INFO("outboxes=" << outboxes);
  depot shared;
  chunk_store store(shared, outboxes);
  for (unsigned i = 0; i < (held_back + 1) * batch; ++i) store.give(allocate_chunk());
  store.trim(5);
  for (unsigned i = 0; i < 5; ++i) {
    chunk* const kept = store.take_spare();
    REQUIRE(kept != nullptr);
    CHECK(kept->next == nullptr);
    free_chunk(kept);
  }
  CHECK(store.take_spare() == nullptr);
  CHECK(take_batches(shared) == held_back);
}

TEST_CASE("depot: a store that asks gets some new chunks at once, cleared, and each is counted", "[mailbox]") {
  depot shared;
  const depot::list some = shared.take_some();
  CHECK(some.count == at_once);
  CHECK(count(some.first) == at_once);
  CHECK(shared.allocations() == at_once);
  CHECK(shared.chunks_held() == at_once);
  for (const chunk* c = some.first; c != nullptr; c = c->next) CHECK(c->filled == c->slots);
  free_all(some.first);
  chunk_store store(shared);
  std::vector<chunk*> taken;
  for (unsigned i = 0; i < 4 * 10; ++i) taken.push_back(store.take());
  CHECK(shared.allocations() == at_once + 4 * 10);
  CHECK(std::set<chunk*>(taken.begin(), taken.end()).size() == taken.size());
  for (chunk* c : taken) CHECK(c->next == nullptr);
  for (chunk* c : taken) free_chunk(c);
}

TEST_CASE("depot: one chunk asked for by itself is one chunk", "[mailbox]") {
  depot shared;
  free_chunk(shared.take());
  CHECK(shared.allocations() == 1);
}

TEST_CASE("chunk memory: as many chunks as asked for come at once, apart from each other, up to sixteen", "[mailbox]") {
  if (!tact::base::pooling) TACT_SKIP("chunks come one by one from operator new");
  for (const unsigned wanted : {1u, 2u, 4u, 15u, 16u, 17u, 1'000u}) {
    INFO("wanted=" << wanted);
    chunk* first = nullptr;
    const unsigned got = allocate_chunks(wanted, first);
    CHECK(got == std::min(wanted, 16u));
    CHECK(count(first) == got);
    std::set<const chunk*> apart;
    for (const chunk* c = first; c != nullptr; c = c->next) apart.insert(c);
    CHECK(apart.size() == got);
    free_all(first);
  }
}

TEST_CASE("depot: when memory is refused a store gets none, and nothing is counted", "[mailbox]") {
  depot shared;
  chunk_store store(shared);
  {
    const refusal none;
    CHECK_THROWS_AS(shared.take_some(), std::bad_alloc);
    CHECK_THROWS_AS(store.take(), std::bad_alloc);
  }
  CHECK(shared.allocations() == 0);
  CHECK(shared.chunks_held() == 0);
  free_chunk(store.take());  // and afterwards it gets some
  CHECK(shared.allocations() == at_once);
}

TEST_CASE("depot: when memory is refused where nothing may fail, one chunk comes out of the reserve", "[mailbox]") {
  fill_chunk_reserve();
  depot shared;
  {
    const refusal none;
    const tact::base::may_use_reserve sure;
    const depot::list some = shared.take_some();
    CHECK(some.count == 1);
    CHECK(count(some.first) == 1);
    free_all(some.first);
  }
  CHECK(shared.allocations() == 1);
  fill_chunk_reserve();
}

}  // namespace chunk_store_test
