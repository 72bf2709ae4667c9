// tact::transaction: the calls of a handler, whose effects are staged until its commit.
#include "tact/detail/begin.hpp"  // first
#pragma once

#include <chrono>
#include <concepts>
#include <cstddef>
#include <memory>
#include <new>
#include <optional>
#include <type_traits>
#include <utility>

#include "tact/context.hpp"
#include "tact/creator.hpp"
#include "tact/detail/access.hpp"
#include "tact/detail/continuation.hpp"
#include "tact/detail/front.hpp"
#include "tact/detail/handlers.hpp"
#include "tact/detail/transaction_base.hpp"
#include "tact/detail/waiting_handler.hpp"
#include "tact/detail/watchers.hpp"
#include "tact/failure.hpp"
#include "tact/monitor.hpp"
#include "tact/placement.hpp"
#include "tact/ref.hpp"
#include "tact/request.hpp"
#include "tact/timer.hpp"

namespace tact {

template <class R>
class outcome;  // in patterns/outcome.hpp

namespace detail {

// Defined in detail/gathering.hpp and detail/racing.hpp.
enum class race_rule : unsigned char { first_outcome, first_answer };
template <class Refs, class Q, class F>
void gather(transaction&, const Refs& to, const Q& query, const std::optional<std::chrono::nanoseconds>& limit, F then);
template <class Refs, class Q, class F>
void race(transaction&, const Refs& to, const Q& query, const std::optional<std::chrono::nanoseconds>& limit,
          race_rule rule, F then);

}  // namespace detail

// All calls of a transaction take effect when the handler returns and its run commits, or not at all: no other actor or
// thread sees anything of them before, and a run that throws or collides leaves no trace. The engine makes
// transactions; continuations get theirs as the first argument. Each call may throw std::bad_alloc and what copying its
// arguments throws; a handler may catch that and go on. Thread safety: a transaction belongs to the handler that runs,
// on its thread; do not keep it. In a debug build each call throws usage_error elsewhere, docs/misuse.md. Source of the
// idea: Lisp-Actors.
class transaction : public creator<transaction>,
                    public detail::setter<transaction>,
                    protected detail::transaction_base {
 public:
  // Sends m, a message of P, by value, or by reference if it is an lvalue derived from tact::message.
  template <class P, class M, class problem = detail::without<detail::send_problem<P, M>>>
  void send(ref<P> to, M&& m) {
    detail::stage_to(run_, to, std::forward<M>(m));
  }
  // Sends m as the call above does, but a parallel actor handles it in the next shard: the sends go round the shards of
  // all workers.
  template <class P, class M, class problem = detail::without<detail::send_problem<P, M>>>
  void send(ref<P> to, M&& m, spread_t) {
    detail::stage_round_to(run_, to, std::forward<M>(m));
  }
  // This twin is not deleted, because clang says what is wrong with a call of a deleted function last, behind all that
  // has led to the handler.
  template <class P, class M, detail::some problem = detail::send_problem<P, M>>
  void send(ref<P>, M&&, auto...) {
    static_assert(!detail::some<problem>, "tact: the actor cannot be sent this: see `problem`");
  }

  // Sends a copy of `m` to each ref of the range `to`, in its order.
  template <detail::iterable Refs, class M, class problem = detail::without<detail::send_all_problem<Refs, M>>>
  void send_all(const Refs& to, const M& m) {
    for (const auto& r : to) send(r, m);
  }
  template <detail::iterable Refs, class M, detail::some problem = detail::send_all_problem<Refs, M>>
  void send_all(const Refs& to, const M& m) = delete;

  // Passes on the very message that is handled. At the commit it moves to `to`: nothing is copied, whatever its size. A
  // run that does not commit leaves it where it was. `m` is the handler's parameter, taken by reference, and may be
  // read until the handler returns. A handler that passes a request on owes no answer to it. Throws usage_error when
  // `m` is not the message that is handled, and when that has been passed on already.
  template <class P, class M, class problem = detail::without<detail::pass_problem<P, M>>>
  void pass_on(ref<P> to, const M& m) {
    detail::pass_on(run_, detail::access::port_of(to) + (to ? detail::index_of<P, M> : 0), std::addressof(m),
                    detail::key_of_type<M>);
  }
  template <class P, class M, detail::some problem = detail::pass_problem<P, M>>
  void pass_on(ref<P> to, const M& m) = delete;

  // Sends `message` to `watcher` when `target` has ended, and at once if it ended before. The message comes once for
  // each call, behind everything that the ended actor itself sent to an actor of this engine. The order to watch takes
  // effect at the commit, like a send to `target`. A customer made on the spot, of a beta or an ask, counts as ended.
  // When an engine ends, monitors of its actors tell watchers in other engines, and none of its own. For a watcher that
  // has ended itself the message is dropped, and not counted. The handle that is returned may be ignored; its cancel()
  // takes the monitor back. Source of the idea: the monitors of Erlang.
  template <class T, class Q, class M, class problem = detail::without<detail::send_problem<Q, M>>>
  tact::monitor monitor(ref<T> target, ref<Q> watcher, M&& message) {
    return watch(detail::access::port_of(target), detail::make_watcher(watcher, std::forward<M>(message)));
  }
  template <class T, class Q, class M, detail::some problem = detail::send_problem<Q, M>>
  void monitor(ref<T> target, ref<Q> watcher, M&& message) = delete;
  // Monitors as the call above does, but sends `watcher`, a ref that takes tact::ended, this message, which says why
  // the target ended.
  template <class T, class W>
    requires detail::is_ref_to_ended<W>
  tact::monitor monitor(ref<T> target, W watcher) {
    return watch(detail::access::port_of(target), detail::make_watcher(watcher));
  }

  // Makes an anonymous actor that runs `then` for one message and is gone: a customer made on the spot. The type of the
  // message is that of the second parameter, `[=](auto& tx, long cents) {...}`; without one it is tact::done. When no
  // answer will come, `otherwise(tx, failure)` runs instead; without `otherwise` the failure is a dead letter. Both
  // functions return void.
  template <class F, class G = detail::no_failure_handler,
            class problem = detail::without<detail::continuation_problem<F, G>>>
  [[nodiscard]] auto beta(F then, G otherwise = {}) {
    using M = detail::message_of_continuation<F>;
    return detail::access::make_ref<M>(create_once<M>(then, otherwise));
  }
  template <class F, class G = detail::no_failure_handler, detail::some problem = detail::continuation_problem<F, G>>
  auto beta(F then, G otherwise = {}) = delete;

  // Sends request<Q> with a beta as its customer, and goes on. When the answer comes, then(tx, answer) runs, or
  // then(tx) for a void reply. When no answer will come, otherwise(tx, failure) runs; without `otherwise` the failure
  // is a dead letter.
  template <class P, class Q, class F, class G = detail::no_failure_handler,
            class problem = detail::without<detail::ask_then_problem<P, Q, F, G>>>
  void ask(ref<P> to, Q query, F then, G otherwise = {}) {
    ask_within(detail::due_time::never, to, query, then, otherwise);
  }
  template <class P, class Q, class F, class G = detail::no_failure_handler,
            detail::some problem = detail::ask_then_problem<P, Q, F, G>>
  void ask(ref<P> to, Q query, F then, G otherwise = {}) = delete;
  // Asks as the call above does, but the request fails when no answer has come within `limit`, counted from the commit:
  // then `otherwise` hears failure_reason::timed_out, and an answer that comes after all is a dead letter.
  template <class P, class Q, class Rep, class Period, class F, class G,
            class problem = detail::without<detail::ask_then_problem<P, Q, F, G>>>
  void ask(ref<P> to, Q query, std::chrono::duration<Rep, Period> limit, F then, G otherwise) {
    ask_within(detail::whole_ns(limit), to, query, then, otherwise);
  }
  template <class P, class Q, class Rep, class Period, class F, class G,
            detail::some problem = detail::ask_then_problem<P, Q, F, G>>
  void ask(ref<P> to, Q query, std::chrono::duration<Rep, Period> limit, F then, G otherwise) = delete;

  // Asks every actor of `to`, a range of refs, at once, each with a copy of the query, and goes on. When each of them
  // has answered or failed, then(tx, std::vector<tact::outcome<R>>) runs once, with the outcomes in the order of `to`:
  // no failure is lost. R is the type of the reply, tact::done if that is void. A request costs what one by a beta
  // costs, and no more; the customer of all is one actor for 62 requests. The caller must include
  // tact/patterns/ask_all.hpp. Source of the idea: the fork of Lisp-Actors.
  template <detail::iterable Refs, class Q, class F, class problem = detail::without<detail::ask_all_problem<Refs, Q>>>
  void ask_all(const Refs& to, const Q& query, F then) {
    gather(to, query, {}, std::move(then));
  }
  // Asks all as the call above does, but a request that has not ended within `limit`, counted from the commit, counts
  // as failed with failure_reason::timed_out; its answer is a dead letter.
  template <detail::iterable Refs, class Q, class Rep, class Period, class F,
            class problem = detail::without<detail::ask_all_problem<Refs, Q>>>
  void ask_all(const Refs& to, const Q& query, std::chrono::duration<Rep, Period> limit, F then) {
    gather(to, query, std::chrono::nanoseconds(detail::whole_ns(limit)), std::move(then));
  }
  template <detail::iterable Refs, class Q, detail::some problem = detail::ask_all_problem<Refs, Q>>
  void ask_all(const Refs& to, const Q& query, auto... rest) = delete;

  // Asks every actor of `to`, a range of at most 62 refs, at once, each with a copy of the query, and goes on. When the
  // first of them has answered or failed, then(tx, tact::outcome<R>) runs, and the others are cancelled: a flag of the
  // context in which they were asked is set (tact::cancel_flag). What they answer after that is dropped. Throws
  // usage_error when there are more refs. The caller must include tact/patterns/ask_first.hpp. Source: Lisp-Actors.
  template <detail::iterable Refs, class Q, class F, class problem = detail::without<detail::ask_all_problem<Refs, Q>>>
  void ask_first(const Refs& to, const Q& query, F then) {
    race(to, query, {}, detail::race_rule::first_outcome, std::move(then));
  }
  // Asks as the call above does, but when none has ended within `limit`, counted from the commit, the outcome is a
  // failure, timed_out.
  template <detail::iterable Refs, class Q, class Rep, class Period, class F,
            class problem = detail::without<detail::ask_all_problem<Refs, Q>>>
  void ask_first(const Refs& to, const Q& query, std::chrono::duration<Rep, Period> limit, F then) {
    race(to, query, std::chrono::nanoseconds(detail::whole_ns(limit)), detail::race_rule::first_outcome,
         std::move(then));
  }
  template <detail::iterable Refs, class Q, detail::some problem = detail::ask_all_problem<Refs, Q>>
  void ask_first(const Refs& to, const Q& query, auto... rest) = delete;

  // As ask_first, but the first answer counts. Only when all of them have failed the outcome is a failure, with the
  // reason of the one that failed last; its `causes` say of each, in the order in which they failed, why it did.
  template <detail::iterable Refs, class Q, class F, class problem = detail::without<detail::ask_all_problem<Refs, Q>>>
  void ask_any(const Refs& to, const Q& query, F then) {
    race(to, query, {}, detail::race_rule::first_answer, std::move(then));
  }
  // Asks as the call above does, but when there is no answer within `limit`, counted from the commit, the outcome is a
  // failure, timed_out.
  template <detail::iterable Refs, class Q, class Rep, class Period, class F,
            class problem = detail::without<detail::ask_all_problem<Refs, Q>>>
  void ask_any(const Refs& to, const Q& query, std::chrono::duration<Rep, Period> limit, F then) {
    race(to, query, std::chrono::nanoseconds(detail::whole_ns(limit)), detail::race_rule::first_answer,
         std::move(then));
  }
  template <detail::iterable Refs, class Q, detail::some problem = detail::ask_all_problem<Refs, Q>>
  void ask_any(const Refs& to, const Q& query, auto... rest) = delete;

  // Answers a request. A one-shot customer hears only the answer that arrives first.
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
  template <class R, class... V, detail::some problem = detail::reply_problem<R, V...>>
  void reply(const R&, const V&...) {
    static_assert(!std::same_as<problem, handler_must_take<request<R>>>,
                  "tact: a query by itself cannot be answered: let the handler take const tact::request<Q>& in the "
                  "place of const Q&");
    static_assert(!std::same_as<problem, not_a_request<R>>,
                  "tact: the first argument of reply is the request, a const tact::request<Q>&");
    static_assert(!detail::has_customer<R>,
                  "tact: the answer is not of the type that the query names: using reply = ...; for void it is "
                  "self.reply(request)");
  }

  // Tells a customer that no answer will come, and why. The engine does this for a handler that throws; this call is
  // for actors that answer in the place of others.
  template <class R>
  void fail(ref<R> customer, failure why) {
    detail::stage_message<failure>(run_, detail::access::port_of(customer), std::move(why));
  }
  template <class Q>
  void fail(const request<Q>& to, failure why) {
    fail(to.customer, std::move(why));
  }

  // Says that the request will be answered later, by a run of an actor that keeps it or its customer. Without this call
  // the customer of a request that was neither answered nor passed on is told at the commit that no answer will come.
  template <class Q>
  void defer(const request<Q>& m) noexcept {
    detail::settle_debt(run_, detail::access::port_of(m.customer));
  }

  // Sends request<Q> and waits for its answer, of type Q::reply, which may be void; meanwhile the worker goes on with
  // other messages. Everything staged so far takes effect before the wait, and cannot be undone: a handler that asks
  // falls into segments, and each of them is a transaction. Throws ask_error when no answer will come.
  // While a classic or ordered actor waits, messages for it are put aside and handled afterwards, in order. A parallel
  // actor goes on with other messages, and this handler must not call become from here on. The handler may go on on
  // another thread: it must hold no lock and nothing else that belongs to a thread. Throws usage_error behind a become,
  // stop or pass_on, in a catch block, and when `to` is the actor's own address and the actor handles one message at a
  // time. With engine_options::ask_timeout it is the same as the call below, with that limit. docs/waiting.md.
  // Source of the idea: Lisp-Actors.
  template <class P, class Q, class problem = detail::without<detail::ask_problem<P, Q>>>
  auto ask(ref<P> to, Q query) -> typename Q::reply {
    const auto timeout = detail::ask_timeout(detail::core_of(run_));
    return wait_within(timeout.count() == 0 ? detail::due_time::never : detail::whole_ns(timeout), to, query);
  }
  template <class P, class Q, detail::some problem = detail::ask_problem<P, Q>>
  void ask(ref<P> to, Q query) = delete;
  // Asks as the call above does, but waits for `limit` at most, counted from the commit of what was staged so far: then
  // it throws ask_error with failure_reason::timed_out, and an answer that comes after all is a dead letter.
  template <class P, class Q, class Rep, class Period, class problem = detail::without<detail::ask_problem<P, Q>>>
  auto ask(ref<P> to, Q query, std::chrono::duration<Rep, Period> limit) -> typename Q::reply {
    return wait_within(detail::whole_ns(limit), to, query);
  }
  template <class P, class Q, class Rep, class Period, detail::some problem = detail::ask_problem<P, Q>>
  void ask(ref<P> to, Q query, std::chrono::duration<Rep, Period> limit) = delete;

  // Commits what was staged so far, and goes on: so a handler that computes for long shows its progress, and others
  // have their turn. It is a wait for nothing: as for `ask`, the handler falls into segments, each of them a
  // transaction, and what holds for the wait of an `ask` holds here. Throws usage_error where `ask` does, and ask_error
  // when the engine has ended. A context that is over does not end it.
  template <class Told = done>  // a template, because only programs that call it pay for handlers that wait
  void commit() {
    detail::waiting_handler<Told> here(detail::type_of_commit);
    const detail::port customer = detail::reserve_commit(run_);
    detail::stage_message<Told>(run_, customer, Told{});
    wait_as<Told>(customer, here);
    if (here.reason && here.reason->reason == failure_reason::engine_ended) throw ask_error(*here.reason);
  }

  // Timers. send_after, send_at and send_every: see timer.hpp. A handler's timers are set at the commit, and relative
  // times count from there. timer::cancel is staged, too.

  // The context of the message that is handled, or that of the innermost tact::with_context around this call. What is
  // sent here carries it.
  [[nodiscard]] tact::context context() const noexcept { return current_context(); }

  // Puts a text into the record of steps, if a tact::inspect::recorder records this run; else it does nothing. The text
  // is copied, and cut off behind 240 bytes. It is recorded at once, and marked as undone when the run is undone.
  void note(std::string_view text) noexcept { detail::note_mark(run_, text); }

  // Forgets everything that was staged so far; the handler goes on.
  void discard() noexcept { detail::discard(run_); }

  // Runs f() or f(transaction&) once after this run has committed, and never for a run that was discarded. When f
  // throws, the report names it as the compiler spells it, together with the handler in which it was written.
  //
  // For an actor that handles one message at a time (a classic, ordered, heavy or blocking one, and one on a loop) f
  // runs before the next message of the actor: behind the commit, in the order of the calls, and never two of them at
  // once. So what only the effects of one such actor write needs no lock. For a parallel actor nothing is promised but
  // that f runs: the effects of several runs may overlap, and come in any order.
  template <class F, class problem = detail::without<detail::commit_problem<F>>>
  void on_commit(F f) {
    detail::no_failure_handler nothing;
    const detail::port effect = detail::create_beside(run_, make_continuation<detail::on_commit>(f, nothing));
    detail::send_effect(run_, effect, detail::on_commit{});
  }
  template <class F, detail::some problem = detail::commit_problem<F>>
  void on_commit(F f) = delete;

 protected:
  friend struct detail::access;
  using transaction_base::transaction_base;

 private:
  using transaction_base::put;
  using transaction_base::set;
  template <class P, class Q>
  auto wait_within(std::int64_t limit_ns, ref<P> to, Q& query) -> typename Q::reply {
    using R = typename request<Q>::reply;
    detail::waiting_handler<R> here(detail::type_of_waiter<Q>);
    const detail::port customer = detail::reserve_waiter(run_, detail::access::port_of(to));
    const detail::timer_id limit = detail::limit_ask(run_, customer, limit_ns);
    send(to, request<Q>{detail::access::make_ref<R>(customer), std::move(query)});
    wait_as<Q>(customer, here);
    if (limit.record != nullptr && !here.has_timed_out()) static_cast<void>(detail::cancel_timer(limit));
    return here.template take<typename Q::reply>();
  }
  template <class P, class Q, class F, class G>
  void ask_within(std::int64_t limit_ns, ref<P> to, Q& query, F& then, G& otherwise) {
    using R = typename request<Q>::reply;
    auto& c = make_continuation<R, request<Q>>(then, otherwise);
    const detail::port customer = detail::create(run_, c, detail::placement::parallel);
    c.limit_ = detail::limit_ask(run_, customer, limit_ns);
    send(to, request<Q>{detail::access::make_ref<R>(customer), std::move(query)});
  }
  // As ask, but the ask goes on when its context is over. It is for parts whose state says that the service is in use.
  template <class P, class Q, class F, class G>
  void ask_regardless(const std::optional<std::chrono::nanoseconds>& limit, ref<P> to, Q query, F then, G otherwise) {
    using R = typename request<Q>::reply;
    auto& c = make_continuation<R, request<Q>>(then, otherwise);
    const detail::port customer = detail::create(run_, c, detail::placement::parallel);
    if (limit) {
      c.limit_ = detail::access::id_of(
          this->send_after(*limit, detail::access::make_ref<failure>(customer), detail::timed_out_notice()));
    }
    send(to, request<Q>{detail::access::make_ref<R>(customer), std::move(query)});
  }
  template <class Refs, class Q, class F>
  void gather(const Refs& to, const Q& query, const std::optional<std::chrono::nanoseconds>& limit, F then) {
    static_assert(detail::complete<outcome<typename request<Q>::reply>>,
                  "tact: a program that calls self.ask_all includes <tact/patterns/ask_all.hpp>");
    detail::gather(*this, to, query, limit, std::move(then));
  }
  template <class Refs, class Q, class F>
  void race(const Refs& to, const Q& query, const std::optional<std::chrono::nanoseconds>& limit,
            detail::race_rule rule, F then) {
    static_assert(detail::complete<outcome<typename request<Q>::reply>>,
                  "tact: a program that calls self.ask_first or ask_any includes <tact/patterns/ask_first.hpp>");
    detail::race(*this, to, query, limit, rule, std::move(then));
  }
};

template <class M, class F, class G, class Asked, class Captures>
void detail::continuation<M, F, G, Asked, Captures>::enter(closure& c, run& r, void* message) {
  M& m = *static_cast<M*>(message);
  if constexpr (has_customer<M>) owe_answer(r, m);
  inherit_debt(r, static_cast<continuation&>(c));
  auto tx = access::make_self<transaction>(r);
  cancel_limit(static_cast<continuation&>(c).limit_);
  static_cast<continuation&>(c).return_to_context(r);
  static_cast<continuation&>(c).captures_.template tell_if_dangling<F>();
  call_once(static_cast<continuation&>(c).then_, tx, m);
  access::finish(tx);
}

// Calls f with as much of (transaction, failure) as it takes.
template <class G>
void detail::call_otherwise(G& g, transaction& tx, const failure& f) {
  if constexpr (std::is_invocable_v<G&, transaction&, const failure&>) {
    g(tx, f);
  } else {
    g(f);
  }
}

template <class M, class F, class G, class Asked, class Captures>
void detail::continuation<M, F, G, Asked, Captures>::fail(closure& c, run& r, void* message) {
  if constexpr (!std::same_as<G, no_failure_handler>) {
    const failure& f = *static_cast<const failure*>(message);
    inherit_debt(r, static_cast<continuation&>(c));
    auto tx = access::make_self<transaction>(r);
    cancel_limit(static_cast<continuation&>(c).limit_);
    static_cast<continuation&>(c).return_to_context(r);
    static_cast<continuation&>(c).captures_.template tell_if_dangling<G>();
    call_otherwise(static_cast<continuation&>(c).otherwise_, tx, f);
    access::finish(tx);
  }
}

}  // namespace tact

#include "tact/detail/end.hpp"  // last
