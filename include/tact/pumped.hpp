// tact::pumped: what a call of engine.pump has done.
#include "tact/detail/begin.hpp"  // first
#pragma once

#include <cstddef>
#include <iosfwd>
#include <limits>

namespace tact {

// For pump: any number of messages.
inline constexpr std::size_t unlimited = (std::numeric_limits<std::size_t>::max)();

// The result of pump: how much it did, and whether it must be called again.
struct pumped {
  std::size_t handled = 0;  // messages that were handled
  // True: something waits. Pump again, soon, because engine_options::on_wake will not be called for it. False: on_wake
  // will be called when something comes, and when a thread that waits for the engine, and runs it meanwhile, leaves
  // something behind.
  bool more = false;
};
std::ostream& operator<<(std::ostream&, const pumped&);

}  // namespace tact

#include "tact/detail/end.hpp"  // last
