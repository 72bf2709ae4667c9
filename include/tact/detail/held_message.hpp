// A message that an actor holds back for later.
#pragma once

#include <atomic>
#include <memory>
#include <type_traits>
#include <utility>

#include "tact/context.hpp"
#include "tact/detail/access.hpp"
#include "tact/detail/counted.hpp"
#include "tact/detail/message_type.hpp"
#include "tact/failure.hpp"
#include "tact/ref.hpp"
#include "tact/transaction.hpp"

namespace tact::detail {

// The message, in its context. If it is a request, and is destroyed after it was accepted and before it is gone, its
// customer is told that it will not be answered. `host` names the kind of actor that holds it, by a text that is never
// destroyed.
template <class M>
struct held_message {
  held_message(const M& m, context c, const char* host) : message(m), in(std::move(c)), host_(host) {}
  held_message(const held_message&) = delete;
  held_message& operator=(const held_message&) = delete;
  ~held_message() {
    if (!accepted || gone) return;
    const unfailing sure;  // nothing else will tell the customer
    try {
      send_anywhere(customer(), why_unanswered());
    } catch (...) {
      // The engine is gone, and has told its askers.
    }
  }
  // The customer that is to be told; none for a message that is no request.
  [[nodiscard]] ref<failure> customer() const noexcept {
    if constexpr (has_customer<M>) return access::make_ref<failure>(customer_of<M>(std::addressof(message)));
    return {};
  }

  const M message;
  const context in;
  std::atomic<bool> accepted{false};  // it is a request, and the run that held it back has committed
  std::atomic<bool> gone{false};      // it was sent on, has had its turn, or its customer was told

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

  const char* const host_;
};

template <class M>
using held = counted<held_message<M>>;

// Holds back a message that is handled now, and defers it if it is a request. The caller keeps the result in the next
// behaviour. Costs for a request a message: the function that notes at the commit that it waits.
template <class M>
held<M> hold_back(transaction& tx, const M& m, const char* host = "actor") {
  auto kept = held<M>::make(m, tx.context(), host);
  if constexpr (has_customer<M>) {
    tx.defer(m);
    tx.on_commit([kept] { kept->accepted = true; });
  }
  return kept;
}

}  // namespace tact::detail
