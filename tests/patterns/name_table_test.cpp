// The table of a registry: who reads without a lock sees what was written as a whole, and no freed memory.
#include "tact/patterns/detail/name_table.hpp"

#include "patterns/trouble.hpp"

namespace name_table_test {

namespace {

using namespace tact::patterns_tests;
using tact::detail::binding;
using tact::detail::name_table;
using tact::detail::shared_name;

constexpr std::size_t names = 50;

shared_name name_of(std::size_t i) { return std::make_shared<const std::string>("name " + std::to_string(i)); }
// What the nth name stands for, whenever it stands for something: its number is found in it again.
binding meant(std::size_t i, std::size_t round) { return {64 * (i + 1) + 4096 * round, nullptr, nullptr, 0}; }
bool may_be(const binding& b, std::size_t i) { return b.who == 0 || b.who % 4096 == 64 * (i + 1); }

constexpr auto always = [](const binding&) { return true; };

}  // namespace

TEST_CASE("name_table: a name is set, taken, removed and set again, while the table grows", "[law3]") {
  name_table t;
  for (std::size_t i = 0; i < 200; ++i) {
    binding b = meant(i % names, i);
    CHECK(t.change(std::make_shared<const std::string>(std::to_string(i)), b, always).who == 0);
    CHECK(b.number == i + 1);
  }
  for (std::size_t i = 0; i < 200; ++i) CHECK(t.find(std::to_string(i)).number == i + 1);
  binding nobody;
  CHECK(t.change(std::make_shared<const std::string>("7"), nobody, always).number == 8);
  CHECK(t.find("7").who == 0);
  binding another = meant(1, 1);
  t.change(std::make_shared<const std::string>("8"), another, [](const binding& now) { return now.who == 0; });
  CHECK(t.find("8").number == 9);
  int there = 0;
  t.for_each([&](const shared_name&, const binding&) { ++there; });
  CHECK(there == 199);
}

TEST_CASE("name_table: threads that read while another one writes see each binding whole", "[law13]") {
  name_table t;
  std::atomic<bool> is_over{false};
  std::atomic<int> wrong{0};
  on_threads(4, [&](unsigned thread) {
    if (thread == 0) {
      for (std::size_t round = 0; round < static_cast<std::size_t>(scaled(20'000)); ++round) {
        const std::size_t i = round % names;
        binding b = round % 3 == 0 ? binding{} : meant(i, round);
        t.change(name_of(i), b, always);
        binding once = meant(0, round);
        if (round % 64 == 0) t.change(name_of(names + round), once, always);
      }
      is_over = true;
    }
    for (std::size_t i = thread; !is_over; i = (i + 1) % names) {
      const binding b = t.find(*name_of(i));
      wrong += may_be(b, i) ? 0 : 1;
    }
  });
  CHECK(wrong == 0);
}

}  // namespace name_table_test
