// A relay that passes every message of a protocol on, and looks at what passes and at the answers.
#pragma once

#include <type_traits>
#include <utility>

#include "tact/behavior.hpp"
#include "tact/detail/copied_failure.hpp"
#include "tact/detail/forwarding.hpp"
#include "tact/detail/message_type.hpp"
#include "tact/failure.hpp"
#include "tact/patterns/detail/sure_run.hpp"
#include "tact/protocol.hpp"
#include "tact/ref.hpp"
#include "tact/request.hpp"
#include "tact/transaction.hpp"

namespace tact::detail {

// Look has, all const: passes(message); asks(query), which returns what is known of this request; answered(known,
// answer); and failed(known, failure).
template <class P, class Look>
struct looking_relay {
  template <class M>
    requires accepts<P, M>
  void operator()(transaction& tx, const M& m) const {
    if constexpr (has_customer<M>) {
      pass_request(tx, m);
    } else {
      look.passes(m);
      hand_over(tx, to, m);
    }
  }

  // The customer is one of the relay's own, without a limit of its own: so the answer, or the failure, comes whenever
  // it would have come without the relay, and goes on to the customer of the request.
  template <class Q>
  void pass_request(transaction& tx, const request<Q>& m) const {
    static_assert(std::is_copy_constructible_v<Q>,
                  "tact::inspect::timed, watched: a request goes on with a copy of its query, so that is copyable");
    using R = typename request<Q>::reply;
    const ref<R> customer = m.customer;
    const auto known = look.asks(m.body);
    const auto own = tx.beta(
        [customer, known, look = look](transaction& later, R& answer) {
          tell_if_it_fails(later, customer);
          look.answered(known, answer);
          later.send(customer, std::move(answer));
        },
        [customer, known, look = look](transaction& later, const failure& f) {
          tell_if_it_fails(later, customer);
          look.failed(known, f);
          later.fail(customer, as_far_as_memory_goes(f));
        });
    tx.send(to, request<Q>{own, m.body});
    tx.defer(m);
  }

  ref<P> to;
  Look look;
};

}  // namespace tact::detail
