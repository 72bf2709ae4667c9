// What programs that ask have in common: actors that answer, and actors that ask one question after the other.
#pragma once

#include <cstdint>
#include <vector>

#include "programs/engine.hpp"

namespace bench {

struct next_after {
  using reply = std::uint64_t;
  std::uint64_t number;
};
using request = tact::request<next_after>;

inline tact::behavior<request> open_service() {
  return {[](auto& self, const request& m) { self.reply(m, m.body.number + 1); }};
}

// Asks so many questions, one after the other; the engine is idle when all clients have done so.
struct begin {
  std::uint64_t left;
};

// A client counts its answers itself: they come one after the other.
// `open_client(service, &answered)` is the behaviour of one.
template <class OpenClient>
int ask_by_actors(program& p, tact::engine& engine, tact::ref<request> service, std::uint64_t clients,
                  std::uint64_t asks, OpenClient open_client) {
  std::vector<std::uint64_t> answered(clients);
  std::vector<tact::ref<begin>> all;
  for (auto& count : answered) all.push_back(engine.create(open_client(service, &count)));
  stopwatch watch;
  for (const auto c : all) engine.send(c, begin{asks / clients});
  engine.wait_idle();
  watch.stop();
  std::uint64_t sum = 0;
  for (const auto count : answered) sum += count;
  p.check_equal(sum, asks / clients * clients, "answers");
  p.check_equal(engine.statistics().dead_letters + engine.statistics().failures, 0, "dead letters and failures");
  return p.report(watch, sum);
}

}  // namespace bench
