// tact::handlers, overriding and delegate: sets of handlers, of which behaviours are put together.
#include "tact/detail/begin.hpp"  // first
#pragma once

#include <concepts>
#include <cstddef>
#include <type_traits>
#include <utility>

#include "tact/behavior.hpp"
#include "tact/detail/handlers.hpp"
#include "tact/forwarder.hpp"
#include "tact/protocol.hpp"
#include "tact/ref.hpp"
#include "tact/transaction.hpp"

namespace tact {

namespace detail {

// Whether F takes an M only because it takes any message, or because it names it, or is a set in which one does.
enum class serving : unsigned char { no, with_all_others, by_name };

template <class F, class S, class M>
consteval serving serving_of() {
  using shape = typename handler<F, S>::shape;
  if constexpr (std::is_same_v<shape, takes_all> || std::is_same_v<shape, takes_all_of_others>) {
    return serving::with_all_others;
  } else if constexpr (std::is_same_v<shape, selective>) {
    return selects<F, S, M> ? serving::by_name : serving::no;
  } else {
    return std::is_same_v<typename handler<F, S>::message, M> ? serving::by_name : serving::no;
  }
}

// The index of the one among F that serves M; none_serves, or two_serve.
template <class S, class M, class... F>
consteval unsigned server_among() {
  constexpr serving all[] = {serving_of<F, S, M>()...};
  for (const serving how : {serving::by_name, serving::with_all_others}) {
    unsigned found = none_serves;
    for (unsigned i = 0; i != sizeof...(F); ++i) {
      if (all[i] == how) found = found == none_serves ? i : two_serve;
    }
    if (found != none_serves) return found;
  }
  return none_serves;
}

template <class S, class M, class F>
void call_handler(const F& f, S& self, const M& m) {
  static_assert(std::is_invocable_v<const F&, S&, const M&>,
                "tact::handlers: a handler must be callable with const as f(self&, const M&): several workers may run "
                "it at once; its first parameter is self<P>& of the behaviour's P, transaction& or auto&");
  if constexpr (std::is_invocable_v<const F&, S&, const M&>) {
    static_assert(std::is_void_v<std::invoke_result_t<const F&, S&, const M&>>,
                  "tact::handlers: a handler returns void, because its value would go nowhere: use self.reply");
    f(self, m);
  }
}

template <class Indexes, class... F>
class handler_set;

template <std::size_t... I, class... F>
class handler_set<std::index_sequence<I...>, F...> : handler_slot<I, F>... {
 public:
  explicit handler_set(F... f) : handler_slot<I, F>{std::move(f)}... {}

  template <std::derived_from<transaction> S, class M>
    requires(server_among<S, M, F...>() != none_serves)
  void operator()(S& self, const M& m) const {
    constexpr unsigned at = server_among<S, M, F...>();
    static_assert(at != two_serve,
                  "tact::handlers: two handlers of one set take this message: leave one out, or put one of them into "
                  "tact::overriding, where the later ones come first");
    if constexpr (at != two_serve) call_handler(handler_at<at>(*this), self, m);
  }
};

}  // namespace detail

// const auto counting = [](int n, auto again) {
//   return tact::handlers{
//       [=](auto& self, const add& m) { self.become(again(n + m.by)); },
//       [=](auto& self, const tact::request<total>& m) { self.reply(m, n); },
//   };
// };
// tact::behavior<logged_counter> open_counter(int n = 0) {
//   return tact::handlers{counting(n, open_counter), [](auto& self, const print_it&) { ... }};
// }
//
// A set of handlers, itself a handler, for the messages that one of them names; further sets may be among them. So a
// behaviour of a larger protocol is made from the handlers of a smaller one and some for the rest. A behavior<P> is
// made of sets and handlers alike. Handlers are as those of a behaviour; those of a set that is to serve several
// protocols take auto&. A handler that takes any message, `(auto&, const auto&)`, gets those that no other one names.
// That two name the same message is a compile error, and so is that one of P is not handled. Handlers that name no
// message of P are never called.
//
// A set knows nothing of the behaviour that it becomes a part of: when its handlers become, they are given the function
// that makes the whole again, as `again` above. Costs: nothing when a message is handled. Thread safety: as the
// handlers. Source of the idea: the delegation of Lieberman, and of Lisp-Actors.
template <class... F>
class handlers : public detail::handler_set<std::index_sequence_for<F...>, F...> {
 public:
  explicit handlers(F... f) : detail::handler_set<std::index_sequence_for<F...>, F...>(std::move(f)...) {}
};

namespace detail {

template <class Base, class Over>
class overridden {
 public:
  overridden(Base base, Over over) : base_(std::move(base)), over_(std::move(over)) {}

  template <std::derived_from<transaction> S, class M>
    requires(server_among<S, M, Over>() != none_serves || server_among<S, M, Base>() != none_serves)
  void operator()(S& self, const M& m) const {
    if constexpr (server_among<S, M, Over>() != none_serves) {
      call_handler(over_, self, m);
    } else {
      call_handler(base_, self, m);
    }
  }

 private:
  [[no_unique_address]] Base base_;
  [[no_unique_address]] Over over_;
};

}  // namespace detail

// tact::behavior<counter> open_quiet_counter(int n = 0) {
//   return tact::overriding(counting(n, open_quiet_counter), [=](auto& self, const tact::request<total>& m) {
//     self.fail(m, {tact::failure_reason::unanswered, "it is a secret"});
//   });
// }
//
// The set of `base`, a handler or a set, in which the messages that `f` take are handled by those, and the rest as
// before. One that takes any message takes all. Otherwise as tact::handlers. Source of the idea: Lisp-Actors.
template <class Base, class... F>
[[nodiscard]] auto overriding(Base base, F... f) {
  static_assert(sizeof...(F) != 0, "tact::overriding: a handler that handles something anew comes behind the base");
  return detail::overridden<Base, handlers<F...>>(std::move(base), handlers<F...>(std::move(f)...));
}

namespace detail {

template <class P>
struct delegation {
  template <class M>
    requires accepts<P, M>
  void operator()(transaction& tx, const M& m) const {
    if (same_actor(access::port_of(to), self_port(access::run_of(tx)))) {
      throw usage_error("tact::delegate: the ref is the actor's own, and what is passed on would come back for ever");
    }
    hand_over(tx, to, m);
  }

  ref<P> to;
};

}  // namespace detail

// tact::behavior<audited_account> open_audited(tact::ref<account> a) {
//   return tact::overriding(tact::delegate(a), [](auto& self, const withdraw& m) { ... });
// }
//
// The set that passes each message of P on to `to`, without copying large ones; that actor answers the customers of
// requests. Beside it, in tact::handlers, stand handlers for what P does not have; in tact::overriding those for what
// goes another way. A message for the actor itself fails with usage_error. Costs: a message for each that is passed on.
// Source of the idea: the delegation of Lieberman, and of Lisp-Actors.
template <class P>
[[nodiscard]] auto delegate(ref<P> to) {
  return detail::delegation<P>{to};
}

}  // namespace tact

#include "tact/detail/end.hpp"  // last
