// Where actors live on the thread of an event loop: loops.hpp.
#pragma once

#include <cstdint>

namespace tact::detail {

class core;

struct loop_place {
  core* engine = nullptr;
  std::uint32_t shard = 0;
  const void* thread = nullptr;  // that opened it
};

}  // namespace tact::detail
