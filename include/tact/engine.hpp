// tact::engine: the workers, the communal mailbox, and all actors created in it.
#include "tact/detail/begin.hpp"  // first
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
#include "tact/engine_figures.hpp"
#include "tact/engine_options.hpp"
#include "tact/failure.hpp"
#include "tact/helping.hpp"
#include "tact/monitor.hpp"
#include "tact/pumped.hpp"
#include "tact/request.hpp"
#include "tact/timer.hpp"

namespace tact {

template <class R>
class guarded;  // in guarded.hpp
namespace detail {
template <class R>
class keeper;  // in guarded.hpp
}

// An engine owns its workers and every actor created in it. Thread safety: all members may be called from any thread,
// concurrently. Inside a handler, sends are staged like those of the handler's own transaction, and so are create,
// create_group, spawn and attach if the handler belongs to the same engine; the calls that wait throw usage_error
// there, and its text names the call to use instead. A time limit is a duration, counted from the call.
class engine : public creator<engine>, public detail::setter<engine>, public engine_figures {
 public:
  // Starts the workers. Throws option_error, whose text names the option and the remedy, and std::system_error when the
  // system gives no threads. An engine must not be made in a handler, nor on another thread of an engine: there the
  // constructor throws usage_error. docs/ends.md.
  explicit engine(const engine_options& options = {}) : engine_figures(detail::start(options)) {}
  // Handles everything that is in flight, as drain does, for engine_options::shutdown_timeout at most; then it cancels,
  // and reports what still ran. On a thread of this engine the destructor returns at once, and another thread does that
  // work. An actor may hold a shared_ptr to another engine. An actor that holds one to its own engine keeps that engine
  // alive, until some other part of the program calls drain or cancel.
  ~engine() { detail::finish(core_); }
  engine(const engine&) = delete;
  engine& operator=(const engine&) = delete;

  // -- create, create_group, spawn and attach: see creator. send_after, send_at and send_every: see timer.hpp. What the
  // engine tells of itself: see engine_figures.hpp.

  // -- sending

  // Sends m, as `to | m` does. On return the message is in the actor's queue; inside a handler it leaves at the commit.
  // When the actor's mailbox is full and its policy is when_full::hold_back, the calling thread waits for room first,
  // but never inside a handler. Throws std::bad_alloc; then nothing was sent. A handler of signals must not send in any
  // way, because sending takes locks: block the signal, and let a thread or a blocking actor that waits for it send, or
  // let the handler of the signal write to a pipe.
  template <class P, class M, class problem = detail::without<detail::send_problem<P, M>>>
  void send(ref<P> to, M&& m) {
    send_here(to, std::forward<M>(m));
  }
  // Sends m as the call above does, but a parallel actor handles it in the next shard: the sends go round the shards of
  // all workers.
  template <class P, class M, class problem = detail::without<detail::send_problem<P, M>>>
  void send(ref<P> to, M&& m, spread_t) {
    if (detail::run* r = detail::current_run()) return detail::stage_round_to(*r, to, std::forward<M>(m));
    detail::deliver_to(to, std::forward<M>(m), [this](detail::port p, const detail::message_type& type, void* payload) {
      detail::send_round(core_, p, type, payload);
    });
  }
  template <class P, class M, detail::some problem = detail::send_problem<P, M>>
  void send(ref<P> to, M&& m, auto...) = delete;

  // Sends a copy of `m` to each ref of the range `to`, in its order. Inside a handler all copies leave at the commit,
  // or none does; outside a handler, copies that were sent before an exception stay sent.
  template <detail::iterable Refs, class M, class problem = detail::without<detail::send_all_problem<Refs, M>>>
  void send_all(const Refs& to, const M& m) {
    for (const auto& r : to) send(r, m);
  }
  template <detail::iterable Refs, class M, detail::some problem = detail::send_all_problem<Refs, M>>
  void send_all(const Refs& to, const M& m) = delete;

  // For threads outside that must not lose what they send, nor wait for ever: see mailbox_limit. Both calls throw
  // usage_error inside a handler, because what a handler sends leaves at its commit, and does not wait.
  // Sends m, unless there is no room for it; never waits. When it returns send_result::full, m is as it was, if it can
  // be moved back without throwing; else it is moved from.
  template <class P, class M, class problem = detail::without<detail::send_problem<P, M>>>
  [[nodiscard]] send_result try_send(ref<P> to, M&& m) {
    refuse_in_handler("engine.try_send");
    return send_by(to, std::forward<M>(m), {.waits = false, .learns = true});
  }
  template <class P, class M, detail::some problem = detail::send_problem<P, M>>
  void try_send(ref<P> to, M&& m) = delete;

  // Sends m as try_send does, but where the policy is when_full::hold_back it waits for room, for `limit` at most.
  template <class Rep, class Period, class P, class M, class problem = detail::without<detail::send_problem<P, M>>>
  [[nodiscard]] send_result send_for(std::chrono::duration<Rep, Period> limit, ref<P> to, M&& m) {
    detail::refuse_inside_handler("engine.send_for", "call self.send(to, message)");
    return send_by(to, std::forward<M>(m), {.until = detail::deadline_after(limit), .learns = true});
  }
  template <class Rep, class Period, class P, class M, detail::some problem = detail::send_problem<P, M>>
  void send_for(std::chrono::duration<Rep, Period> limit, ref<P> to, M&& m) = delete;

  // Sends `message` to `watcher` when `target` has ended, and at once if it ended before. Without a message it sends
  // tact::ended, which says why the target ended, to a watcher whose protocol lists it. Inside a handler the call is
  // that of transaction::monitor, and staged like it. cancel() of the handle that is returned takes the monitor back.
  template <class T, class Q, class M, class problem = detail::without<detail::send_problem<Q, M>>>
  tact::monitor monitor(ref<T> target, ref<Q> watcher, M&& message) {
    return watch(detail::access::port_of(target), detail::make_watcher(watcher, std::forward<M>(message)));
  }
  template <class T, class Q, class M, detail::some problem = detail::send_problem<Q, M>>
  void monitor(ref<T> target, ref<Q> watcher, M&& message) = delete;
  template <class T, detail::hears_end W>
  tact::monitor monitor(ref<T> target, W watcher) {
    return watch(detail::access::port_of(target), detail::make_watcher(watcher));
  }

  // Sends request<Q> and waits for its answer, of type Q::reply, which may be void: for engine_options::ask_timeout at
  // most, if that is set. Throws ask_error when no answer will come, or none came in that time. Source of the idea:
  // Lisp-Actors.
  template <class P, class Q, class problem = detail::without<detail::ask_problem<P, Q>>>
  auto ask(ref<P> to, Q query) -> typename Q::reply {
    auto answer = ask_until(to, std::move(query), ask_deadline());
    refuse_late(answer.has_value());
    if constexpr (!std::is_void_v<typename Q::reply>) return std::move(*answer);
  }
  // Asks as the call above does, but waits for `limit` at most. Returns a std::optional of the answer, empty when the
  // limit passed first; for a void reply a bool, true when the request was answered.
  template <class P, class Q, class Rep, class Period, class problem = detail::without<detail::ask_problem<P, Q>>>
  [[nodiscard]] auto ask(ref<P> to, Q query, std::chrono::duration<Rep, Period> limit) {
    auto answer = ask_until(to, std::move(query), detail::deadline_after(limit));
    if constexpr (std::is_void_v<typename Q::reply>) {
      return answer.has_value();
    } else {
      return answer;
    }
  }
  // As ask without a limit, but the calling thread works for the engine while it waits: see tact::help. Throws
  // usage_error, before anything is sent, when engine_options::helpers_max is 0. In an engine without workers a thread
  // that asks runs the engine in any case.
  template <class P, class Q, class problem = detail::without<detail::ask_problem<P, Q>>>
  auto ask(ref<P> to, Q query, help_t) -> typename Q::reply {
    detail::look_whether_help_is_wanted(core_);
    auto answer = ask_until(to, std::move(query), {}, true);
    if constexpr (!std::is_void_v<typename Q::reply>) return std::move(*answer);
  }
  template <class P, class Q, class Rep, class Period>
  void ask(ref<P>, Q, std::chrono::duration<Rep, Period>, help_t) {
    static_assert(sizeof(P) == 0, "tact: help may take longer: ask with a limit, or with tact::help, not both");
  }
  template <class P, class Q, detail::some problem = detail::ask_problem<P, Q>>
  void ask(ref<P> to, Q query, auto... limit) = delete;

  // Asks every actor of `to`, a range of refs, at once, each with a copy of the query, and waits for all answers.
  // Returns a std::vector of them in the order of `to`; for a void reply it returns nothing. When some requests fail,
  // the call waits until each was answered or has failed, and then throws the ask_error of the first of them in that
  // order.
  template <detail::iterable Refs, class Q, class problem = detail::without<detail::ask_all_problem<Refs, Q>>>
  auto ask_all(const Refs& to, const Q& query) {
    using R = typename request<Q>::reply;
    detail::round_of_asks<R> asks(core_, detail::type_of_asker<Q>);
    ask_round(asks, to, query, ask_deadline());
    asks.for_each([](std::optional<R>& a) { refuse_late(a.has_value()); });
    if constexpr (!std::is_void_v<typename Q::reply>) {
      std::vector<R> answers;
      asks.for_each([&](std::optional<R>& a) { answers.push_back(std::move(*a)); });
      return answers;
    }
  }
  // Asks all as the call above does, but waits for `limit` at most. Returns a std::vector of std::optional in the order
  // of `to`; for a void reply a vector of bool. An answer that did not come in time is empty, or false.
  template <detail::iterable Refs, class Q, class Rep, class Period,
            class problem = detail::without<detail::ask_all_problem<Refs, Q>>>
  [[nodiscard]] auto ask_all(const Refs& to, const Q& query, std::chrono::duration<Rep, Period> limit) {
    using R = typename request<Q>::reply;
    constexpr bool is_void = std::is_void_v<typename Q::reply>;
    detail::round_of_asks<R> asks(core_, detail::type_of_asker<Q>);
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
  template <detail::iterable Refs, class Q, detail::some problem = detail::ask_all_problem<Refs, Q>>
  void ask_all(const Refs& to, const Q& query, auto... limit) = delete;

  // -- asking, by threads that do not wait. Each ask ends with an answer or with the reason why there is none, at the
  // latest when the engine ends. No ask of a thread is part of a transaction.

  // Returns the answer as a std::future, whose get throws ask_error when no answer will come. The future may be dropped
  // without harm. Throws usage_error inside a handler. In a simulation let the simulation run before you call get:
  // while the future is not ready, get waits for ever. The caller must include tact/future.hpp.
  template <class P, class Q, class problem = detail::without<detail::ask_problem<P, Q>>>
  [[nodiscard]] auto ask_future(ref<P> to, Q query) {
    using promised = detail::promised<typename Q::reply>;
    static_assert(detail::complete<promised>,
                  "tact: a program that calls engine.ask_future includes <tact/future.hpp>");
    detail::refuse_inside_handler("engine.ask_future", "call self.ask(to, query, continuation)");
    promised told;
    auto answer = told.promise.get_future();
    ask_on(to, std::move(query), detail::make_told_later<Q>(std::move(told)));
    return answer;
  }
  template <class P, class Q, detail::some problem = detail::ask_problem<P, Q>>
  void ask_future(ref<P> to, Q query) = delete;

  // In a coroutine of any kind, co_await engine.ask_async(to, query) returns the answer or throws ask_error. The
  // coroutine goes on on the thread that brings the answer, which is a worker or a thread that ends the engine, and
  // must not block there; what it sends then leaves when it suspends or ends. With .via(executor), where the executor
  // is anything that takes a function without arguments, the coroutine goes on where the executor calls that function.
  // Inside a handler the request leaves at once, not at the commit.
  // While the coroutine is suspended here, it may be destroyed if it has an executor, on the thread on which that would
  // let it go on: then the answer is dropped. Without an executor it must not be destroyed. With GCC 12 give a query
  // that owns memory a name, as in `const find query{text};`: in the expression of a co_await that compiler copies only
  // the bytes of an aggregate that is made there.
  template <class P, class Q, class problem = detail::without<detail::ask_problem<P, Q>>>
  [[nodiscard]] detail::async_ask<P, Q> ask_async(ref<P> to, Q query) {
    return {core_, to, std::move(query), {}};
  }
  template <class P, class Q, detail::some problem = detail::ask_problem<P, Q>>
  void ask_async(ref<P> to, Q query) = delete;

  // For threads that must not be blocked, such as those of a window or of sound: sends the request and returns. When
  // the answer comes, executor(f) is called on the thread that brings it, and f() calls then(answer), or then() for a
  // void reply. When no answer will come, f() calls otherwise(failure) instead. What `then` and `otherwise` throw
  // reaches the caller of f; what the executor throws is reported like the exception of a handler. Throws usage_error
  // inside a handler.
  template <class P, class Q, class Executor, class Then, class Otherwise,
            class problem = detail::without<detail::ask_problem<P, Q>>>
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
    ask_on(to, std::move(query), detail::make_told_later<Q>(posted{std::move(executor), std::move(state)}));
  }

  // Makes a tact::guarded<R> (tact/guarded.hpp) of a resource that several threads use. After `const auto book =
  // engine.guard(std::map<...>{})` a call book(f) runs f(resource) on the engine and returns a std::future of what
  // f returns or throws. The functions run one at a time, those of one thread in the order of its calls. With
  // tact::blocking they run on a thread of their own, where they may wait.
  template <class R, std::same_as<blocking_t>... Blocking>
    requires(sizeof...(Blocking) <= 1)
  [[nodiscard]] auto guard(R resource, Blocking... where) {
    static_assert(detail::complete<guarded<R>>, "tact: a program that calls engine.guard includes <tact/guarded.hpp>");
    using keeper = detail::keeper<R>;
    return guarded<R>(this->template spawn<keeper>(owned, where..., keeper::rule(), std::move(resource)));
  }

  // -- waiting. Without a limit the call returns when its condition holds; until then it writes a line on stderr every
  // ten seconds, which says what still runs, as an ask without a limit does. With a limit it returns false when that
  // passed first.

  // Waits until nothing is in flight and no handler runs. What was handled until then is visible to the caller.
  void wait_idle() { (void)wait("engine.wait_idle", &detail::wait_idle, {}); }
  template <class Rep, class Period>
  [[nodiscard]] bool wait_idle(std::chrono::duration<Rep, Period> limit) {
    return wait("engine.wait_idle", &detail::wait_idle, detail::deadline_after(limit));
  }
  // Waits until nothing is in flight, no handler runs, and every actor has ended.
  void wait_finished() { (void)wait("engine.wait_finished", &detail::wait_finished, {}); }
  template <class Rep, class Period>
  [[nodiscard]] bool wait_finished(std::chrono::duration<Rep, Period> limit) {
    return wait("engine.wait_finished", &detail::wait_finished, detail::deadline_after(limit));
  }

  // -- workers that come and go: docs/workers.md

  // From now on `count` worker threads run, 1 to engine_options::workers_max. Throws usage_error for another number,
  // inside a handler, and for an engine without workers. The call returns when the workers that had to go have ended,
  // each behind the message that it runs, or when those that came have taken their share of the actors. Actors and
  // messages do not notice.
  // Throws std::system_error when the system gives no thread; the engine goes on with the workers that it has got. In
  // an engine that has ended the call has no effect.
  void set_workers(unsigned count) {
    constexpr auto call = "engine.set_workers";
    detail::refuse_inside_handler(call, "leave it to the thread that owns the engine");
    if (!detail::set_workers(core_, count)) detail::look_whether_stuck(call);
  }
  // How many workers there are, or were when the engine ended: those that run, and those that rest because fewer handle
  // more messages. statistics::running counts those that run.
  [[nodiscard]] unsigned workers() const noexcept { return detail::count_workers(core_); }

  // -- an engine without workers: engine_options::workers = 0. Such an engine has no thread of its own: its handlers
  // run on the thread that calls one of these. That may be another thread each time, but one at a time: usage_error is
  // thrown to a second thread, to a handler, and to every caller if the engine has workers. A thread in ask, wait_idle,
  // wait_finished, drain, scope.wait or the engine's destructor runs the engine too while it waits, unless another
  // thread does so already.

  // Runs the engine until every actor has ended, or the engine has, or until quit; sleeps while there is nothing to do.
  void run() {
    detail::run_engine(core_);
    detail::look_whether_stuck("engine.run");
  }
  // Runs the engine until nothing is in flight, or until quit; waits for blocking actors too, as wait_idle does.
  void run_until_idle() {
    detail::run_until_idle(core_);
    detail::look_whether_stuck("engine.run_until_idle");
  }
  // Makes the run or run_until_idle that goes on, or else the next one, return soon; messages that wait stay. Any
  // thread may call it, and handlers too: there it is no part of the transaction.
  void quit() { detail::quit_run(core_); }
  // Handles at most max_messages messages, those that handlers send meanwhile included; never sleeps.
  [[nodiscard]] pumped pump(std::size_t max_messages = unlimited) { return pump_until(max_messages, {}); }
  // Handles messages as the call above does, but stops when about `budget` has passed. The time is checked between
  // handlers, about every 20 microseconds.
  template <class Rep, class Period>
  [[nodiscard]] pumped pump(std::size_t max_messages, std::chrono::duration<Rep, Period> budget) {
    return pump_until(max_messages, detail::deadline_after(budget));
  }

  // -- ending. Afterwards the engine handles nothing, and messages to it are dead letters. A second call does no harm.

  // Handles everything that is in flight and all that comes of it, then ends the engine.
  // A timer that is set is no message in flight: the call does not wait for it, and drops it.
  void drain() { (void)wait("engine.drain", &detail::drain, {}); }
  template <class Rep, class Period>
  [[nodiscard]] bool drain(std::chrono::duration<Rep, Period> limit) {
    return wait("engine.drain", &detail::drain, detail::deadline_after(limit));
  }
  // For the main function of a program that goes on until it is asked to end: waits for SIGINT or SIGTERM, then drains
  // the engine for engine_options::shutdown_timeout at most, and cancels what is left. It waits whether or not there
  // are actors. Returns the number of the signal, or 0 when another thread has drained or cancelled the engine. A
  // second signal does what it would do without tact: as a rule it ends the process at once. The calling thread takes
  // both signals meanwhile, also where it blocks them. One engine of a process at a time may wait so. Throws
  // usage_error for a second one, for an engine without workers, inside a handler, on a thread that has a tact::loop,
  // and in a simulation.
  int run_until_signal() { return detail::run_until_signal(core_, false, nullptr, nullptr); }
  // Waits as the call above does, and calls stop() on this thread when the signal has come, before it drains: a server
  // accepts no more clients then, and tells those that it has. What stop() sends is handled. When stop() throws, the
  // engine is drained all the same, and the exception leaves this call.
  template <std::invocable F>
  int run_until_signal(F stop) {
    return detail::run_until_signal(
        core_, false, [](void* f) { (*static_cast<F*>(f))(); }, std::addressof(stop));
  }
  // Waits as the first of these calls does, but also returns when every actor has ended: then it returns 0, and the
  // engine may be used as after wait_finished. For a program whose actors are all made before: without any it returns
  // at once.
  int run_until_signal_or_end() { return detail::run_until_signal(core_, true, nullptr, nullptr); }
  // Ends the engine as soon as the handlers that run now have returned. Messages that were not delivered become dead
  // letters.
  void cancel() { (void)wait("engine.cancel", &detail::cancel, {}); }
  template <class Rep, class Period>
  [[nodiscard]] bool cancel(std::chrono::duration<Rep, Period> limit) {
    return wait("engine.cancel", &detail::cancel, detail::deadline_after(limit));
  }

 private:
  friend struct detail::access;
  using engine_base::put;
  using engine_base::set;
};

}  // namespace tact

#include "tact/detail/end.hpp"  // last
