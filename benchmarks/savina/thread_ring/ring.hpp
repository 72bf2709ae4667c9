// What the runtimes of the thread ring share: how many messages it takes, and what each actor does.
#pragma once

#include <vector>

#include "savina/parameters.hpp"

namespace bench {

struct ring_setting {
  explicit ring_setting(savina_parameters& p)
      : actors(p.number("actors", {100, 1'200, 10}, "actors of the ring", 2)),
        hops(p.number("hops", {100'000, 1'200'000, 1'003}, "times that the token is handed on", 0)) {}
  // A ref of the next, one token for each hop and the first, one exit for each actor.
  [[nodiscard]] std::uint64_t messages() const { return actors + (hops + 1) + actors; }

  std::uint64_t actors;
  std::uint64_t hops;
};

// What one actor did.
struct ring_record {
  std::uint64_t tokens = 0;
  std::uint64_t exits = 0;
  bool last_token = false;
};

inline void check_ring(program& p, const ring_setting& s, const std::vector<ring_record>& found) {
  std::uint64_t tokens = 0;
  for (std::uint64_t i = 0; i < s.actors; ++i) {
    tokens += found[i].tokens;
    p.check_equal(found[i].tokens, s.hops / s.actors + (i <= s.hops % s.actors), "tokens of an actor");
    p.check_equal(found[i].exits, 1, "exits of an actor");
    p.check(found[i].last_token == (i == s.hops % s.actors), "the last token came to another actor");
  }
  p.check_equal(tokens, s.hops + 1, "tokens");
}

}  // namespace bench
