// How an actor hears of a run of its own that failed although it had to go on.
#pragma once

#include "tact/detail/access.hpp"
#include "tact/detail/core.hpp"
#include "tact/self.hpp"

namespace tact::detail {

// If this run fails, `who` is told by tact::failure.
template <class R>
void tell_if_it_fails(transaction& tx, ref<R> who) noexcept {
  run& r = access::run_of(tx);
  owe(r, access::port_of(who));
  settle_debt(r, access::port_of(who));
}

// Stands at the beginning of a handler whose message comes only once, and must not be lost: the end of a lease, of a
// turn, of a member. The run does not fail for want of memory; if it fails for another reason, the actor itself is told
// by tact::failure, which its protocol lists. When it hears that, it watches again what it watches: a new monitor of an
// actor that has ended tells that at once.
class sure_run {
 public:
  template <class P>
  explicit sure_run(self<P>& self) noexcept {
    tell_if_it_fails(self, self.ref());
  }
  sure_run(const sure_run&) = delete;
  sure_run& operator=(const sure_run&) = delete;
  ~sure_run() = default;

 private:
  const unfailing from_the_reserve_{};
};

}  // namespace tact::detail
