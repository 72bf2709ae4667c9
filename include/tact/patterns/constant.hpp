// tact::constant: a service that gives the same answer to every request.
#include "tact/detail/begin.hpp"  // first
#pragma once

#include <type_traits>
#include <utility>

#include "tact/behavior.hpp"
#include "tact/request.hpp"
#include "tact/transaction.hpp"

namespace tact {

// engine.create(tact::constant<balance>(0), tact::parallel)
//
// Answers each request with a copy of `value`. Source: Lisp-Actors.
template <class Q>
[[nodiscard]] behavior<request<Q>> constant(typename request<Q>::reply value) {
  static_assert(std::is_copy_constructible_v<typename request<Q>::reply>,
                "tact::constant: each request is answered with a copy, so the reply must be copyable");
  return {[value = std::move(value)](transaction& tx, const request<Q>& m) { tx.send(m.customer, value); }};
}

}  // namespace tact

#include "tact/detail/end.hpp"  // last
