// How an actor learns that a run of its own has failed.
#pragma once

#include "tact/detail/access.hpp"
#include "tact/self.hpp"

namespace tact::detail {

// If this run throws, the engine sends tact::failure to this actor itself. For messages that are told once and owe no
// answer: the actor would wait for ever for what the failed run was told.
template <class P>
void hear_own_failure(self<P>& self) noexcept {
  run& r = access::run_of(self);
  const port me = access::port_of(self.ref());
  owe(r, me);
  settle_debt(r, me);  // a run that commits owes nothing
}

}  // namespace tact::detail
