// The place of a tact::loop in its engine: the calls for it are in loops.hpp.
#pragma once

#include <cstdint>

namespace tact::detail {

class core;

struct loop_place {
  core* engine = nullptr;
  std::uint32_t shard = 0;
  const void* thread = nullptr;  // the thread that opened the loop
};

}  // namespace tact::detail
