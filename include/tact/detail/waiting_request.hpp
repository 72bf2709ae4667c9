// A request that waits in an actor, such as a serializer.
#pragma once

#include <atomic>
#include <string>
#include <string_view>
#include <utility>

#include "tact/context.hpp"
#include "tact/detail/access.hpp"
#include "tact/failure.hpp"
#include "tact/ref.hpp"
#include "tact/request.hpp"

namespace tact::detail {

// A request that waits for its turn. If it is destroyed after it was accepted and before its turn, its customer is told
// that it will not be answered. `host` names the kind of actor in which it waits; it is read for as long as this lives.
template <class Q>
struct waiting_request {
  waiting_request(const request<Q>& m, context c, std::string_view host = "serializer")
      : asked(m), in(std::move(c)), host_(host) {}
  waiting_request(const waiting_request&) = delete;
  waiting_request& operator=(const waiting_request&) = delete;
  ~waiting_request() {
    if (!accepted || served) return;
    const unfailing sure;  // nothing else will tell the customer
    try {
      send_anywhere(access::make_ref<failure>(access::port_of(asked.customer)), why_unanswered());
    } catch (...) {
      // The engine is gone, and has told its askers.
    }
  }

  const request<Q> asked;
  const context in;                   // the context of the request
  std::atomic<bool> accepted{false};  // the run that put it into the queue has committed
  std::atomic<bool> served{false};    // the request has had its turn, or was refused

 private:
  // Without memory for its text the failure has the reason only.
  [[nodiscard]] failure why_unanswered() const noexcept {
    failure f{failure_reason::target_ended, {}};
    try {
      f.what.append("the ").append(host_).append(" ended while the request waited in it");
    } catch (...) {
      f.what.clear();
    }
    return f;
  }

  const std::string_view host_;
};

}  // namespace tact::detail
