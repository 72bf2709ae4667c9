// A request that waits in an actor, such as a serializer.
#pragma once

#include <atomic>
#include <utility>

#include "tact/context.hpp"
#include "tact/detail/access.hpp"
#include "tact/failure.hpp"
#include "tact/ref.hpp"
#include "tact/request.hpp"

namespace tact::detail {

// A request that waits for its turn. If it is destroyed after it was accepted and before its turn, its customer is told
// that it will not be answered.
template <class Q>
struct waiting_request {
  // `if_lost` is the text of the failure, a literal.
  waiting_request(const request<Q>& m, context c,
                  const char* if_lost = "the serializer ended while the request waited in it")
      : asked(m), in(std::move(c)), text_(if_lost) {}
  waiting_request(const waiting_request&) = delete;
  waiting_request& operator=(const waiting_request&) = delete;
  ~waiting_request() {
    if (!accepted || served) return;
    const unfailing sure;
    try {
      send_anywhere(access::make_ref<failure>(access::port_of(asked.customer)),
                    failure{failure_reason::target_ended, text_});
    } catch (...) {
      // Memory is exhausted: the asker waits until its limit, or until the engine's end.
    }
  }

  const request<Q> asked;
  const context in;                   // the context of the request
  std::atomic<bool> accepted{false};  // the run that put it into the queue has committed
  std::atomic<bool> served{false};    // the request has had its turn, or was refused

 private:
  const char* const text_;
};

}  // namespace tact::detail
