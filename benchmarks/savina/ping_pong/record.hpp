// What the runtimes of ping-pong share.
#pragma once

#include "programs/program.hpp"

namespace bench {

// What the two actors had counted at their ends.
struct ping_pong_record {
  std::uint64_t pings = 0;
  std::uint64_t pongs = 0;
};

inline void check_ping_pong(program& p, const ping_pong_record& found, std::uint64_t rounds) {
  p.check_equal(found.pings, rounds, "pings");
  p.check_equal(found.pongs, rounds, "pongs");
}

}  // namespace bench
