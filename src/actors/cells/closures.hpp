// How closures end.
#pragma once

#include "tact/detail/core.hpp"

namespace tact::actors {

// Calls the destructor of a closure. It is the user's code, and no part of a transaction.
void call_destructor(detail::closure& c, allocation how) noexcept;
// Ends a closure. A plain one needs no destructor: its block is freed.
inline void end_closure(detail::closure& c, allocation how) noexcept {
  if (c.type->plain_block != detail::large_block) return detail::free_pooled(&c, c.type->plain_block);
  call_destructor(c, how);
}

}  // namespace tact::actors
