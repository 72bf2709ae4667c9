// The calls behind tact::loop, for actors that live on the thread of an event loop.
#pragma once

#include <cstddef>
#include <cstdint>
#include <functional>

#include "tact/detail/core.hpp"
#include "tact/detail/loop_place.hpp"

namespace tact::detail {

// Opens a loop for the calling thread. Throws tact::usage_error in a handler, and when all places are in use.
[[nodiscard]] loop_place open_loop(core&, std::function<void()> wake);
// These two are called by the thread that has opened the loop. pump_loop throws tact::usage_error on another one, and
// when the engine has gone; close_loop says so on stderr then.
[[nodiscard]] pumped pump_loop(const loop_place&, std::size_t most, deadline);
void close_loop(const loop_place&) noexcept;

}  // namespace tact::detail
