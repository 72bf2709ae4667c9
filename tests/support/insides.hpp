// The dispatcher of an engine, for tests of what it counts.
#pragma once

#include <cstdint>
#include <vector>

#include "dispatch/dispatcher.hpp"
#include "support/home_of.hpp"
#include "tact/tact.hpp"

namespace tact::support {

// REQUIRES: called in a handler.
dispatch::dispatcher& dispatcher_of_this_worker();
// REQUIRES: called in a handler.
unsigned number_of_this_worker();

// Gives so many free cells of this worker's engine an age of so many lives; returns their addresses in their youth.
// REQUIRES: called in a handler.
std::vector<detail::port> age_cells(unsigned count, unsigned lives);
bool is_used_up(detail::port p);

// Gives back to the system a piece of the memory of cells and of timers, as workers do when all have been idle for a
// while. False: there was nothing left.
bool trim_cells(detail::core& inside);
inline bool trim_cells(engine& e) { return trim_cells(detail::access::core_of(e)); }
// How many bytes the cells of this engine take.
std::uint64_t bytes_of_cells(detail::core& inside);
inline std::uint64_t bytes_of_cells(engine& e) { return bytes_of_cells(detail::access::core_of(e)); }

struct where_am_i {
  using reply = dispatch::dispatcher*;
};
struct guide : protocol<request<where_am_i>> {};

inline dispatch::dispatcher& inside_of(engine& e) {
  const auto g = e.create(behavior<guide>{[](auto& self, const request<where_am_i>& m) {
                            self.reply(m, &dispatcher_of_this_worker());
                            self.stop();
                          }},
                          tact::parallel);
  return *e.ask(g, where_am_i{});
}

// A counter of the workers, summed.
template <class Counter>
std::uint64_t sum_of(const dispatch::dispatcher& inside, Counter counter) {
  std::uint64_t sum = 0;
  for (const auto& w : inside.workers()) sum += (w->counters().*counter).read();
  return sum;
}

}  // namespace tact::support
