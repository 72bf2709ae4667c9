// persistent_list: as a std::map, and older versions stay as they were.
#include "tact/detail/persistent_list.hpp"

#include <map>

#include "patterns/trouble.hpp"

namespace persistent_list_test {

namespace {

using namespace tact::patterns_tests;
using list = tact::detail::persistent_list<int>;
using model = std::map<std::uint64_t, int>;

model all_of(const list& l) {
  model all;
  std::uint64_t last = 0;
  l.for_each([&](std::uint64_t number, int item) {
    CHECK(number > last);
    last = number;
    all.emplace(number, item);
  });
  return all;
}

}  // namespace

TEST_CASE("persistent_list: it has what was pushed and not erased, in order, and so has each older version") {
  TACT_SEEDED(seed);
  dice random(seed);
  std::vector<std::pair<list, model>> versions(1);
  std::uint64_t next = 1;
  for (int i = 0; i < 400; ++i) {
    auto [l, m] = versions[random.below(static_cast<std::uint32_t>(versions.size()))];
    if (random.below(3) != 0) {
      l = l.push(next, i);
      m.emplace(next++, i);
    } else {
      const std::uint64_t number = 1 + random.below(static_cast<std::uint32_t>(next));
      CHECK((l.find(number) != nullptr) == m.contains(number));
      l = l.erase(number);
      m.erase(number);
    }
    if (!m.empty()) {
      const std::uint64_t number = std::next(m.begin(), random.below(static_cast<std::uint32_t>(m.size())))->first;
      l = l.replace(number, -i);
      m[number] = -i;
    }
    versions.emplace_back(l, m);
  }
  for (const auto& [l, m] : versions) {
    CHECK(all_of(l) == m);
    CHECK(l.empty() == m.empty());
  }
}

TEST_CASE("persistent_list: a hundred thousand items take a short path each") {
  list l;
  for (std::uint64_t i = 1; i <= 100'000; ++i) l = l.push(i, static_cast<int>(i));
  for (std::uint64_t i = 1; i <= 100'000; i += 2) l = l.erase(i);
  int count = 0;
  l.for_each([&](std::uint64_t, int) { ++count; });
  CHECK(count == 50'000);
  CHECK(*l.find(50'000) == 50'000);
}

}  // namespace persistent_list_test
