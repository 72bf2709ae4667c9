// Chunks from shared mappings: what is free goes back to the system, what is in use stays as it is.
#include "mailbox/chunk_memory.hpp"

#include <algorithm>
#include <cstring>
#include <mutex>
#include <set>
#include <thread>
#include <vector>

#include "base/blocks.hpp"
#include "support/catch.hpp"
#include "support/dice.hpp"
#include "support/seed.hpp"

namespace chunk_memory_test {

namespace {

using namespace tact::mailbox;

void fill(chunk& c, int number) { std::memset(c.slots, number % 251, sizeof c.slots); }
bool is_filled(const chunk& c, int number) {
  return std::all_of(std::begin(c.slots), std::end(c.slots),
                     [&](std::byte b) { return b == static_cast<std::byte>(number % 251); });
}
bool bind_anywhere(void*, std::size_t) noexcept { return true; }

}  // namespace

TEST_CASE("chunk memory: chunks are apart, cleared and aligned to a line", "[mailbox]") {
  constexpr int many = 500;
  std::vector<chunk*> all;
  for (int i = 0; i < many; ++i) {
    all.push_back(allocate_chunk());
    CHECK(all.back()->next == nullptr);
    CHECK(reinterpret_cast<std::uintptr_t>(all.back()) % 64 == 0);
    fill(*all.back(), i);
  }
  for (int i = 0; i < many; ++i) CHECK(is_filled(*all[static_cast<unsigned>(i)], i));
  for (chunk* c : all) free_chunk(c);
}

TEST_CASE("chunk memory: what was freed is used again before the system is asked", "[mailbox]") {
  if (!tact::base::pooling) return;
  std::vector<chunk*> all(1000);
  for (chunk*& c : all) c = allocate_chunk();
  const auto asked = read_chunk_usage().allocations;
  // Every other one: no mapping becomes free.
  for (std::size_t i = 0; i < all.size(); i += 2) free_chunk(all[i]);
  for (std::size_t i = 0; i < all.size(); i += 2) all[i] = allocate_chunk();
  CHECK(read_chunk_usage().allocations == asked);
  CHECK(std::set<chunk*>(all.begin(), all.end()).size() == all.size());
  for (chunk* c : all) free_chunk(c);
}

TEST_CASE("chunk memory: a load that goes up and down by a few hundred chunks asks the system once", "[mailbox]") {
  if (!tact::base::pooling) return;
  std::vector<chunk*> all(200);
  const auto wave = [&] {
    for (chunk*& c : all) c = allocate_chunk();
    for (chunk* c : all) free_chunk(c);
  };
  wave();
  const auto asked = read_chunk_usage().allocations;
  for (int i = 0; i < 10; ++i) wave();
  CHECK(read_chunk_usage().allocations == asked);
}

TEST_CASE("chunk memory: everything freed goes back, also around a few chunks in use", "[mailbox]") {
  free_chunk(allocate_chunk());  // the first chunk of a process also fills the reserve
  trim_chunks();
  const auto before = read_chunk_usage().bytes_held;
  std::vector<chunk*> all(10'000);
  std::vector<chunk*> kept;
  for (chunk*& c : all) c = allocate_chunk();
  CHECK(read_chunk_usage().bytes_held >= before + all.size() * chunk::bytes - (std::size_t{1} << 20));
  for (std::size_t i = 0; i < all.size(); ++i) {
    if (i % 200 == 77) {
      fill(*all[i], static_cast<int>(i));
      kept.push_back(all[i]);
    } else {
      free_chunk(all[i]);
    }
  }
  trim_chunks();
  CHECK(read_chunk_usage().bytes_held <= before + kept.size() * 6 * chunk::bytes);
  for (std::size_t i = 0; i < kept.size(); ++i) CHECK(is_filled(*kept[i], static_cast<int>(i * 200 + 77)));
  // What had gone back is as good as new.
  for (int i = 0; i < 3000; ++i) {
    chunk* c = allocate_chunk();
    fill(*c, i);
    CHECK(is_filled(*c, i));
    kept.push_back(c);
  }
  for (chunk* c : kept) free_chunk(c);
  trim_chunks();
  CHECK(read_chunk_usage().bytes_held <= before);
}

TEST_CASE("chunk memory: threads may free what others took, bound or not, and trim meanwhile", "[mailbox]") {
  TACT_SEEDED(seed);
  constexpr unsigned threads = 4;
  std::vector<std::thread> all;
  std::vector<int> broken(threads);
  std::mutex mutex;
  std::vector<std::pair<chunk*, int>> shared;
  for (unsigned t = 0; t < threads; ++t) {
    all.emplace_back([&, t] {
      tact::support::dice d(seed + t);
      for (int i = 0; i < 3000; ++i) {
        chunk* c = allocate_chunk(i % 2 == 0 ? nullptr : &bind_anywhere);
        std::memset(c->slots, i % 251, 64);
        std::pair<chunk*, int> other{};
        {
          const std::lock_guard lock(mutex);
          shared.emplace_back(c, i);
          std::swap(shared[d.below(static_cast<unsigned>(shared.size()))], shared.back());
          if (shared.size() > 300) {
            other = shared.back();
            shared.pop_back();
          }
        }
        if (other.first != nullptr) {
          broken[t] += other.first->slots[63] != static_cast<std::byte>(other.second % 251);
          free_chunk(other.first);
        }
        if (d.below(500) == 0) trim_chunks();
      }
    });
  }
  for (auto& t : all) t.join();
  for (const auto& [c, number] : shared) free_chunk(c);
  for (unsigned t = 0; t < threads; ++t) CHECK(broken[t] == 0);
}

}  // namespace chunk_memory_test
