// Which lines a modelled cache holds.
#include "tools/modelled/tags.hpp"

#include <set>

#include "support/catch.hpp"
#include "support/dice.hpp"
#include "support/seed.hpp"

namespace tags_test {

namespace {

using tact::modelled::tags;

std::set<std::uint32_t> lines_in(const tags& cache) {
  std::set<std::uint32_t> all;
  cache.for_each([&](std::uint32_t line) { CHECK(all.insert(line).second); });
  return all;
}

}  // namespace

TEST_CASE("tags: a line that was added is there until it is removed", "[modelled]") {
  tags cache(16, 4);
  CHECK(!cache.use(65));
  CHECK(cache.add(65) == tags::none);
  CHECK(cache.use(65));
  cache.remove(66);
  CHECK(cache.use(65));
  cache.remove(65);
  CHECK(!cache.use(65));
  CHECK(lines_in(cache).empty());
}

TEST_CASE("tags: of a full set the line goes that was used least recently", "[modelled]") {
  tags cache(4, 4);  // one set
  for (const std::uint32_t line : {1u, 2u, 3u, 4u}) CHECK(cache.add(line) == tags::none);
  CHECK(cache.use(1));
  CHECK(cache.add(5) == 2);
  CHECK(cache.use(3));
  CHECK(cache.add(6) == 4);
  CHECK(lines_in(cache) == std::set<std::uint32_t>{1, 3, 5, 6});
}

TEST_CASE("tags: a line that was removed makes room for the next one", "[modelled]") {
  tags cache(4, 4);
  for (const std::uint32_t line : {1u, 2u, 3u, 4u}) CHECK(cache.add(line) == tags::none);
  cache.remove(3);
  CHECK(cache.add(5) == tags::none);
  CHECK(cache.add(6) == 1);
}

TEST_CASE("tags: neighbouring lines fill all of a cache before one of them goes", "[modelled]") {
  tags cache(64, 8);
  for (std::uint32_t line = 64; line < 128; ++line) CHECK(cache.add(line) == tags::none);
  CHECK(cache.add(128) != tags::none);
}

TEST_CASE("tags: a cache holds what was added, but for what it said it dropped", "[modelled]") {
  TACT_SEEDED(seed);
  tact::support::dice dice(seed);
  tags cache(32, 8);
  std::set<std::uint32_t> held;
  for (int i = 0; i < 10'000; ++i) {
    const std::uint32_t line = 1 + dice.below(100);
    if (dice.one_in(4)) {
      cache.remove(line);
      held.erase(line);
    } else if (!cache.use(line)) {
      CHECK(held.count(line) == 0);
      if (const std::uint32_t dropped = cache.add(line); dropped != tags::none) CHECK(held.erase(dropped) == 1);
      held.insert(line);
    }
    if (i % 100 == 0) CHECK(lines_in(cache) == held);
  }
}

}  // namespace tags_test
