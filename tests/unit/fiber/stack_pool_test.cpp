// What stacks cost the process: mappings and pages.
#include "fiber/stack_pool.hpp"

#include <sys/mman.h>

#include <algorithm>
#include <cstdio>
#include <exception>
#include <string>
#include <vector>

#include "base/sanitized.hpp"
#include "support/death.hpp"

namespace stack_pool_test {

namespace {

using tact::fiber::guards;
using tact::fiber::stack;
using tact::fiber::stack_pool;

constexpr bool sanitized = tact::base::under_asan || tact::base::under_tsan;
constexpr std::size_t stack_bytes = 16 * 1024;

std::size_t mappings() {
  std::FILE* const file = std::fopen("/proc/self/maps", "r");
  REQUIRE(file != nullptr);
  std::size_t lines = 0;
  for (int c = std::fgetc(file); c != EOF; c = std::fgetc(file)) lines += c == '\n' ? 1U : 0U;
  std::fclose(file);
  return lines;
}

std::size_t mappings_allowed() {
  std::FILE* const file = std::fopen("/proc/sys/vm/max_map_count", "r");
  REQUIRE(file != nullptr);
  std::size_t allowed = 0;
  REQUIRE(std::fscanf(file, "%zu", &allowed) == 1);
  std::fclose(file);
  return allowed;
}

// As it is when the system can guard within a mapping; else each guard is one.
bool guards_are_cheap() {
  stack_pool pool(stack_bytes, 0);
  std::vector<stack> all;
  const std::size_t before = mappings();
  for (int i = 0; i < 64; ++i) all.push_back(pool.take());
  const std::size_t now = mappings();
  for (const stack& s : all) pool.give(s);
  return now < before + 32;
}

std::size_t resident_pages(const stack& s) {
  std::vector<unsigned char> pages(s.bytes / tact::fiber::page_bytes());
  if (::mincore(s.bottom, s.bytes, pages.data()) != 0) return 0;  // nothing is mapped there
  return static_cast<std::size_t>(std::count_if(pages.begin(), pages.end(), [](auto p) { return (p & 1U) != 0; }));
}

void use(const stack& s) { std::fill_n(s.bottom, s.bytes, std::byte{1}); }

}  // namespace

TEST_CASE("stack_pool: stacks need no mappings of their own where the system can guard within one", "[fiber]") {
  if (sanitized || !guards_are_cheap()) TACT_SKIP("a sanitizer, or guard pages that cost mappings");
  constexpr std::size_t many = 40'000;  // two mappings each would be more than Linux allows by default
  stack_pool pool(stack_bytes, 0);
  std::vector<stack> all;
  all.reserve(many);
  const std::size_t before = mappings();
  for (std::size_t i = 0; i < many; ++i) all.push_back(pool.take());
  CHECK(mappings() <= before + 16);
  for (const stack& s : all) pool.give(s);
  pool.trim();
  CHECK(mappings() <= before + 16);
  CHECK(pool.bytes_held() == 0);
}

TEST_CASE("stack_pool: where a guard is a mapping the error names the limit and the remedy", "[fiber]") {
  const std::size_t allowed = mappings_allowed();
  if (sanitized || allowed > 100'000) TACT_SKIP("so many mappings are allowed that the addresses might end first");
  stack_pool pool(stack_bytes, 0, guards::apart);
  std::vector<stack> all;
  all.reserve(allowed);
  std::string text;
  for (int times = 0; times < 2; ++times) {
    try {
      for (;;) all.push_back(pool.take());
    } catch (const std::bad_alloc& error) {
      const std::size_t in_use = all.size();
      for (const stack& s : all) pool.give(s);
      all.clear();
      text = error.what();
      CHECK(in_use > allowed / 3);
      CHECK_THAT(text, Catch::Matchers::Contains("no stack for another handler that waits: " + std::to_string(in_use)));
      CHECK_THAT(text, Catch::Matchers::Contains(std::to_string(allowed) + " mappings; raise vm.max_map_count"));
    }
    CHECK(pool.in_use() == 0);
  }
}

TEST_CASE("stack_pool: a guard is below each stack, however it is made, and still there for the next user", "[fiber]") {
  if (sanitized) TACT_SKIP("sanitizers have memory of their own for stacks");
  const auto how = GENERATE(guards::cheapest, guards::apart);
  stack_pool pool(stack_bytes, 0, how);
  std::vector<stack> all;
  for (int i = 0; i < 8; ++i) all.push_back(pool.take());
  for (const stack& s : all) use(s);
  const stack again = all[3];
  pool.give(again);
  pool.trim();  // the others keep its slab
  all[3] = pool.take();
  REQUIRE(all[3].bottom == again.bottom);
  CHECK(resident_pages(all[3]) == 0);
  for (const std::size_t i : {std::size_t{0}, std::size_t{3}, std::size_t{7}}) {
    static_cast<void>(tact::support::last_words(
        [&] { *const_cast<volatile std::byte*>(all[i].bottom - 1) = std::byte{1}; }, SIGSEGV));
    static_cast<void>(tact::support::last_words(
        [&] { *const_cast<volatile std::byte*>(all[i].bottom - tact::fiber::guard_bytes) = std::byte{1}; }, SIGSEGV));
  }
  for (const stack& s : all) pool.give(s);
}

TEST_CASE("stack_pool: the pages of what is neither in use nor kept go back to the system", "[fiber]") {
  if (sanitized) TACT_SKIP("sanitizers have memory of their own for stacks");
  const auto how = GENERATE(guards::cheapest, guards::apart);
  constexpr std::size_t many = 200;
  stack_pool pool(stack_bytes, many, how);
  std::vector<stack> all;
  for (std::size_t i = 0; i < many; ++i) all.push_back(pool.take());
  for (const stack& s : all) use(s);
  for (std::size_t i = 1; i < many; ++i) pool.give(all[i]);
  CHECK(pool.kept() == many - 1);
  CHECK(pool.bytes_held() == many * tact::fiber::page_bytes());
  CHECK(resident_pages(all[many - 1]) == stack_bytes / tact::fiber::page_bytes());
  pool.trim();
  CHECK(pool.bytes_held() == tact::fiber::page_bytes());
  CHECK(resident_pages(all[0]) == stack_bytes / tact::fiber::page_bytes());
  std::size_t left = 0;
  for (std::size_t i = 1; i < many; ++i) left += resident_pages(all[i]);
  CHECK(left == 0);
  pool.give(all[0]);
}

}  // namespace stack_pool_test
