// Runs whose failure is told to their own actor, which then makes up for it.
#pragma once

#include "tact/detail/access.hpp"
#include "tact/self.hpp"

namespace tact::detail {

// If the run fails in which it is made, the engine tells the actor by tact::failure; it stands at the beginning of a
// handler whose message comes only once and must not be lost. Meanwhile the run cannot fail for want of memory.
// REQUIRES: the protocol lists tact::failure, and the message is no request.
template <class P>
class told_of_own_failure {
 public:
  explicit told_of_own_failure(const self<P>& self) noexcept : self_(self) {
    owe(access::run_of(self_), self_port(access::run_of(self_)));
  }
  told_of_own_failure(const told_of_own_failure&) = delete;
  told_of_own_failure& operator=(const told_of_own_failure&) = delete;
  ~told_of_own_failure() { settle_debt(access::run_of(self_), self_port(access::run_of(self_))); }

 private:
  const unfailing sure_{};
  const self<P>& self_;
};

}  // namespace tact::detail
