// How many pings each actor of big gets, whatever the schedule.
#pragma once

#include <vector>

#include "programs/program.hpp"
#include "savina/random.hpp"

namespace bench {

inline std::vector<std::uint64_t> expected_pings(std::uint64_t actors, std::uint64_t pings) {
  std::vector<std::uint64_t> of(actors);
  for (std::uint64_t i = 0; i < actors; ++i) {
    savina_random dice(i);
    for (std::uint64_t n = 0; n < pings; ++n) ++of[dice.below(actors)];
  }
  return of;
}

struct big_record {
  std::uint64_t pings = 0;   // that it got
  std::uint64_t strays = 0;  // pongs of others than it had asked
};

inline void check_big(program& p, const std::vector<big_record>& found, std::uint64_t pings) {
  const auto expected = expected_pings(found.size(), pings);
  for (std::size_t i = 0; i < found.size(); ++i) {
    p.check_equal(found[i].pings, expected[i], "pings that one actor got");
    p.check_equal(found[i].strays, 0, "pongs of others than were asked");
  }
}

}  // namespace bench
