// tact::membrane: a behaviour that gives away refs which it can cut, all at once.
#include "tact/detail/language.hpp"  // first
#pragma once

#include <type_traits>

#include "tact/behavior.hpp"
#include "tact/detail/access.hpp"
#include "tact/detail/shared_word.hpp"
#include "tact/detail/sure_run.hpp"
#include "tact/detail/type_name.hpp"
#include "tact/failure.hpp"
#include "tact/failure_rule.hpp"
#include "tact/forwarder.hpp"
#include "tact/protocol.hpp"
#include "tact/ref.hpp"
#include "tact/request.hpp"
#include "tact/self.hpp"

namespace tact {

// Asks a membrane for a ref that leads to `behind` until the membrane is closed.
template <class P>
struct handle_to {
  using reply = ref<P>;
  ref<P> behind;
};
// Cuts all handles. Once the answer has come, nothing that is sent through any of them arrives.
struct cut_handles {
  using reply = void;
};

namespace detail {

struct cut {};

// The protocol of a handle.
template <class P>
struct handle : protocol<P, cut> {};

// Passes messages on while the membrane is open. A message that comes later goes to nobody: so it is a dead letter, and
// the customer of a request is told that its target has ended.
template <class P>
behavior<handle<P>> handle_behavior(ref<P> behind, shared_flag is_closed) {
  return {
      [](self<handle<P>>& self, const cut&) { self.stop(); },
      [behind, is_closed](auto& self, const auto& m) { hand_over(self, is_closed.is_set() ? ref<P>() : behind, m); },
  };
}
// A handle goes on when it could not pass a message on, for want of memory perhaps; but it ends when its end failed.
inline failure_rule rule_of_handles() {
  return {[](const failure_report& r) {
    return r.message == type_name<cut> ? failure_policy::end : failure_policy::go_on;
  }};
}

}  // namespace detail

// The protocol of a membrane. Users send the requests; the rest is its own.
template <class... Ps>
struct membraned : protocol<request<handle_to<Ps>>..., request<cut_handles>, detail::cut, failure> {};

namespace detail {

template <class... Ps>
struct closing_membrane;

template <class... Ps>
void close(self<membraned<Ps...>>& self, const request<cut_handles>& m, const shared_flag& is_closed) {
  self.defer(m);
  self.on_commit([is_closed, customer = m.customer, membrane = self.ref()](transaction& tx) {
    tell_if_it_fails(tx, customer);
    is_closed.set();
    if (customer) tx.send(customer, done{});
    tx.send(membrane, cut{});
  });
  self.become(closing_membrane<Ps...>{is_closed});
}

template <class... Ps>
struct open_membrane {
  using self_type = self<membraned<Ps...>>;

  template <class P>
    requires(std::is_same_v<P, Ps> || ...)
  void operator()(self_type& self, const request<handle_to<P>>& m) const {
    const auto h = self.create(handle_behavior<P>(m.body.behind, is_closed), rule_of_handles());
    self.monitor(self.ref(), h, cut{});
    self.reply(m, ref<P>(h));
  }
  void operator()(self_type& self, const request<cut_handles>& m) const { close(self, m, is_closed); }
  void operator()(self_type&, const cut&) const {}
  void operator()(self_type&, const failure&) const {}

  shared_flag is_closed{};
};

// The flag is being set, or was: the membrane ends when that is done, and with it the handles. They must not end
// before, because one would then be cut while another one is not.
template <class... Ps>
struct closing_membrane {
  using self_type = self<membraned<Ps...>>;

  template <class P>
    requires(std::is_same_v<P, Ps> || ...)
  void operator()(self_type& self, const request<handle_to<P>>& m) const {
    self.fail(m, {failure_reason::target_ended, "the membrane is closed"});
  }
  void operator()(self_type& self, const request<cut_handles>& m) const { close(self, m, is_closed); }
  void operator()(self_type& self, const cut&) const {
    const sure_run sure(self);
    self.stop();
  }
  void operator()(self_type& self, const failure&) const { self.stop(); }  // the run above has failed

  shared_flag is_closed;
};

}  // namespace detail

// const auto skin = engine.create(tact::membrane<account, ledger>());
// const tact::ref<account> lent = engine.ask(skin, tact::handle_to<account>{mine});
// ...                                       // give `lent` away
// engine.ask(skin, tact::cut_handles{});    // from now on it leads nowhere
//
// Makes handles: refs of actors of its own, each of which passes the messages of its protocol, one of Ps, on to the
// actor behind it, in order and without copying large ones. Only who has the membrane can cut them, and then all are
// cut in one moment:
// - What is sent through a handle after the answer to cut_handles was heard never arrives; it is a dead letter, and a
//   request fails with target_ended.
// - Once anything that was sent through one handle is such a dead letter, what is sent through any other one later is
//   one too.
// - What was sent before may be handled on either side of that moment. What a handle has passed on arrives.
// When an order to cut fails, which its customer is told, some of it may have happened: give it again. A membrane that
// is cut ends. When it ends in another way, with its scope for example, the handles are cut too, but one after the
// other. A message through a handle is two messages. Source: Lisp-Actors; the idea is Miller's caretaker.
template <class... Ps>
[[nodiscard]] behavior<membraned<Ps...>> membrane() {
  static_assert(sizeof...(Ps) != 0, "tact::membrane: name the protocols of the actors that will be behind it");
  return detail::open_membrane<Ps...>{};
}

}  // namespace tact
