// Thread ring, for every runtime: a token goes round a ring of actors, then an exit. Source: Savina.
#pragma once

#include "programs/program.hpp"

namespace bench {

struct thread_ring_setting {
  thread_ring_setting(program& p, std::uint64_t one_thread, std::uint64_t several)
      : actors(p.number("actors", 1000, 10, "actors of the ring", 2)),
        hops(p.number("hops", p.threads() == 1 ? one_thread : several, 1003, "times that the token is handed on")) {}
  // A ref of the next, one token for each hop and the first, one exit for each actor.
  [[nodiscard]] std::uint64_t messages() const { return actors + (hops + 1) + actors; }

  std::uint64_t actors;
  std::uint64_t hops;
};

// What one actor did.
struct thread_ring_record {
  std::uint64_t pings = 0;
  std::uint64_t exits = 0;
  bool last_ping = false;
};

// record(i) of actor i.
template <class Record>
void check_thread_ring(program& p, const thread_ring_setting& s, Record record) {
  std::uint64_t pings = 0;
  for (std::uint64_t i = 0; i < s.actors; ++i) {
    const thread_ring_record& r = record(i);
    pings += r.pings;
    p.check_equal(r.exits, 1, "exits of an actor");
    p.check_equal(r.pings, s.hops / s.actors + (i <= s.hops % s.actors), "tokens of an actor");
    p.check(r.last_ping == (i == s.hops % s.actors), "the last token came to another actor");
  }
  p.check_equal(pings, s.hops + 1, "tokens");
}

}  // namespace bench
