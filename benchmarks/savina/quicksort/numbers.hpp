// What the runtimes of quicksort share: its numbers, how they are split and sorted, and whether the result is right.
#pragma once

#include <algorithm>
#include <memory>
#include <span>
#include <utility>
#include <vector>

#include "savina/parameters.hpp"
#include "savina/random.hpp"

namespace bench {

using number = std::uint64_t;
using numbers = std::vector<number>;
using shared_numbers = std::shared_ptr<const numbers>;

// Those below the middle one, those like it, and those above it, each in the order that they had.
struct three_parts {
  numbers less;
  numbers same;
  numbers greater;
};

inline three_parts split(const numbers& all) {
  const number pivot = all[all.size() / 2];
  const auto less = std::count_if(all.begin(), all.end(), [=](number n) { return n < pivot; });
  const auto same = std::count(all.begin(), all.end(), pivot);
  three_parts parts;
  parts.less.reserve(static_cast<std::size_t>(less));
  parts.same.assign(static_cast<std::size_t>(same), pivot);
  parts.greater.reserve(all.size() - static_cast<std::size_t>(less + same));
  for (const number n : all) {
    if (n < pivot) {
      parts.less.push_back(n);
    } else if (n > pivot) {
      parts.greater.push_back(n);
    }
  }
  return parts;
}

inline numbers concatenate(const three_parts& parts) {
  numbers all;
  all.reserve(parts.less.size() + parts.same.size() + parts.greater.size());
  for (const numbers* part : {&parts.less, &parts.same, &parts.greater}) {
    all.insert(all.end(), part->begin(), part->end());
  }
  return all;
}

// In place; the pivot is the middle one here too.
inline void sort_three_ways(std::span<number> all) {
  if (all.size() < 2) return;
  const number pivot = all[all.size() / 2];
  std::size_t less = 0;
  std::size_t greater = all.size();
  for (std::size_t next = 0; next < greater;) {
    if (all[next] < pivot) {
      std::swap(all[less++], all[next++]);
    } else if (all[next] > pivot) {
      std::swap(all[next], all[--greater]);
    } else {
      ++next;
    }
  }
  sort_three_ways(all.first(less));
  sort_three_ways(all.subspan(greater));
}

class quicksort_setting {
 public:
  explicit quicksort_setting(savina_parameters& p)
      : input(draw(p.number("numbers", {1'000'000, 40'000'000, 2'000}, "numbers to sort"))),
        threshold(p.number("threshold", {2'048, 2'048, 64}, "an actor that gets fewer sorts them itself")),
        actors(count_actors(*input)) {}

  // Each actor gets numbers, and all but the first one send theirs back.
  [[nodiscard]] std::uint64_t messages() const { return 2 * actors - 1; }

  void check(program& p, const numbers& found) const {
    numbers expected = *input;
    std::sort(expected.begin(), expected.end());
    p.check(found == expected, "the same numbers in order");
    if (input->size() == 1'000'000 && threshold == 2'048) p.check_equal(actors, 1'939, "actors that are needed");
  }

  shared_numbers input;
  std::uint64_t threshold;
  std::uint64_t actors;  // that are needed, whatever the schedule

 private:
  // The suite's bound of 2^60 cuts nothing off.
  static shared_numbers draw(std::uint64_t count) {
    numbers drawn(count);
    std::generate(drawn.begin(), drawn.end(), [dice = savina_random(1'024)]() mutable { return dice.next(); });
    return std::make_shared<const numbers>(std::move(drawn));
  }
  [[nodiscard]] std::uint64_t count_actors(const numbers& all) const {
    if (all.size() < threshold) return 1;
    const auto parts = split(all);
    return 1 + count_actors(parts.less) + count_actors(parts.greater);
  }
};

}  // namespace bench
