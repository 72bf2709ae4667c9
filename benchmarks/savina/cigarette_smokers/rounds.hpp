// What the runtimes of the cigarette smokers share: which smokes in each round, for how long, and what all have done in
// the end. The suite's smokers tell the arbiter that they smoke, and do so in the same handler, while it goes on. Here
// to smoke is a message of their own, because what a handler of tact sends leaves when it returns.
#pragma once

#include <vector>

#include "savina/parameters.hpp"
#include "savina/random.hpp"
#include "savina/work.hpp"

namespace bench {

struct cigarette {
  std::uint32_t smoker;
  std::uint64_t draws;  // it lasts so long
};

// Of the arbiter.
class cigarettes {
 public:
  cigarettes(std::uint64_t rounds, std::uint64_t smokers) : smokers_(smokers), dice_(rounds * smokers) {}
  cigarette next() {
    const auto smoker = static_cast<std::uint32_t>(dice_.below(smokers_));
    return {smoker, dice_.below(1'000) + 10};
  }

 private:
  std::uint64_t smokers_;
  savina_random dice_;
};

struct smoker_record {
  std::uint64_t cigarettes = 0;
  std::uint64_t draws = 0;
};

struct smoking {
  explicit smoking(savina_parameters& p)
      : rounds(p.number("rounds", {1'000, 100'000, 50}, "cigarettes that are smoked")),
        smokers(p.number("smokers", {200, 1'000, 6}, "smokers")) {}

  // To start; each cigarette, that it is lit, and smoked; the ends.
  [[nodiscard]] std::uint64_t messages() const { return 1 + 3 * rounds + smokers.size(); }

  static std::vector<smoker_record> expected(std::uint64_t rounds, std::uint64_t smokers) {
    cigarettes all(rounds, smokers);
    std::vector<smoker_record> of(smokers);
    for (std::uint64_t i = 0; i < rounds; ++i) {
      const cigarette one = all.next();
      ++of[one.smoker].cigarettes;
      of[one.smoker].draws += one.draws;
    }
    return of;
  }
  void check(program& p) const {
    std::uint64_t draws = 0, numbers = 0;
    const auto usual = expected(1'000, 200);
    for (std::size_t i = 0; i < usual.size(); ++i) {
      draws += usual[i].draws;
      numbers += i * usual[i].cigarettes;
    }
    p.check_equal(draws, 494'000, "how long 1000 cigarettes of 200 smokers last");
    p.check_equal(numbers, 102'328, "the sum of the numbers of their smokers");

    const auto right = expected(rounds, smokers.size());
    for (std::size_t i = 0; i < smokers.size(); ++i) {
      p.check_equal(smokers[i].cigarettes, right[i].cigarettes, "cigarettes of one smoker");
      p.check_equal(smokers[i].draws, right[i].draws, "how long one smoker smoked");
    }
  }

  std::uint64_t rounds;
  std::vector<smoker_record> smokers;
};

}  // namespace bench
