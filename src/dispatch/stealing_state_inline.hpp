// The functions of the stealing state that are inlined.
#pragma once

#include <cstdint>

#include "dispatch/dispatcher.hpp"
#include "dispatch/stealing_state.hpp"

namespace tact::dispatch {

inline bool stealing_state::steals() const noexcept { return victims_ != nullptr && owner_.running() > 1; }

inline bool stealing_state::is_idle(unsigned worker) const noexcept {
  return owner_.workers()[worker]->stamp() == steal_view::no_stamp;
}

inline bool stealing_state::is_behind(unsigned worker) const noexcept {
  const std::uint64_t stamp = owner_.workers()[worker]->stamp();
  return stamp != steal_view::no_stamp && stamp < ticks();
}

}  // namespace tact::dispatch
