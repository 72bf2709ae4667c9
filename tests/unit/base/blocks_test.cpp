// Blocks: distinct, aligned, reused, and given back from any thread.
#include "base/blocks.hpp"

#include <cstddef>
#include <cstdint>
#include <cstring>
#include <set>
#include <thread>
#include <utility>
#include <vector>

#include "base/block_depot.hpp"
#include "base/system_blocks.hpp"
#include "support/catch.hpp"

namespace blocks_test {

namespace {

using namespace tact::base;

void* allocate_block(std::size_t bytes) {
  const auto c = tact::detail::class_of_block(bytes);
  return c != tact::detail::large_block ? allocate_pooled(c) : allocate_large(bytes);
}
void free_block(void* block, std::size_t bytes) {
  const auto c = tact::detail::class_of_block(bytes);
  c != tact::detail::large_block ? free_pooled(block, c) : free_large(block, bytes);
}

struct block {
  void* at;
  std::size_t bytes;
};

std::vector<block> take(std::size_t count, std::size_t step) {
  std::vector<block> all;
  for (std::size_t i = 0; i < count; ++i) {
    const std::size_t bytes = 1 + i * step % 2000;
    all.push_back({allocate_block(bytes), bytes});
    std::memset(all.back().at, static_cast<int>(i % 251), bytes);
  }
  return all;
}
void give(const std::vector<block>& all) {
  for (const block& b : all) free_block(b.at, b.bytes);
}

}  // namespace

TEST_CASE("blocks: are distinct, aligned to 16, and keep what is written to them", "[base]") {
  const auto all = take(3000, 7);
  std::set<void*> places;
  bool whole = true;
  for (std::size_t i = 0; i < all.size(); ++i) {
    places.insert(all[i].at);
    CHECK(reinterpret_cast<std::uintptr_t>(all[i].at) % 16 == 0);
    const auto* bytes = static_cast<unsigned char*>(all[i].at);
    for (std::size_t k = 0; k < all[i].bytes; ++k) whole = whole && bytes[k] == i % 251;
  }
  CHECK(places.size() == all.size());
  CHECK(whole);
  give(all);
}

TEST_CASE("blocks: sizes 0 to 600 can each be taken and given back", "[base]") {
  for (std::size_t bytes = 0; bytes <= 600; ++bytes) {
    const std::vector<unsigned char> ones(bytes + 1, 1);  // an empty one has no address
    void* first = allocate_block(bytes);
    void* second = allocate_block(bytes);
    CHECK(first != second);
    std::memcpy(first, ones.data(), bytes);
    std::memset(second, 2, bytes);
    CHECK(std::memcmp(first, ones.data(), bytes) == 0);
    free_block(second, bytes);
    free_block(first, bytes);
  }
}

TEST_CASE("blocks: what is given back is what is taken next, without asking the system", "[base]") {
  if (!pooling) TACT_SKIP("blocks come from malloc in this build, so that a sanitizer sees their use");
  for (const std::size_t bytes : {1u, 32u, 33u, 100u, 512u}) {
    std::vector<void*> some(1000);
    for (void*& b : some) b = allocate_block(bytes);
    for (void* b : some) free_block(b, bytes);
    const auto before = read_block_usage();
    for (int round = 0; round < 10; ++round) {
      for (void*& b : some) b = allocate_block(bytes);
      for (void* b : some) free_block(b, bytes);
    }
    CHECK(read_block_usage().allocations == before.allocations);
    CHECK(read_block_usage().bytes_held == before.bytes_held);
  }
}

TEST_CASE("blocks: large ones go back to the system at once, and all are counted", "[base]") {
  free_block(allocate_block(5000), 5000);  // the first block of a process also fills the reserve
  const auto before = read_block_usage();
  void* b = allocate_block(5000);
  CHECK(read_block_usage().bytes_held >= before.bytes_held + 5000);
  CHECK(read_block_usage().allocations == before.allocations + 1);
  free_block(b, 5000);
  CHECK(read_block_usage().bytes_held == before.bytes_held);
}

TEST_CASE("blocks: a thread that only takes blocks leaves none of them behind when it ends", "[base]") {
  if (!pooling) TACT_SKIP("blocks come from malloc in this build, so that a sanitizer sees their use");
  const auto before = read_block_usage();
  for (int i = 0; i < 2000; ++i) {
    std::vector<void*> some(10);
    std::thread([&] {
      for (void*& b : some) b = allocate_block(512);
    }).join();
    for (void* b : some) free_block(b, 512);
  }
  CHECK(read_block_usage().bytes_held < before.bytes_held + 1'000'000);
}

TEST_CASE("blocks: a thread that took from the others does not keep all that it frees later", "[base]") {
  if (!pooling) TACT_SKIP("blocks come from malloc in this build, so that a sanitizer sees their use");
  std::vector<void*> many(1000);
  for (void*& b : many) b = allocate_block(512);
  for (void* b : many) free_block(b, 512);
  trim_blocks();  // batches that others may take
  const auto before = read_block_usage();
  std::thread([&] {
    void* first = allocate_block(512);
    many.resize(20'000);
    std::thread([&] {
      for (void*& b : many) b = allocate_block(512);
    }).join();
    CHECK(read_block_usage().bytes_held > before.bytes_held + 8'000'000);
    for (void* b : many) free_block(b, 512);
    CHECK(read_block_usage().bytes_held < before.bytes_held + 4'000'000);
    free_block(first, 512);
  }).join();
}

TEST_CASE("blocks: freed on another thread they come back to those who take", "[base]") {
  if (!pooling) TACT_SKIP("blocks come from malloc in this build, so that a sanitizer sees their use");
  const auto pass = [] {
    std::vector<void*> some(2000);
    for (void*& b : some) b = allocate_block(64);
    std::thread([&] {
      for (void* b : some) free_block(b, 64);
    }).join();
  };
  for (int warm_up = 0; warm_up < 4; ++warm_up) pass();
  const auto before = read_block_usage();
  for (int round = 0; round < 20; ++round) pass();
  // A thread that ends gives whole batches to the others, and the rest to the system.
  CHECK(read_block_usage().allocations - before.allocations < 20 * 64);
  CHECK(read_block_usage().bytes_held < before.bytes_held + 2000 * 64);
}

TEST_CASE("blocks: few of a size cost few pages, and many lie side by side", "[base]") {
  if (!pooling) TACT_SKIP("blocks come from malloc in this build, so that a sanitizer sees their use");
  while (trim_shared_blocks()) {
  }
  std::thread([] {
    const auto c = tact::detail::class_of_block(384);
    const auto before = read_block_usage();
    std::vector<void*> taken;
    while (taken.size() < 10) taken.push_back(allocate_pooled(c));
    CHECK(read_block_usage().bytes_held <= before.bytes_held + std::uint64_t{4} * 4096);
    while (taken.size() < 2000) taken.push_back(allocate_pooled(c));
    std::set<void*> in_order(taken.begin(), taken.end());
    unsigned side_by_side = 0;
    const std::byte* last = nullptr;
    for (void* b : in_order) {
      side_by_side += static_cast<const std::byte*>(b) - std::exchange(last, static_cast<const std::byte*>(b)) == 384;
      CHECK(reinterpret_cast<std::uintptr_t>(b) % 64 == 0);
    }
    CHECK(side_by_side > 1900);
    for (void* b : taken) free_pooled(b, c);
  }).join();
}

TEST_CASE("blocks: the pages between blocks in use go back to the system", "[base]") {
  if (!pooling) TACT_SKIP("blocks come from malloc in this build, so that a sanitizer sees their use");
  const auto trim = [] {
    trim_blocks();
    while (trim_shared_blocks()) {
    }
  };
  trim();
  const auto before = read_block_usage();
  const auto c = tact::detail::class_of_block(64);
  std::vector<void*> many(64'000);
  for (void*& b : many) b = allocate_pooled(c);
  CHECK(read_block_usage().bytes_held >= before.bytes_held + 64'000 * 64);
  std::vector<void*> kept;
  for (std::size_t i = 0; i < many.size(); ++i) {
    if (i % 1000 == 0) {
      kept.push_back(many[i]);
      std::memset(many[i], 7, 64);
    } else {
      free_pooled(many[i], c);
    }
  }
  trim();
  CHECK(read_block_usage().bytes_held <= before.bytes_held + kept.size() * 3 * 4096);
  for (void* b : kept) CHECK(static_cast<const unsigned char*>(b)[63] == 7);
  for (std::size_t i = 0; i < many.size(); ++i) many[i] = allocate_pooled(c);
  for (void* b : many) std::memset(b, 1, 64);
  for (void* b : kept) CHECK(static_cast<const unsigned char*>(b)[0] == 7);
  for (void* b : many) free_pooled(b, c);
  for (void* b : kept) free_pooled(b, c);
  trim();
  CHECK(read_block_usage().bytes_held <= before.bytes_held);
}

TEST_CASE("blocks: closures for another worker lie among what that one has freed", "[base]") {
  if (!pooling) TACT_SKIP("blocks come from malloc in this build, so that a sanitizer sees their use");
  const auto c = tact::detail::class_of_block(400);
  constexpr auto here = place_of_worker(0);
  constexpr auto there = place_of_worker(1);
  std::vector<void*> mine(batch_blocks);
  std::vector<void*> theirs(batch_blocks);
  for (void*& b : mine) b = allocate_pooled(c);
  for (void*& b : theirs) b = allocate_pooled(c);
  const auto free_at = [&](block_place where, const std::vector<void*>& blocks) {
    std::thread([&] {
      settle_blocks(where);
      for (void* b : blocks) free_pooled(b, c);
    }).join();  // a thread that ends gives whole batches away
  };
  free_at(here, mine);
  free_at(there, theirs);
  const std::set<void*> freed_here(mine.begin(), mine.end());
  const std::set<void*> freed_there(theirs.begin(), theirs.end());
  std::thread([&] {
    settle_blocks(here);
    for (std::size_t i = 0; i < batch_blocks; ++i) {
      place_closures(there);
      theirs[i] = allocate_closure(c);
      mine[i] = allocate_pooled(c);
    }
    place_closures_here();
    free_pooled(mine.back(), c);
    CHECK(allocate_closure(c) == mine.back());
    for (void* b : theirs) CHECK(freed_there.contains(b));
    for (void* b : mine) CHECK(freed_here.contains(b));
    for (const auto& some : {mine, theirs}) {
      for (void* b : some) free_pooled(b, c);
    }
  }).join();
}

TEST_CASE("blocks: spare ones beyond a bound go back to the system", "[base]") {
  const auto before = read_block_usage();
  std::vector<void*> many(100'000);
  for (void*& b : many) b = allocate_block(512);
  CHECK(read_block_usage().bytes_held >= before.bytes_held + 40'000'000);
  for (void* b : many) free_block(b, 512);
  trim_blocks();
  CHECK(read_block_usage().bytes_held < before.bytes_held + 4'000'000);
}

}  // namespace blocks_test
