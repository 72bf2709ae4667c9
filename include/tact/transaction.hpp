// tact::transaction: what a handler does, staged until its commit.
#pragma once

#include <concepts>
#include <cstddef>
#include <tuple>
#include <type_traits>
#include <utility>

#include "tact/creator.hpp"
#include "tact/detail/access.hpp"
#include "tact/detail/handlers.hpp"
#include "tact/detail/watchers.hpp"
#include "tact/failure.hpp"
#include "tact/placement.hpp"
#include "tact/ref.hpp"
#include "tact/request.hpp"

namespace tact {

namespace detail {

// -- one-shot continuations
struct no_failure_handler {};

// Calls f with as much of (transaction, message) as it takes. The message is delivered once: it may be moved out.
template <class F, class M>
void call_once(F& f, transaction& tx, M& m) {
  if constexpr (std::is_invocable_v<F&, transaction&, M&&>) {
    f(tx, std::move(m));
  } else if constexpr (std::is_invocable_v<F&, transaction&, M&>) {
    f(tx, m);
  } else if constexpr (std::is_invocable_v<F&, transaction&>) {
    f(tx);
  } else {
    f();
  }
}

template <class F, class M>
concept calls_once = std::is_invocable_v<F&, transaction&, M&&> || std::is_invocable_v<F&, transaction&, M&> ||
                     (std::same_as<M, done> && (std::is_invocable_v<F&, transaction&> || std::is_invocable_v<F&>));

template <class G>
concept hears_failure = std::same_as<G, no_failure_handler> || std::is_invocable_v<G&, transaction&, const failure&> ||
                        std::is_invocable_v<G&, const failure&>;

template <class M, class F, class G>
struct continuation : closure {
  continuation(F& then, G& otherwise)
      : closure{&type_of_continuation}, then_(std::move(then)), otherwise_(std::move(otherwise)) {}

  static void enter(closure& c, run& r, void* message);
  static void fail(closure& c, run& r, void* message);
  static void end(closure& c, allocation) noexcept { box<continuation>::end(static_cast<continuation*>(&c)); }

  static constexpr entry entries[] = {&enter};
  static constexpr behavior_type type_of_continuation{
      entries,      1, std::same_as<G, no_failure_handler> ? nullptr : &fail, &end, actor_kind::once, type_name<M>,
      &type_name<M>};

  [[no_unique_address]] F then_;
  [[no_unique_address]] G otherwise_;
};

// The message that a continuation waits for: what its second parameter says, done if there is none.
template <class Shape>
struct continuation_message : std::type_identity<void> {};
template <bool Const, class S, class M>
struct continuation_message<shape<Const, S, M>> : std::type_identity<std::remove_cvref_t<M>> {};
template <bool Const, class S>
struct continuation_message<shape<Const, S>> : std::type_identity<done> {};

template <class F>
using message_of_continuation = typename continuation_message<typename handler<F, transaction>::shape>::type;

template <class F, class G>
consteval auto find_continuation_problem() {
  using M = message_of_continuation<F>;
  if constexpr (std::is_void_v<M>) {
    return std::type_identity<continuation_names_no_message>{};
  } else if constexpr (!calls_once<F, M>) {
    return std::type_identity<handler_has_another_self>{};
  } else {
    return std::type_identity<problem_if<!hears_failure<G>, handler_takes_no_message>>{};
  }
}
template <class F, class G>
using continuation_problem = typename decltype(find_continuation_problem<F, G>())::type;

// -- groups: every address is reserved before the behaviours, which know all of them, are made.
template <class Shape>
struct group;

// Site: port reserve(); void install(port, closure&); void abandon(port) for what was reserved and not installed.
template <bool Const, class... Ps>
struct group<shape<Const, ref<Ps>...>> {
  template <class F, class Site>
  static std::tuple<ref<Ps>...> make(F& make_behaviors, Site site) {
    return make(make_behaviors, site, std::index_sequence_for<Ps...>{});
  }

 private:
  template <class F, class Site, std::size_t... I>
  static std::tuple<ref<Ps>...> make(F& make_behaviors, Site& site, std::index_sequence<I...>) {
    port ports[sizeof...(Ps)] = {};  // 0: not reserved, or installed
    std::tuple<ref<Ps>...> all;
    try {
      for (port& p : ports) p = site.reserve();
      all = {access::make_ref<Ps>(ports[I])...};
      std::tuple<behavior<Ps>...> behaviors = std::apply(make_behaviors, all);
      (install_one(std::get<I>(all), ports[I], std::get<I>(behaviors), site), ...);
    } catch (...) {
      give_back(ports, site);
      throw;
    }
    give_back(ports, site);
    return all;
  }
  template <class P, class Site>
  static void install_one(ref<P>& r, port& p, behavior<P>& b, Site& site) {
    if (closure* c = access::take(b)) {
      site.install(std::exchange(p, 0), *c);
    } else {
      r = {};
    }
  }
  template <class Site>
  static void give_back(port (&ports)[sizeof...(Ps)], Site& site) noexcept {
    for (const port p : ports) {
      if (p != 0) site.abandon(p);
    }
  }
};

template <class F>
using group_of = group<typename shape_of<decltype(&F::operator())>::type>;

struct run_site {
  run& r;
  placement where;
  port reserve() { return detail::reserve(r, where); }
  void install(port p, closure& c) { detail::install(r, p, c); }
  void abandon(port) noexcept {}  // the run gives back at its end what has no behaviour
};

}  // namespace detail

// All of it takes effect when the handler returns and its run commits, or not at all: nothing is seen by others before,
// and a run that throws or collides leaves no trace. Made by the engine; continuations get it as their first argument.
// Each call may throw std::bad_alloc and what copying its arguments throws; a handler may catch that and go on.
// Thread safety: belongs to the handler that runs; do not keep it. Source of the idea: Lisp-Actors.
class transaction : public creator<transaction> {
 public:
  transaction(const transaction&) = delete;
  transaction& operator=(const transaction&) = delete;

  // Sends m, a message of P, by value, or by reference if it is an lvalue derived from tact::message.
  template <class P, class M, class problem = detail::send_problem<P, M>>
    requires(!detail::pill<M>) && detail::none<problem>
  void send(ref<P> to, M&& m) {
    detail::stage_to(run_, to, std::forward<M>(m));
  }
  template <class P, class M, class problem = detail::send_problem<P, M>>
    requires(!detail::pill<M> && !detail::none<problem>)
  void send(ref<P> to, M&& m) = delete;
  template <detail::classic P>
  void send(ref<P> to, poison_pill pill) {
    detail::stage_to(run_, to, pill);
  }
  template <class P>
    requires(!detail::classic<P>)
  void send(ref<P>, poison_pill) = delete;  // a classic actor's full ref takes pills: a narrowed one cannot kill
  // The same; if the actor is parallel, it handles the message in the next shard, round over those of all workers.
  template <class P, class M, class problem = detail::send_problem<P, M>>
    requires(!detail::pill<M>) && detail::none<problem>
  void send(ref<P> to, M&& m, spread_t) {
    detail::stage_round_to(run_, to, std::forward<M>(m));
  }
  template <class P, class M, class problem = detail::send_problem<P, M>>
    requires(!detail::pill<M> && !detail::none<problem>)
  void send(ref<P> to, M&& m, spread_t) = delete;

  // Actors that know each other: make takes one ref<P> for each and returns a std::tuple of as many behavior<P>.
  template <class F>
  [[nodiscard]] auto create_group(F make) {
    return create_group(make, detail::placement::parallel);
  }
  template <class F>
  [[nodiscard]] auto create_group(F make, ordered_t) {
    return create_group(make, detail::placement::ordered);
  }
  template <class F, detail::placement_tag T>
  auto create_group(F make, T) = delete;  // the actors of a group are parallel or ordered

  // Sends `message` to `watcher` when `target` has ended, and at once if it ended before: once for each call, behind
  // everything that the ended actor itself sent to an actor of this engine. Takes effect at the commit, like a send to
  // `target`. A customer made on the spot, of a beta or an ask, counts as ended. Actors of an engine that ends hear
  // nothing of it; those of others do. A watcher that has ended itself hears nothing, and nothing is counted. Source of
  // the idea: the monitors of Erlang.
  template <class T, class Q, class M, class problem = detail::send_problem<Q, M>>
    requires detail::none<problem>
  void monitor(ref<T> target, ref<Q> watcher, M&& message) {
    detail::watch(run_, detail::access::port_of(target), detail::make_watcher(watcher, std::forward<M>(message)));
  }
  template <class T, class Q, class M, class problem = detail::send_problem<Q, M>>
    requires(!detail::none<problem>)
  void monitor(ref<T> target, ref<Q> watcher, M&& message) = delete;
  // The same; `watcher`, a ref to somebody who takes tact::ended, is sent that, which says why.
  template <class T, detail::hears_end W>
  void monitor(ref<T> target, W watcher) {
    detail::watch(run_, detail::access::port_of(target), detail::make_watcher(watcher));
  }

  // An anonymous actor that runs `then` for one message and is gone: a customer made on the spot. The type of the
  // message is that of the second parameter, `[=](auto& tx, long cents) {...}`; without one it is tact::done. When no
  // answer will come, `otherwise(tx, failure)` runs instead; without it the failure is a dead letter.
  // Source of the idea: the betas of Lisp-Actors.
  template <class F, class G = detail::no_failure_handler, class problem = detail::continuation_problem<F, G>>
    requires detail::none<problem>
  [[nodiscard]] auto beta(F then, G otherwise = {}) {
    using M = detail::message_of_continuation<F>;
    return detail::access::make_ref<M>(create_once<M>(then, otherwise));
  }
  template <class F, class G = detail::no_failure_handler, class problem = detail::continuation_problem<F, G>>
    requires(!detail::none<problem>)
  auto beta(F then, G otherwise = {}) = delete;

  // Answers a request. The customer of a one-shot request hears the answer that arrives first only.
  template <class Q>
    requires(!std::is_void_v<typename Q::reply>)
  void reply(const request<Q>& to, std::type_identity_t<typename request<Q>::reply> value) {
    send(to.customer, std::move(value));
  }
  template <class Q>
    requires std::is_void_v<typename Q::reply>
  void reply(const request<Q>& to) {
    send(to.customer, done{});
  }

  // The request is answered later, by a run that keeps it or its customer. Without this a request that was neither
  // answered nor passed on fails its customer at the commit.
  template <class Q>
  void defer(const request<Q>& m) noexcept {
    detail::settle_debt(run_, detail::access::port_of(m.customer));
  }

  // Forgets what was staged so far, and goes on.
  void discard() noexcept { detail::discard(run_); }

  // Runs f() or f(transaction&) once after this run has committed, never for a run that was discarded.
  template <class F>
    requires detail::calls_once<F, done>
  void on_commit(F f) {
    detail::no_failure_handler nothing;
    send(detail::access::make_ref<done>(create_once<done>(f, nothing)), done{});
  }

 protected:
  friend struct detail::access;
  explicit transaction(detail::run& r) noexcept : run_(r) {}

  detail::run& run_;

 private:
  template <class M, class F, class G>
  detail::port create_once(F& then, G& otherwise) {
    auto& c = *detail::box<detail::continuation<M, F, G>>(then, otherwise).release();
    return detail::create(run_, c, detail::placement::parallel);
  }
  template <class How>
  detail::port put(detail::closure& c, How&& how) {
    return detail::create(run_, c, std::forward<How>(how));
  }
  template <class F>
  auto create_group(F& make, detail::placement where) {
    return detail::group_of<F>::make(make, detail::run_site{run_, where});
  }
};

template <class M, class F, class G>
void detail::continuation<M, F, G>::enter(closure& c, run& r, void* message) {
  M& m = *static_cast<M*>(message);
  owe_answer(r, m);
  auto tx = access::make_self<transaction>(r);
  call_once(static_cast<continuation&>(c).then_, tx, m);
}

template <class M, class F, class G>
void detail::continuation<M, F, G>::fail(closure& c, run& r, void* message) {
  if constexpr (!std::same_as<G, no_failure_handler>) {
    const failure& f = *static_cast<const failure*>(message);
    auto tx = access::make_self<transaction>(r);
    G& otherwise = static_cast<continuation&>(c).otherwise_;
    if constexpr (std::is_invocable_v<G&, transaction&, const failure&>) {
      otherwise(tx, f);
    } else {
      otherwise(f);
    }
  }
}

}  // namespace tact
