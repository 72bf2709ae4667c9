// tact::engine: the workers, the communal mailbox, and all actors created in it.
#include "tact/detail/language.hpp"  // first
#pragma once

#include <chrono>
#include <concepts>
#include <exception>
#include <memory>
#include <optional>
#include <string>
#include <type_traits>
#include <utility>
#include <vector>

#include "tact/actor.hpp"
#include "tact/behavior.hpp"
#include "tact/detail/askers.hpp"
#include "tact/detail/async_ask.hpp"
#include "tact/detail/workers.hpp"
#include "tact/engine_options.hpp"
#include "tact/failure.hpp"
#include "tact/helping.hpp"
#include "tact/placement.hpp"
#include "tact/request.hpp"
#include "tact/staffing.hpp"
#include "tact/statistics.hpp"
#include "tact/timer.hpp"

namespace tact {

template <class R>
class serial;  // in serial.hpp
namespace detail {
template <class R>
class keeper;  // the same
}

// Owns its workers and every actor created in it. Thread safety: all members may be called from any thread, at once.
// Inside a handler send, create, create_group, spawn and attach are staged like those of the handler's own transaction;
// the calls that wait throw usage_error there, which names the right form. Limits are durations from now.
class engine : public creator<engine>, public detail::setter<engine>, public staffing {
 public:
  // Starts the workers. Throws option_error, which names the option and the remedy, and std::system_error when the
  // system gives no threads. Not in a handler, nor on another thread of an engine: usage_error. docs/ends.md.
  explicit engine(const engine_options& options = {}) : staffing(detail::start(options)) {}
  // Finishes everything as drain does, for engine_options::end_deadline at most; then cancels and says what still ran.
  // On a thread of this engine it returns at once, and another thread does that. An actor may hold a shared_ptr of
  // another engine, but of its own only if somebody else ends that: it would keep itself alive.
  ~engine() { detail::finish(core_); }
  engine(const engine&) = delete;
  engine& operator=(const engine&) = delete;

  // -- create, create_group, spawn and attach are those of creator, send_after, send_at and send_every those of setter

  // -- sending and asking; try_send and send_for are those of trying

  // Sends m, as `to | m` does. It is in the actor's queue on return; inside a handler it leaves at the commit. Where
  // when_full::hold_back says so, it waits for room first; not inside a handler. Throws std::bad_alloc: nothing was
  // sent. No way of sending is for a handler of signals, because it takes locks: block the signal, and let a thread or
  // a blocking actor that waits for it send, or have the handler write to a pipe.
  template <class P, class M>
    requires(!detail::pill<M>) && detail::sendable<P, M>
  void send(ref<P> to, M&& m) {
    send_here(to, std::forward<M>(m));
  }
  template <class P, class M, class problem = detail::send_problem<P, M>>
    requires(!detail::pill<M> && !detail::none<problem>)
  void send(ref<P> to, M&& m) = delete;
  template <class P, detail::pill M>
    requires detail::classic<P>
  void send(ref<P> to, M&& pill) {
    send_here(to, pill);
  }
  template <class P, detail::pill M>
    requires(!detail::classic<P>)
  void send(ref<P>, M&&) = delete;  // a classic actor's full ref takes pills: a narrowed one cannot kill
  // The same; if the actor is parallel, it handles the message in the next shard, round over those of all workers.
  template <class P, class M>
    requires(!detail::pill<M>) && detail::sendable<P, M>
  void send(ref<P> to, M&& m, spread_t) {
    if (detail::run* r = detail::current_run()) return detail::stage_round_to(*r, to, std::forward<M>(m));
    detail::deliver_to(to, std::forward<M>(m), [this](detail::port p, const detail::message_type& type, void* payload) {
      detail::send_round(core_, p, type, payload);
    });
  }
  template <class P, class M, class problem = detail::send_problem<P, M>>
    requires(!detail::pill<M> && !detail::none<problem>)
  void send(ref<P> to, M&& m, spread_t) = delete;

  // Sends a copy of `m` to each of `to`, a range of refs, in its order. Inside a handler all leave at the commit, or
  // none; outside what was sent before an exception stays sent.
  template <detail::iterable Refs, class M, class problem = detail::send_all_problem<Refs, M>>
    requires detail::none<problem>
  void send_all(const Refs& to, const M& m) {
    for (const auto& r : to) send(r, m);
  }
  template <detail::iterable Refs, class M, class problem = detail::send_all_problem<Refs, M>>
    requires(!detail::none<problem>)
  void send_all(const Refs& to, const M& m) = delete;

  // Sends `message` to `watcher` when `target` has ended, and at once if it ended before; without a message
  // tact::ended, which says why, to somebody who takes that. As transaction::monitor, which it is inside a handler.
  template <class T, class Q, class M>
    requires detail::sendable<Q, M>
  void monitor(ref<T> target, ref<Q> watcher, M&& message) {
    watch(detail::access::port_of(target), detail::make_watcher(watcher, std::forward<M>(message)));
  }
  template <class T, class Q, class M, class problem = detail::send_problem<Q, M>>
    requires(!detail::none<problem>)
  void monitor(ref<T> target, ref<Q> watcher, M&& message) = delete;
  template <class T, detail::hears_end W>
  void monitor(ref<T> target, W watcher) {
    watch(detail::access::port_of(target), detail::make_watcher(watcher));
  }

  // Sends request<Q> and waits for its answer, of type Q::reply, which may be void. Throws ask_error when none will
  // come. Source of the idea: Lisp-Actors.
  template <class P, class Q, class problem = detail::ask_problem<P, Q>>
    requires detail::none<problem>
  auto ask(ref<P> to, Q query) -> typename Q::reply {
    auto answer = ask_until(to, std::move(query), {});
    if constexpr (!std::is_void_v<typename Q::reply>) return std::move(*answer);
  }
  // The same, but waits for `limit` at most. Returns std::optional of the answer; for void a bool, true when answered.
  template <class P, class Q, class Rep, class Period, class problem = detail::ask_problem<P, Q>>
    requires detail::none<problem>
  [[nodiscard]] auto ask(ref<P> to, Q query, std::chrono::duration<Rep, Period> limit) {
    auto answer = ask_until(to, std::move(query), detail::deadline_after(limit));
    if constexpr (std::is_void_v<typename Q::reply>) {
      return answer.has_value();
    } else {
      return answer;
    }
  }
  // As the first, and works for the engine meanwhile: see tact::help. Throws usage_error, before anything is sent,
  // when engine_options::helpers_max is 0. In an engine without workers a thread that asks helps in any case.
  template <class P, class Q, class problem = detail::ask_problem<P, Q>>
    requires detail::none<problem>
  auto ask(ref<P> to, Q query, help_t) -> typename Q::reply {
    detail::look_whether_help_is_wanted(core_);
    auto answer = ask_until(to, std::move(query), {}, true);
    if constexpr (!std::is_void_v<typename Q::reply>) return std::move(*answer);
  }
  template <class P, class Q, class Rep, class Period>
  void ask(ref<P>, Q, std::chrono::duration<Rep, Period>, help_t) {
    static_assert(sizeof(P) == 0, "tact: help may take longer: ask with a limit, or with tact::help, not both");
  }
  template <class P, class Q, class problem = detail::ask_problem<P, Q>>
    requires(!detail::none<problem>)
  void ask(ref<P> to, Q query, auto... limit) = delete;

  // Asks all of `to`, a range of refs, at once, each with a copy of the query, and waits for all answers. Returns a
  // std::vector of them in the order of `to`; for void nothing. When some fail, ask_error of the first of them in that
  // order is thrown, once each was answered or has failed.
  template <detail::iterable Refs, class Q, class problem = detail::ask_all_problem<Refs, Q>>
    requires detail::none<problem>
  auto ask_all(const Refs& to, const Q& query) {
    using R = typename request<Q>::reply;
    detail::round_of_asks<R> asks(core_);
    ask_round(asks, to, query, {});
    if constexpr (!std::is_void_v<typename Q::reply>) {
      std::vector<R> answers;
      asks.for_each([&](std::optional<R>& a) { answers.push_back(std::move(*a)); });
      return answers;
    }
  }
  // The same, but waits for `limit` at most. Returns a std::vector of std::optional; for void of bool.
  template <detail::iterable Refs, class Q, class Rep, class Period, class problem = detail::ask_all_problem<Refs, Q>>
    requires detail::none<problem>
  [[nodiscard]] auto ask_all(const Refs& to, const Q& query, std::chrono::duration<Rep, Period> limit) {
    using R = typename request<Q>::reply;
    constexpr bool is_void = std::is_void_v<typename Q::reply>;
    detail::round_of_asks<R> asks(core_);
    ask_round(asks, to, query, detail::deadline_after(limit));
    std::vector<std::conditional_t<is_void, bool, std::optional<R>>> answers;
    asks.for_each([&](std::optional<R>& a) {
      if constexpr (is_void) {
        answers.push_back(a.has_value());
      } else {
        answers.push_back(std::move(a));
      }
    });
    return answers;
  }
  template <detail::iterable Refs, class Q, class problem = detail::ask_all_problem<Refs, Q>>
    requires(!detail::none<problem>)
  void ask_all(const Refs& to, const Q& query, auto... limit) = delete;

  // The ways to ask of a thread that does not wait. Each ask ends with an answer or a reason, at the latest with the
  // engine; none is part of a transaction.

  // The answer as a std::future, whose get throws ask_error when none will come. To drop it is harmless. Not inside a
  // handler: usage_error. In a simulation a future is ready, or get waits for ever: let the simulation run first. Who
  // calls it includes tact/future.hpp.
  template <class P, class Q, class problem = detail::ask_problem<P, Q>>
    requires detail::none<problem>
  [[nodiscard]] auto ask_future(ref<P> to, Q query) {
    using promised = detail::promised<typename Q::reply>;
    static_assert(detail::complete<promised>, "tact: who calls engine.ask_future includes <tact/future.hpp>");
    detail::refuse_inside_handler("engine.ask_future", "call self.ask(to, query, continuation)");
    promised told;
    auto answer = told.promise.get_future();
    ask_on(to, std::move(query), detail::make_told_later<typename request<Q>::reply>(std::move(told)));
    return answer;
  }
  template <class P, class Q, class problem = detail::ask_problem<P, Q>>
    requires(!detail::none<problem>)
  void ask_future(ref<P> to, Q query) = delete;

  // co_await engine.ask_async(to, query) in a coroutine of any kind: the answer, or ask_error. The coroutine goes on
  // on the thread that brings the answer, a worker or one that ends the engine, and must not block there; what it sends
  // is sent when it suspends or ends. With .via(executor), anything that takes a function to be called without
  // arguments, it goes on where the executor calls that. Inside a handler the request leaves at once. A suspended
  // coroutine may be destroyed where its executor would let it go on: then the answer is dropped. Without an executor
  // it must not be destroyed while it is suspended here. With GCC 12 name a query that owns memory: `const find
  // query{text};`. It copies only the bytes of an aggregate that is made within the expression of a co_await.
  template <class P, class Q, class problem = detail::ask_problem<P, Q>>
    requires detail::none<problem>
  [[nodiscard]] detail::async_ask<P, Q> ask_async(ref<P> to, Q query) {
    return {core_, to, std::move(query), {}};
  }
  template <class P, class Q, class problem = detail::ask_problem<P, Q>>
    requires(!detail::none<problem>)
  void ask_async(ref<P> to, Q query) = delete;

  // For threads that must not be held, of a window or of sound: sends the request and returns. When the answer comes
  // executor(f) is called on the thread that brings it, and f() calls then(answer), for void then(); when none will
  // come, otherwise(failure). What they throw goes to who calls f; what the executor throws is reported like a
  // handler's exception. Not inside a handler: usage_error.
  template <class P, class Q, class Executor, class Then, class Otherwise, class problem = detail::ask_problem<P, Q>>
    requires detail::none<problem>
  void ask(ref<P> to, Q query, Executor executor, Then then, Otherwise otherwise) {
    using R = typename request<Q>::reply;
    using posted = detail::posted<R, Executor, Then, Otherwise>;
    using heard = typename posted::heard;
    static_assert(std::invocable<Executor&, detail::posted_call<heard>>,
                  "tact: the executor of engine.ask is called with a function without arguments");
    static_assert(std::invocable<Then&, R&&> || (std::is_void_v<typename Q::reply> && std::invocable<Then&>),
                  "tact: the fourth argument of engine.ask is called with the answer");
    static_assert(std::invocable<Otherwise&, const failure&>,
                  "tact: the last argument of engine.ask is called with a tact::failure");
    static_assert(detail::returns_nothing<Then, Otherwise, R>(),
                  "tact: the functions given to engine.ask return void; a coroutine would outlive its own function");
    if (detail::current_run() != nullptr)
      throw usage_error(
          "engine.ask with an executor is for threads outside; inside a handler call self.ask(to, query, "
          "continuation)");
    auto state = std::make_shared<heard>(std::move(then), std::move(otherwise));
    ask_on(to, std::move(query), detail::make_told_later<R>(posted{std::move(executor), std::move(state)}));
  }

  // A resource for several threads, a tact::serial<R> (tact/serial.hpp): a call book(f) of `const auto book =
  // engine.serialize(std::map<...>{})` runs f(resource) on the engine, one at a time, those of one thread in order, and
  // returns a std::future of what it returns or throws. With tact::blocking on a thread of its own, for what waits.
  template <class R, std::same_as<blocking_t>... Blocking>
    requires(sizeof...(Blocking) <= 1)
  [[nodiscard]] auto serialize(R resource, Blocking... where) {
    static_assert(detail::complete<serial<R>>, "tact: who calls engine.serialize includes <tact/serial.hpp>");
    using keeper = detail::keeper<R>;
    return serial<R>(this->template spawn<keeper>(owned, where..., keeper::rule(), std::move(resource)));
  }

  // -- waiting: without a limit until it is so, and every ten seconds a line on stderr says for whom, as in an ask
  // without limit; with one false when the limit passed first.

  // Nothing in flight, nothing running: what was handled until then is visible to the caller.
  void wait_idle() { (void)wait("engine.wait_idle", &detail::wait_idle, {}); }
  template <class Rep, class Period>
  [[nodiscard]] bool wait_idle(std::chrono::duration<Rep, Period> limit) {
    return wait("engine.wait_idle", &detail::wait_idle, detail::deadline_after(limit));
  }
  // That, and every actor has ended.
  void wait_finished() { (void)wait("engine.wait_finished", &detail::wait_finished, {}); }
  template <class Rep, class Period>
  [[nodiscard]] bool wait_finished(std::chrono::duration<Rep, Period> limit) {
    return wait("engine.wait_finished", &detail::wait_finished, detail::deadline_after(limit));
  }

  // -- run, run_until_idle, quit and pump, for an engine without workers, are those of pumping
  // -- set_workers and workers are those of staffing

  // -- ending: the engine handles nothing afterwards, sends to it are dead letters. Calling twice is harmless.

  // Handles everything that is in flight and what comes of it, then ends the engine.
  // Timers that are set are no messages: nobody waits for them, and they are dropped.
  void drain() { (void)wait("engine.drain", &detail::drain, {}); }
  template <class Rep, class Period>
  [[nodiscard]] bool drain(std::chrono::duration<Rep, Period> limit) {
    return wait("engine.drain", &detail::drain, detail::deadline_after(limit));
  }
  // For the main function of a program that goes on until it is asked to end: waits for SIGINT or SIGTERM, then drains
  // for engine_options::end_deadline at most, and cancels. Returns the number of the signal; 0 when every actor has
  // ended before one came. A second signal does what it would do without tact: as a rule it ends the process at once.
  // One engine of a process at a time, one with workers; not inside a handler, nor in a simulation: usage_error.
  int run_until_signal() { return detail::run_until_signal(core_); }
  // Ends as soon as the handlers that run have returned; what was not delivered becomes dead letters.
  void cancel() { (void)wait("engine.cancel", &detail::cancel, {}); }
  template <class Rep, class Period>
  [[nodiscard]] bool cancel(std::chrono::duration<Rep, Period> limit) {
    return wait("engine.cancel", &detail::cancel, detail::deadline_after(limit));
  }

  // -- looking: never waits, allowed inside handlers too. This one for people: what keeps the engine from ending.
  [[nodiscard]] std::string still_running() const { return detail::still_running(core_); }
  // Where the workers run, of all that there may be; the same as long as the engine lives.
  [[nodiscard]] const placement_plan& plan() const noexcept { return detail::read_plan(core_); }
  // Exact when the engine is idle.
  [[nodiscard]] tact::statistics statistics() const { return detail::read_statistics(core_); }
  // The same for each worker that there may be, by its number: the first statistics().workers of them run now, the
  // others have gone or never came. Blocking actors and threads outside are in the sums only.
  [[nodiscard]] std::vector<tact::worker_statistics> worker_statistics() const {
    return detail::read_worker_statistics(core_);
  }
  // What is counted by the type of actors: those types of which some are alive, or have collided, by name. Looks at
  // every cell of the engine.
  [[nodiscard]] std::vector<tact::type_statistics> type_statistics() const {
    return detail::read_type_statistics(core_);
  }
  // How many messages wait in each shard, by its number: the ordinary ones, those kept for heavy actors, then one for
  // each blocking actor that there may be. Messages on their way between workers are not in a shard yet.
  [[nodiscard]] std::vector<std::uint64_t> shard_depths() const { return detail::read_shard_depths(core_); }
  // The latest dead letters, oldest first; engine_options::dead_letters_kept of them.
  [[nodiscard]] std::vector<dead_letter> dead_letters() const { return detail::read_dead_letters(core_); }

 private:
  friend struct detail::access;

  // The handler's run when this thread runs a handler of this engine.
  [[nodiscard]] detail::run* own_run() const noexcept {
    detail::run* r = detail::current_run();
    return r != nullptr && &detail::core_of(*r) == &core_ ? r : nullptr;
  }

  template <class How>
  detail::port put(detail::closure& c, How&& how) {
    detail::run* r = own_run();
    return r != nullptr ? detail::create(*r, c, std::forward<How>(how))
                        : detail::create(core_, c, std::forward<How>(how));
  }

  template <class How>
  detail::port reserve(How&& how) {
    detail::run* r = own_run();
    return r != nullptr ? detail::reserve(*r, std::forward<How>(how)) : detail::reserve(core_, std::forward<How>(how));
  }
  void install(detail::port reserved, detail::closure& c) {
    detail::run* r = own_run();
    r != nullptr ? detail::install(*r, reserved, c) : detail::install(core_, reserved, c);
  }
  // A run gives back at its end what has no behaviour.
  void abandon(detail::port reserved) noexcept {
    if (own_run() == nullptr) detail::abandon(core_, reserved);
  }

  void watch(detail::port target, detail::watcher& w) {
    if (detail::run* r = detail::current_run()) return detail::watch(*r, target, w);
    detail::watch(core_, target, w);
  }
  template <class InRun, class AtOnce>
  void set(InRun in_run, AtOnce at_once) {
    detail::run* r = detail::current_run();
    r != nullptr ? in_run(*r) : at_once(core_);
  }
  template <class P, class M>
  void send_here(ref<P> to, M&& m) {
    if (detail::run* r = detail::current_run()) return detail::stage_to(*r, to, std::forward<M>(m));
    detail::deliver_to(to, std::forward<M>(m), [this](detail::port p, const detail::message_type& type, void* payload) {
      detail::send(core_, p, type, payload);
    });
  }

  template <class P, class Q>
  auto ask_until(ref<P> to, Q query, detail::deadline limit, bool helps = false) {
    using R = typename request<Q>::reply;
    detail::refuse_inside_handler("engine.ask", "call self.ask, which puts the handler aside");
    detail::asker<R> asker;
    detail::core& core = core_;  // a handler may drop this engine as soon as it answers
    const detail::port customer = detail::create_asker(core, asker);
    try {
      (void)send_by(to, request<Q>{detail::access::make_ref<R>(customer), std::move(query)}, {.until = limit});
    } catch (...) {
      if (!detail::withdraw_asker(core, customer)) (void)asker.told.wait({});
      throw;
    }
    if (helps) detail::help_until_told(core, asker.told);
    if (!detail::wait_told(core, asker.told, limit, detail::access::port_of(to)) &&
        !detail::withdraw_asker(core, customer))
      (void)asker.told.wait({});
    if (asker.reason) throw ask_error(*asker.reason);
    if (!asker.answer) detail::look_whether_stuck("engine.ask");
    return std::move(asker.answer);
  }

  template <class R, class Refs, class Q>
  void ask_round(detail::round_of_asks<R>& asks, const Refs& to, const Q& query, detail::deadline limit) {
    detail::refuse_inside_handler("engine.ask_all", "call self.ask(to, query, continuation) for each");
    for (const auto& r : to)
      (void)send_by(r, request<Q>{detail::access::make_ref<R>(asks.add(detail::access::port_of(r))), query},
                    {.until = limit});
    asks.wait(limit);
  }
  // The request leaves at once, also inside a handler.
  template <class P, class Q>
  void ask_on(ref<P> to, Q query, detail::closure& asker) {
    detail::ask_with(core_, to, std::move(query), asker, detail::create_asker(core_, asker));
  }

  bool wait(const char* call, bool (*until)(detail::core&, detail::deadline), detail::deadline limit) {
    detail::refuse_inside_handler(call, "leave it to the thread that owns the engine");
    const bool reached = until(core_, limit);
    if (!reached) detail::look_whether_stuck(call);
    return reached;
  }
};

}  // namespace tact
