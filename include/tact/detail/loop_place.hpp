// The place of a tact::loop in its engine: the calls for it are in loops.hpp.
#pragma once

#include <cstdint>

namespace tact::detail {

struct loop_place {
  void* gate = nullptr;  // the actors::engine_gate of the engine, which may have ended
  std::uint64_t engine_serial = 0;
  std::uint32_t shard = 0;
  const void* thread = nullptr;  // the thread that opened the loop
};

}  // namespace tact::detail
