// What stacks cost the process: mappings and pages.
#include "fiber/stack_pool.hpp"

#include <sys/mman.h>
#include <sys/resource.h>
#include <unistd.h>

#include <algorithm>
#include <cstdio>
#include <cstdlib>
#include <exception>
#include <string>
#include <vector>

#include "base/sanitized.hpp"
#include "base/stack_guard.hpp"
#include "support/death.hpp"

namespace stack_pool_test {

namespace {

using tact::fiber::guards;
using tact::fiber::stack;
using tact::fiber::stack_pool;
using tact::fiber::stack_slab;

constexpr bool sanitized = tact::base::under_asan || tact::base::under_tsan;
constexpr std::size_t stack_bytes = 16 * 1024;
// With wide guards; and those places of the last slab of them that are beyond their number.
constexpr std::size_t mappings_of_wide = 2 * (stack_pool::wide_max + tact::fiber::stack_slab::places_max);

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
  auto* const slab = stack_slab::map({stack_bytes, tact::base::least_guard_bytes, 1, guards::cheapest});
  REQUIRE(slab != nullptr);
  REQUIRE(slab->take() != nullptr);
  const bool are_cheap = slab->shape().how == guards::cheapest;
  stack_slab::unmap(slab);
  return are_cheap;
}

// What a child of this process finds when so many bytes of addresses are all that it may use.
template <class F>
void with_addresses(std::size_t bytes, F f) {
  const auto d = tact::support::depart([&] {
    const rlimit limit{bytes, bytes};
    if (::setrlimit(RLIMIT_AS, &limit) != 0) std::abort();
    f();
  });
  INFO(d.words);
  CHECK(d.exited(0));
}

void require_that(bool is_so, const char* what) {
  if (is_so) return;
  std::fprintf(stderr, "%s\n", what);
  std::fflush(stderr);
  ::_exit(1);
}

std::size_t resident_pages(const stack& s) {
  std::vector<unsigned char> pages(s.bytes / tact::fiber::page_bytes());
  if (::mincore(s.bottom, s.bytes, pages.data()) != 0) return 0;  // nothing is mapped there
  return static_cast<std::size_t>(std::count_if(pages.begin(), pages.end(), [](auto p) { return (p & 1U) != 0; }));
}

void use(const stack& s) { std::fill_n(s.bottom, s.bytes, std::byte{1}); }

}  // namespace

TEST_CASE("stack_pool: stacks need few mappings of their own where the system can guard within one", "[fiber]") {
  if (sanitized || !guards_are_cheap()) TACT_SKIP("a sanitizer, or guard pages that cost mappings");
  constexpr std::size_t many = 40'000;  // two mappings each would be more than Linux allows by default
  stack_pool pool(stack_bytes, 0);
  std::vector<stack> all;
  all.reserve(many);
  const std::size_t before = mappings();
  for (std::size_t i = 0; i < many; ++i) all.push_back(pool.take());
  CHECK(mappings() <= before + mappings_of_wide + 16);
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
        [&] { *const_cast<volatile std::byte*>(all[i].bottom - all[i].slab->shape().guard_bytes) = std::byte{1}; },
        SIGSEGV));
  }
  for (const stack& s : all) pool.give(s);
}

TEST_CASE("stack_pool: the guards of the first stacks are wide, those of many are as wide as Linux's own", "[fiber]") {
  if (sanitized) TACT_SKIP("sanitizers have memory of their own for stacks");
  const auto how = GENERATE(guards::cheapest, guards::apart);
  stack_pool pool(stack_bytes, 0, how);
  std::vector<stack> all;
  for (std::size_t i = 0; i < stack_pool::wide_max; ++i) all.push_back(pool.take());
  for (const stack& s : all) REQUIRE(s.slab->shape().guard_bytes == tact::base::wide_guard_bytes);
  for (std::size_t i = 0; i < 2 * stack_slab::places_max; ++i) all.push_back(pool.take());
  CHECK(all.back().slab->shape().guard_bytes == tact::base::usual_guard_bytes);
  for (const stack& s : all) pool.give(s);
  pool.trim();
  const stack first_again = pool.take();
  CHECK(first_again.slab->shape().guard_bytes == tact::base::wide_guard_bytes);
  pool.give(first_again);
}

TEST_CASE("stack_pool: where addresses are limited, guards leave most of them to others", "[fiber]") {
  if (sanitized) TACT_SKIP("sanitizers need many addresses themselves");
  with_addresses(std::size_t{1} << 31, [] {
    stack_pool pool(stack_bytes, 0);
    std::vector<stack> all;
    for (std::size_t i = 0; i < 4000; ++i) all.push_back(pool.take());
    const std::size_t first = all.front().slab->shape().guard_bytes;
    const std::size_t last = all.back().slab->shape().guard_bytes;
    require_that(first == tact::base::usual_guard_bytes, "the first guard has another width");
    require_that(last == tact::base::least_guard_bytes, "the last guard has another width");
    const auto wide = static_cast<std::size_t>(std::count_if(all.begin(), all.end(), [](const stack& s) {
      return s.slab->shape().guard_bytes != tact::base::least_guard_bytes;
    }));
    require_that(wide * tact::base::usual_guard_bytes <= (std::size_t{1} << 31) / 16, "wider ones take up too much");
    for (const stack& s : all) pool.give(s);
  });
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
