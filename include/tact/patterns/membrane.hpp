// tact::membrane: a behaviour that gives away refs which it can cut, one of them or all at once.
#include "tact/detail/begin.hpp"  // first
#pragma once

#include <cstdint>
#include <type_traits>
#include <utility>

#include "tact/behavior.hpp"
#include "tact/data/map.hpp"
#include "tact/detail/access.hpp"
#include "tact/detail/counted.hpp"
#include "tact/detail/type_name.hpp"
#include "tact/failure.hpp"
#include "tact/failure_rule.hpp"
#include "tact/forwarder.hpp"
#include "tact/patterns/detail/handle_state.hpp"
#include "tact/patterns/detail/shared_word.hpp"
#include "tact/patterns/detail/sure_run.hpp"
#include "tact/patterns/detail/value_at.hpp"
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
// Cuts one handle, which stays to count what it refuses from now on. Once the answer has come, nothing that is sent
// through it arrives.
template <class P>
struct revoke_handle {
  using reply = void;
  ref<P> handle;
};
// Asks how many messages a handle has refused since it was cut.
template <class P>
struct count_refusals {
  using reply = std::uint64_t;
  ref<P> handle;
};
// Cuts one handle, and forgets it: its memory is free again. The answer is how many messages it has refused by then.
template <class P>
struct release_handle {
  using reply = std::uint64_t;
  ref<P> handle;
};
// Cuts all handles. Once the answer has come, nothing that is sent through any of them arrives.
struct cut_handles {
  using reply = void;
};

namespace detail {

struct cut {};
// Tells a membrane to forget a handle that was released.
struct drop_handle {
  std::uint64_t key;
};

// A handle in its membrane.
struct given_handle {
  counted<handle_state> state;
  ref<cut> actor;
};
template <class P>
std::uint64_t key_of_handle(ref<P> handle) noexcept {
  return access::port_of(handle) & ~index_mask;
}

// The protocol of a handle.
template <class P>
struct handle : protocol<P, own_words<cut>> {};

// Passes messages on while the membrane is open and the handle is not cut. A message that comes later goes to no actor:
// so it is a dead letter, and the customer of a request is told that its target has ended.
template <class P>
behavior<handle<P>> handle_behavior(ref<P> behind, shared_flag is_closed, counted<handle_state> state) {
  return {
      [](self<handle<P>>& self, const cut&) { self.stop(); },
      [behind, is_closed, state](auto& self, const auto& m) {
        if (!is_closed.is_set() && !state->is_cut) return hand_over(self, behind, m);
        self.on_commit([state] { ++state->refused; });
        hand_over(self, ref<P>(), m);
      },
  };
}
// A handle goes on when it could not pass a message on, for want of memory perhaps; but it ends when its end failed.
inline failure_rule rule_of_handles() {
  return {[](const failure_report& r) {
    return r.message == type_name<cut> ? failure_policy::end : failure_policy::go_on;
  }};
}

}  // namespace detail

// The protocol of a membrane. Users send the requests; the rest is its own, and no limit holds for that.
template <class... Ps>
struct membrane_protocol : protocol<request<handle_to<Ps>>..., request<cut_handles>, request<revoke_handle<Ps>>...,
                                    request<count_refusals<Ps>>..., request<release_handle<Ps>>...,
                                    detail::own_words<detail::cut, detail::drop_handle>, failure> {};

namespace detail {

template <class... Ps>
struct closing_membrane;

template <class... Ps>
void close(self<membrane_protocol<Ps...>>& self, const request<cut_handles>& m, const shared_flag& is_closed) {
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
  using self_type = self<membrane_protocol<Ps...>>;

  template <class P>
    requires(std::is_same_v<P, Ps> || ...)
  void operator()(self_type& self, const request<handle_to<P>>& m) const {
    const auto state = counted<handle_state>::make();
    const auto h = self.create(handle_behavior<P>(m.body.behind, is_closed, state), rule_of_handles());
    self.monitor(self.ref(), h, cut{});
    self.become(open_membrane{is_closed, given.insert_or_assign(key_of_handle(h), {state, h})});
    self.reply(m, ref<P>(h));
  }
  template <class P>
    requires(std::is_same_v<P, Ps> || ...)
  void operator()(self_type& self, const request<revoke_handle<P>>& m) const {
    cut_one(self, m, [](handle_state&, transaction& tx, ref<done> customer) {
      if (customer) tx.send(customer, done{});
    });
  }
  template <class P>
    requires(std::is_same_v<P, Ps> || ...)
  void operator()(self_type& self, const request<release_handle<P>>& m) const {
    const std::uint64_t key = key_of_handle(m.body.handle);
    cut_one(self, m, [key, own = self.ref()](handle_state& h, transaction& tx, ref<std::uint64_t> customer) {
      h.is_released = true;
      tx.send(own, drop_handle{key});
      if (customer) tx.send(customer, h.refused.load());
    });
  }
  template <class P>
    requires(std::is_same_v<P, Ps> || ...)
  void operator()(self_type& self, const request<count_refusals<P>>& m) const {
    const given_handle* const h = value_at(given, key_of_handle(m.body.handle));
    h == nullptr ? refuse(self, m) : self.reply(m, h->state->refused.load());
  }
  void operator()(self_type& self, const request<cut_handles>& m) const { close(self, m, is_closed); }
  void operator()(self_type& self, const drop_handle& m) const {
    const sure_run sure(self);
    forget(self, [&](std::uint64_t key, const given_handle&) { return key == m.key; });
  }
  void operator()(self_type&, const cut&) const {}
  // A run that should have forgotten a handle has failed.
  void operator()(self_type& self, const failure&) const {
    const sure_run sure(self);
    forget(self, [](std::uint64_t, const given_handle& h) { return h.state->is_released.load(); });
  }

  // Cuts the handle when this run has committed, and does `then` after that.
  template <class Q, class F>
  void cut_one(self_type& self, const request<Q>& m, F then) const {
    const given_handle* const h = value_at(given, key_of_handle(m.body.handle));
    if (h == nullptr) return refuse(self, m);
    self.defer(m);
    self.on_commit([state = h->state, customer = m.customer, then](transaction& tx) {
      tell_if_it_fails(tx, customer);
      state->is_cut = true;
      then(*state, tx, customer);
    });
  }
  template <class Q>
  static void refuse(self_type& self, const request<Q>& m) {
    self.fail(m, {failure_reason::target_ended, "the membrane has no such handle, or not any more", {}});
  }
  template <class F>
  void forget(self_type& self, F is_meant) const {
    auto left = given;
    for (const auto& [key, h] : given) {
      if (!is_meant(key, h)) continue;
      self.send(h.actor, cut{});
      left = std::move(left).erase(key);
    }
    self.become(open_membrane{is_closed, left});
  }

  shared_flag is_closed{};
  map<std::uint64_t, given_handle> given{};
};

// The behaviour of a membrane whose flag is being set, or was set. The membrane ends when that is done, and the handles
// with it. They must not end before, because one would then be cut while another one is not.
template <class... Ps>
struct closing_membrane {
  using self_type = self<membrane_protocol<Ps...>>;

  template <class P>
    requires(std::is_same_v<P, Ps> || ...)
  void operator()(self_type& self, const request<handle_to<P>>& m) const {
    self.fail(m, {failure_reason::target_ended, "the membrane is closed"});
  }
  template <class Q>
    requires(std::is_same_v<Q, revoke_handle<Ps>> || ...) || (std::is_same_v<Q, count_refusals<Ps>> || ...) ||
            (std::is_same_v<Q, release_handle<Ps>> || ...)
  void operator()(self_type& self, const request<Q>& m) const {
    self.fail(m, {failure_reason::target_ended, "the membrane is closed", {}});
  }
  void operator()(self_type&, const drop_handle&) const {}  // all handles end with the membrane
  void operator()(self_type& self, const request<cut_handles>& m) const { close(self, m, is_closed); }
  void operator()(self_type& self, const cut&) const {
    const sure_run sure(self);
    self.stop();
  }
  void operator()(self_type& self, const failure&) const { self.stop(); }  // the run above has failed

  shared_flag is_closed;
};

}  // namespace detail

// const auto skin = engine.create(tact::membrane<account, balance_reader>());
// const tact::ref<account> lent = engine.ask(skin, tact::handle_to<account>{mine});
// const tact::ref<balance_reader> shown = engine.ask(skin, tact::handle_to<balance_reader>{mine});
// ...                                       // give them away, one to each client
// engine.ask(skin, tact::revoke_handle<account>{lent});  // from now on this one leads nowhere
// engine.ask(skin, tact::cut_handles{});                 // and this none
//
// Makes handles: refs of actors of its own, each of which passes the messages of its protocol, one of Ps, on to the
// actor behind it, in order and without copying large ones. Only who has the membrane can cut them, and then all are
// cut in one moment:
// - What is sent through a handle after the answer to cut_handles was heard never arrives; it is a dead letter, and a
//   request fails with target_ended.
// - Once anything that was sent through one handle is such a dead letter, what is sent through any other one later is
//   one too.
// - The same holds for one handle, and the answers to revoke_handle and release_handle.
// - What was sent before may be handled on either side of that moment. What a handle has passed on arrives.
// When an order to cut fails, which its customer is told, some of it may have happened: give it again; a handle that
// was released is unknown then. So give each client a handle of its own, to a protocol with just the messages that it
// may send. A handle that was revoked counts what it refuses; release those of clients that are gone, or their handles
// stay until the membrane ends. A membrane that is cut ends. When it ends in another way, with its scope for example,
// the handles are cut too, but one after the other. A message through a handle is two messages. Source: Lisp-Actors;
// the idea is Miller's caretaker.
template <class... Ps>
[[nodiscard]] behavior<membrane_protocol<Ps...>> membrane() {
  static_assert(sizeof...(Ps) != 0, "tact::membrane: name the protocols of the actors that will be behind it");
  return detail::open_membrane<Ps...>{};
}

// Names of earlier versions; they go with the next one.
template <class... Ps>
using membraned [[deprecated("use tact::membrane_protocol")]] = membrane_protocol<Ps...>;

}  // namespace tact

#include "tact/detail/end.hpp"  // last
