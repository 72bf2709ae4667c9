// What a handle of a tact::membrane shares with the membrane.
#pragma once

#include <atomic>
#include <cstdint>

namespace tact::detail {

// Thread safety: any thread, concurrently.
struct handle_state {
  std::atomic<bool> is_cut{false};        // what comes is refused
  std::atomic<bool> is_released{false};   // the membrane forgets the handle
  std::atomic<std::uint64_t> refused{0};  // messages, since it was cut
};

}  // namespace tact::detail
