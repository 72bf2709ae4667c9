// The customer of a request that a part gives on: an actor whose end the part watches.
#pragma once

#include <type_traits>

#include "tact/behavior.hpp"
#include "tact/context.hpp"
#include "tact/detail/copied_failure.hpp"
#include "tact/detail/counted.hpp"
#include "tact/detail/held_message.hpp"
#include "tact/failure.hpp"
#include "tact/forwarder.hpp"
#include "tact/patterns/detail/sure_run.hpp"
#include "tact/protocol.hpp"
#include "tact/ref.hpp"
#include "tact/request.hpp"
#include "tact/self.hpp"

namespace tact::detail {

template <class Q>
struct turn_customer : protocol<typename request<Q>::reply, failure> {};

// Passes an answer on in the context of its request. A message that is passed on keeps its own context. So a large
// answer is copied when it has come in another context.
template <class P, class R>
void pass_answer(self<P>& self, const context& in, ref<R> customer, const R& answer) {
  if constexpr (std::is_copy_constructible_v<R>) {
    if (self.context() != in) return with_context(in, [&] { self.send(customer, answer); });
  }
  hand_over(self, customer, answer);
}

// Passes on the answer, or why there is none, and ends. If that run fails the engine tells the customer, and the actor
// ends all the same, by its failure rule. Its end is what the giver watches.
template <class Q>
struct watched_turn {
  using reply = typename request<Q>::reply;
  using self_type = self<turn_customer<Q>>;

  void operator()(self_type& self, const reply& answer) const {
    end(self);
    pass_answer(self, in, customer, answer);
  }
  void operator()(self_type& self, const failure& f) const {
    end(self);
    with_context(in, [&] { self.fail(customer, as_far_as_memory_goes(f)); });
  }

  void end(self_type& self) const {
    if (waited) waited->gone = true;
    tell_if_it_fails(self, customer);
    self.stop();
  }

  ref<reply> customer;
  context in;                 // of the request
  held<request<Q>> waited{};  // null when its turn came at once
};

}  // namespace tact::detail
