// A request in the queue of a serializer.
#pragma once

#include <atomic>
#include <utility>

#include "tact/context.hpp"
#include "tact/detail/access.hpp"
#include "tact/failure.hpp"
#include "tact/ref.hpp"
#include "tact/request.hpp"

namespace tact::detail {

// A request that waits for its turn. When it goes after it was accepted, and before its turn, its customer is told.
template <class Q>
struct waiting_request {
  waiting_request(const request<Q>& m, context c) : asked(m), in(std::move(c)) {}
  waiting_request(const waiting_request&) = delete;
  waiting_request& operator=(const waiting_request&) = delete;
  ~waiting_request() {
    if (!accepted || served) return;
    try {
      send_anywhere(access::make_ref<failure>(access::port_of(asked.customer)),
                    failure{failure_reason::target_ended, "the serializer ended while the request waited in it"});
    } catch (...) {
      // Memory is exhausted: its asker waits until its limit, or the engine's end.
    }
  }

  const request<Q> asked;
  const context in;                   // of who asked
  std::atomic<bool> accepted{false};  // the run that let it wait has committed
  std::atomic<bool> served{false};    // so has the one that let it through
};

}  // namespace tact::detail
