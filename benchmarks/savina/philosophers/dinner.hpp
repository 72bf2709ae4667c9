// What the runtimes of the philosophers share: the forks, and what must have happened in the end.
#pragma once

#include <bitset>
#include <vector>

#include "savina/parameters.hpp"

namespace bench {

// One to the right of each seat, one to its left. Copied without an allocation.
class forks {
 public:
  static constexpr std::size_t seats_max = 1'024;

  explicit forks(std::size_t seats) : seats_(seats) {}
  [[nodiscard]] bool are_free(std::size_t seat) const { return !taken_[seat] && !taken_[left_of(seat)]; }
  void take(std::size_t seat) { taken_[seat] = taken_[left_of(seat)] = true; }
  // Were both taken? If not, another one has put one back: two neighbours had it.
  [[nodiscard]] bool put_back(std::size_t seat) {
    const bool were_taken = taken_[seat] && taken_[left_of(seat)];
    taken_[seat] = taken_[left_of(seat)] = false;
    return were_taken;
  }
  [[nodiscard]] bool are_all_free() const { return taken_.none(); }

 private:
  [[nodiscard]] std::size_t left_of(std::size_t seat) const { return seat + 1 == seats_ ? 0 : seat + 1; }

  std::size_t seats_;
  std::bitset<seats_max> taken_;
};

struct philosopher_record {
  std::uint64_t meals = 0;
  std::uint64_t asked = 0;
  std::uint64_t denied = 0;
};

struct dinner {
  explicit dinner(savina_parameters& p)
      : meals(p.number("meals", {10'000, 40'000, 20}, "meals of each philosopher")),
        philosophers(p.number("philosophers", {20, 80, 5}, "philosophers", 2)) {
    p.of().require(philosophers.size() <= forks::seats_max, "--philosophers is at most 1024");
  }

  // For each meal a start, a request, its grant, and the end; requests that were denied and their answers; goodbye.
  [[nodiscard]] std::uint64_t messages() const {
    std::uint64_t sum = 0;
    for (const philosopher_record& one : philosophers) sum += 4 * meals + 2 * one.denied + 1;
    return sum;
  }
  void check(program& p) const {
    for (const philosopher_record& one : philosophers) {
      p.check_equal(one.meals, meals, "meals of one philosopher");
      p.check_equal(one.denied, one.asked - meals, "requests of one philosopher that were denied");
    }
    p.check_equal(shared, 0, "meals for which two neighbours had one fork");
    p.check(cleared, "some forks are not free in the end");
  }

  std::uint64_t meals;
  std::vector<philosopher_record> philosophers;
  std::uint64_t shared = 0;
  bool cleared = false;
};

}  // namespace bench
