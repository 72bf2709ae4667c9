// The answers of a service that a relay asks on behalf of its clients.
#pragma once

#include <type_traits>
#include <utility>

#include "tact/detail/access.hpp"
#include "tact/detail/copied_failure.hpp"
#include "tact/failure.hpp"
#include "tact/ref.hpp"
#include "tact/request.hpp"
#include "tact/transaction.hpp"

namespace tact::detail {

// A copy of the failure whose text begins with `how`; without memory for its texts it has the reason only.
inline failure with_prefix(const char* how, const failure& f) noexcept {
  try {
    return {f.reason, how + f.what, f.causes};
  } catch (...) {
    return {f.reason, {}};
  }
}

// The two functions of an ask whose answer, or failure, goes to `customer`. If their run fails the engine tells it.
template <class R>
struct relayed_answer {
  void operator()(transaction& tx, R& answer) const {
    owe(access::run_of(tx), access::port_of(customer));
    tx.send(customer, std::move(answer));
  }
  void operator()(transaction& tx, const failure& f) const {
    owe(access::run_of(tx), access::port_of(customer));
    tx.fail(customer, as_far_as_memory_goes(f));
  }

  ref<R> customer;
};

// As request, with the customer of another one; for messages that a part sends itself on behalf of that request.
template <class Q, class Body>
request<Body> in_the_name_of(const request<Q>& m, Body body) {
  return {m.customer, std::move(body)};
}

}  // namespace tact::detail
