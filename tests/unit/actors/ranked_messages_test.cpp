// The messages of a mailbox with an order, beside a list in which the right one is searched.
#include "actors/pressure/ranked_messages.hpp"

#include <algorithm>
#include <limits>
#include <vector>

#include "support/catch.hpp"
#include "support/dice.hpp"
#include "support/seed.hpp"

namespace ranked_messages_test {

namespace {

struct letter {
  std::int64_t rank = 0;
  int number = 0;
  int epoch = 0;
  bool is_end = false;

  [[nodiscard]] bool comes_before(const letter& other) const {
    if (epoch != other.epoch) return epoch < other.epoch;
    if (is_end != other.is_end) return other.is_end;
    return rank != other.rank ? rank < other.rank : number < other.number;
  }
};

constexpr auto is_end = [](const letter& l) { return l.is_end; };

std::vector<letter>::iterator first_of(std::vector<letter>& all) {
  return std::min_element(all.begin(), all.end(), [](const letter& a, const letter& b) { return a.comes_before(b); });
}

// The oldest of those letters that would come last.
std::vector<letter>::iterator least_of(std::vector<letter>& all) {
  auto least = all.end();
  for (auto l = all.begin(); l != all.end(); ++l) {
    if (l->is_end) continue;
    const bool is_later =
        least == all.end() || l->epoch > least->epoch || (l->epoch == least->epoch && l->rank > least->rank);
    if (is_later) least = l;  // `all` is in the order in which they came
  }
  return least;
}

}  // namespace

TEST_CASE("ranked messages: whatever comes and goes, the first is first, and the oldest of the last rank gives way",
          "[actors]") {
  TACT_SEEDED(seed);
  tact::support::dice dice(seed);
  for (int round = 0; round < 200; ++round) {
    tact::actors::ranked_messages<letter> ranked;
    std::vector<letter> all;
    int epoch = 0;
    for (int i = 0; i < 100; ++i) {
      constexpr std::int64_t ranks[] = {std::numeric_limits<std::int64_t>::min(), -1, 0, 1,
                                        std::numeric_limits<std::int64_t>::max()};
      const std::int64_t rank = ranks[dice.below(5)];
      const auto what = dice.below(8);
      if (what == 0) {
        all.push_back({0, i, epoch++, true});
        ranked.push_end(all.back());
      } else if (what < 5) {
        all.push_back({rank, i, epoch, false});
        ranked.push(all.back(), rank);
      } else if (what < 7 && !all.empty()) {
        const auto first = first_of(all);
        REQUIRE(ranked.pop_first().number == first->number);
        all.erase(first);
      } else if (const auto least = least_of(all); least != all.end()) {
        const bool is_lower = epoch != least->epoch || rank > least->rank;
        letter taken;
        REQUIRE(ranked.try_pop_before(rank, is_end, taken) == !is_lower);
        if (is_lower) continue;
        REQUIRE(taken.number == least->number);
        all.erase(least);
      }
      REQUIRE(ranked.size() == all.size());
      REQUIRE(ranked.empty() == all.empty());
    }
  }
}

}  // namespace ranked_messages_test
