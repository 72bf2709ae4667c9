// What the runtimes of the bounded buffer share: how much there is to do, and what must come of it.
#pragma once

#include <algorithm>
#include <cmath>
#include <vector>

#include "savina/parameters.hpp"
#include "savina/random.hpp"

namespace bench {

// The work: adds logarithms of random numbers to x, the same ones for the same cost.
inline double add_logarithms(double x, std::uint64_t cost) {
  savina_random dice(cost);
  for (auto left = std::max<std::uint64_t>(1, 100 * cost); left != 0; --left) x += std::log(dice.real() + 0.01);
  return x;
}

// What a producer has made, or a consumer has got.
struct production_record {
  std::uint64_t items = 0;
  double sum = 0;
  double last = 0;  // item of a producer; all that a consumer has made of its items
};

struct production {
  explicit production(savina_parameters& p)
      : room(p.number("room", {50, 75, 5}, "items that there is room for, more than producers", 2)),
        items(p.number("items", {1'000, 1'500, 20}, "items that each producer makes")),
        making(p.number("making", {25, 25, 1}, "what it costs to make one", 0)),
        using_up(p.number("using", {25, 25, 1}, "what it costs to use one up", 0)),
        producers(p.number("producers", {40, 60, 3}, "producers")),
        consumers(p.number("consumers", {40, 60, 3}, "consumers")) {
    // Otherwise each producer would rest behind its first item, and none of those would wait in the end.
    p.of().require(room > producers.size(), "--room is more than --producers");
  }

  // As many may wait before producers rest: each of the others may be about to bring one.
  [[nodiscard]] std::uint64_t limit() const { return room - producers.size(); }
  // To open; each item goes to the buffer, to a consumer, and lets both say that they are ready; the ends.
  [[nodiscard]] std::uint64_t messages() const {
    return 1 + 4 * producers.size() * items + 2 * producers.size() + consumers.size();
  }

  void check(program& p) const {
    const auto close = [&p](double found, double expected, const char* what) {
      p.check(std::abs(found - expected) <= 1e-9 * std::abs(expected), what);
    };
    close(add_logarithms(0, 25), -11482.378824363414, "the sum of 2500 logarithms");

    // The k-th item of each producer is k times the first.
    const double first = add_logarithms(0, making);
    const auto all_made = static_cast<double>(producers.size() * items);
    const double sum = first * all_made * static_cast<double>(items + 1) / 2;
    production_record made, got;
    for (const production_record& one : producers) {
      p.check_equal(one.items, items, "items that one producer made");
      close(one.last, first * static_cast<double>(items), "the last item of one producer");
      made.sum += one.sum;
    }
    for (const production_record& one : consumers) {
      got.items += one.items;
      got.sum += one.sum;
      got.last += one.last;
    }
    p.check_equal(got.items, producers.size() * items, "items that consumers got");
    close(made.sum, sum, "the sum of what producers made");
    close(got.sum, sum, "the sum of what consumers got");
    close(got.last, sum + all_made * add_logarithms(0, using_up), "the sum of what consumers made of it");
    p.check(most_waiting < room, "there was no room for an item");
  }

  std::uint64_t room;
  std::uint64_t items;
  std::uint64_t making;
  std::uint64_t using_up;
  std::vector<production_record> producers;
  std::vector<production_record> consumers;
  std::uint64_t most_waiting = 0;
};

}  // namespace bench
