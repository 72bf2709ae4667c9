// tact::labeller: a relay that says by which way a message came.
#include "tact/detail/begin.hpp"  // first
#pragma once

#include <type_traits>
#include <utility>

#include "tact/behavior.hpp"
#include "tact/detail/message_type.hpp"
#include "tact/ref.hpp"
#include "tact/transaction.hpp"

namespace tact {

// A message, and the label of the relay through which it came.
template <class L, class M>
struct labelled {
  L label;
  M message;
};

// const tact::ref<line> left = engine.create(tact::labeller<line>(desk, side::left), tact::parallel);
//
// Sends each message of type M to `to` as a labelled<L, M>, with a copy of `label`. So an actor that gives each sender
// a relay of its own can tell by which way a message came, and no sender can pretend. For plain messages only: the
// engine would not see a request that lies inside another message. Source: Lisp-Actors.
template <class M, class L>
[[nodiscard]] behavior<M> labeller(ref<labelled<L, M>> to, std::type_identity_t<L> label) {
  static_assert(!detail::has_customer<M>,
                "tact::labeller: a request inside of another message would not be told of its end, so M is no request");
  static_assert(std::is_copy_constructible_v<L> && std::is_copy_constructible_v<M>,
                "tact::labeller: the label and the message are copied, so both must be copyable");
  return {[to, label = std::move(label)](transaction& tx, const M& m) { tx.send(to, labelled<L, M>{label, m}); }};
}

// Names of earlier versions; they go with the next one.
template <class M, class L>
[[deprecated("use tact::labeller")]] [[nodiscard]] behavior<M> label(ref<labelled<L, M>> to,
                                                                     std::type_identity_t<L> label) {
  return labeller<M>(to, std::move(label));
}

}  // namespace tact

#include "tact/detail/end.hpp"  // last
