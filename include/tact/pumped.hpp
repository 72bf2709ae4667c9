// What engine.pump says: how much it did, and whether to come back.
#pragma once

#include <cstddef>
#include <limits>

namespace tact {

// For engine.pump.
inline constexpr std::size_t unlimited = std::numeric_limits<std::size_t>::max();

struct pumped {
  std::size_t handled = 0;  // messages
  // Something waits: pump again, soon; nobody will call engine_options::on_wake for it. False: it will be called when
  // something comes, and when a thread that waits for the engine, and runs it meanwhile, leaves something behind.
  bool more = false;
};

}  // namespace tact
