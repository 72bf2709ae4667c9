// tact::tee and tact::splay: relays that send each message to several actors.
#include "tact/detail/begin.hpp"  // first
#pragma once

#include <type_traits>
#include <utility>
#include <vector>

#include "tact/behavior.hpp"
#include "tact/forwarder.hpp"
#include "tact/ref.hpp"
#include "tact/transaction.hpp"

namespace tact {

// engine.create(tact::tee<line>(desk, {log, screen}))
//
// Sends a copy of each message to every ref of `also`, in their order, and passes the message itself on to `to`. What
// one sender sends arrives at each of them in that order. For plain messages; of a request, `to` and `also` would
// answer together. Source: Lisp-Actors.
template <class M>
[[nodiscard]] behavior<M> tee(ref<M> to, std::vector<ref<M>> also) {
  static_assert(std::is_copy_constructible_v<M>, "tact::tee: each actor is sent a copy, so M must be copyable");
  static_assert(!detail::has_customer<M>,
                "tact::tee: all actors would answer a request, of which the first counts; use tact::first_of");
  return {[to, also = std::move(also)](transaction& tx, const M& m) {
    tx.send_all(also, m);
    detail::hand_over(tx, to, m);
  }};
}

// Sends a copy of each message to every ref of `to`, in their order. What one sender sends arrives at each of them in
// that order. For plain messages; several actors that are sent one request ask tact::first_of or all_of. Source:
// Lisp-Actors.
template <class M>
[[nodiscard]] behavior<M> splay(std::vector<ref<M>> to) {
  static_assert(std::is_copy_constructible_v<M>, "tact::splay: each actor is sent a copy, so M must be copyable");
  static_assert(!detail::has_customer<M>,
                "tact::splay: of a request only the first answer counts; use tact::first_of, any_ok or all_of");
  return {[to = std::move(to)](transaction& tx, const M& m) { tx.send_all(to, m); }};
}

}  // namespace tact

#include "tact/detail/end.hpp"  // last
