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

// An engine owns its workers and every actor created in it. Thread safety: all members may be called from any thread,
// concurrently. Inside a handler, sends are staged like those of the handler's own transaction, and so are create,
// create_group, spawn and attach if the handler belongs to the same engine; the calls that wait throw usage_error
// there, and its text names the call to use instead. A time limit is a duration, counted from the call.
class engine : public creator<engine>, public detail::setter<engine>, public staffing {
 public:
  // Starts the workers. Throws option_error, whose text names the option and the remedy, and std::system_error when the
  // system gives no threads. An engine must not be made in a handler, nor on another thread of an engine: there the
  // constructor throws usage_error. docs/ends.md.
  explicit engine(const engine_options& options = {}) : staffing(detail::start(options)) {}
  // Handles everything that is in flight, as drain does, for engine_options::end_deadline at most; then it cancels, and
  // reports what still ran. On a thread of this engine the destructor returns at once, and another thread does that
  // work. An actor may hold a shared_ptr to another engine. An actor that holds one to its own engine keeps that engine
  // alive, until some other part of the program calls drain or cancel.
  ~engine() { detail::finish(core_); }
  engine(const engine&) = delete;
  engine& operator=(const engine&) = delete;

  // -- create, create_group, spawn and attach: see creator. send_after, send_at and send_every: see timer.hpp.

  // -- sending and asking. try_send and send_for: see trying.

  // Sends m, as `to | m` does. On return the message is in the actor's queue; inside a handler it leaves at the commit.
  // When the actor's mailbox is full and its policy is when_full::hold_back, the calling thread waits for room first,
  // but never inside a handler. Throws std::bad_alloc; then nothing was sent. A handler of signals must not send in any
  // way, because sending takes locks: block the signal, and let a thread or a blocking actor that waits for it send, or
  // let the handler of the signal write to a pipe.
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
  // The same, but a parallel actor handles the message in the next shard: the sends go round the shards of all workers.
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

  // Sends a copy of `m` to each ref of the range `to`, in its order. Inside a handler all copies leave at the commit,
  // or none does; outside a handler, copies that were sent before an exception stay sent.
  template <detail::iterable Refs, class M, class problem = detail::send_all_problem<Refs, M>>
    requires detail::none<problem>
  void send_all(const Refs& to, const M& m) {
    for (const auto& r : to) send(r, m);
  }
  template <detail::iterable Refs, class M, class problem = detail::send_all_problem<Refs, M>>
    requires(!detail::none<problem>)
  void send_all(const Refs& to, const M& m) = delete;

  // Sends `message` to `watcher` when `target` has ended, and at once if it ended before. Without a message it sends
  // tact::ended, which says why the target ended, to a watcher whose protocol lists it. Inside a handler the call is
  // that of transaction::monitor, and staged like it.
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
  // The same, but waits for `limit` at most. Returns a std::optional of the answer, empty when the limit passed first;
  // for a void reply a bool, true when the request was answered.
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
  // As ask without a limit, but the calling thread works for the engine while it waits: see tact::help. Throws
  // usage_error, before anything is sent, when engine_options::helpers_max is 0. In an engine without workers a thread
  // that asks runs the engine in any case.
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

  // Asks every actor of `to`, a range of refs, at once, each with a copy of the query, and waits for all answers.
  // Returns a std::vector of them in the order of `to`; for a void reply it returns nothing. When some requests fail,
  // the call waits until each was answered or has failed, and then throws the ask_error of the first of them in that
  // order.
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
  // The same, but waits for `limit` at most. Returns a std::vector of std::optional in the order of `to`; for a void
  // reply a vector of bool. An answer that did not come in time is empty, or false.
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

  // -- asking, by threads that do not wait. Each ask ends with an answer or with the reason why there is none, at the
  // latest when the engine ends. No ask of a thread is part of a transaction.

  // Returns the answer as a std::future, whose get throws ask_error when no answer will come. The future may be dropped
  // without harm. Throws usage_error inside a handler. In a simulation let the simulation run before you call get:
  // while the future is not ready, get waits for ever. The caller must include tact/future.hpp.
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

  // In a coroutine of any kind, co_await engine.ask_async(to, query) returns the answer or throws ask_error. The
  // coroutine goes on on the thread that brings the answer, which is a worker or a thread that ends the engine, and
  // must not block there; what it sends then leaves when it suspends or ends. With .via(executor), where the executor
  // is anything that takes a function without arguments, the coroutine goes on where the executor calls that function.
  // Inside a handler the request leaves at once, not at the commit.
  // While the coroutine is suspended here, it may be destroyed if it has an executor, on the thread on which that would
  // let it go on: then the answer is dropped. Without an executor it must not be destroyed. With GCC 12 give a query
  // that owns memory a name, as in `const find query{text};`: in the expression of a co_await that compiler copies only
  // the bytes of an aggregate that is made there.
  template <class P, class Q, class problem = detail::ask_problem<P, Q>>
    requires detail::none<problem>
  [[nodiscard]] detail::async_ask<P, Q> ask_async(ref<P> to, Q query) {
    return {core_, to, std::move(query), {}};
  }
  template <class P, class Q, class problem = detail::ask_problem<P, Q>>
    requires(!detail::none<problem>)
  void ask_async(ref<P> to, Q query) = delete;

  // For threads that must not be blocked, such as those of a window or of sound: sends the request and returns. When
  // the answer comes, executor(f) is called on the thread that brings it, and f() calls then(answer), or then() for a
  // void reply. When no answer will come, f() calls otherwise(failure) instead. What `then` and `otherwise` throw
  // reaches the caller of f; what the executor throws is reported like the exception of a handler. Throws usage_error
  // inside a handler.
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

  // Makes a tact::serial<R> (tact/serial.hpp) of a resource that several threads use. After `const auto book =
  // engine.serialize(std::map<...>{})` a call book(f) runs f(resource) on the engine and returns a std::future of what
  // f returns or throws. The functions run one at a time, those of one thread in the order of its calls. With
  // tact::blocking they run on a thread of their own, where they may wait.
  template <class R, std::same_as<blocking_t>... Blocking>
    requires(sizeof...(Blocking) <= 1)
  [[nodiscard]] auto serialize(R resource, Blocking... where) {
    static_assert(detail::complete<serial<R>>, "tact: who calls engine.serialize includes <tact/serial.hpp>");
    using keeper = detail::keeper<R>;
    return serial<R>(this->template spawn<keeper>(owned, where..., keeper::rule(), std::move(resource)));
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
  // Waits for the same, and until every actor has ended.
  void wait_finished() { (void)wait("engine.wait_finished", &detail::wait_finished, {}); }
  template <class Rep, class Period>
  [[nodiscard]] bool wait_finished(std::chrono::duration<Rep, Period> limit) {
    return wait("engine.wait_finished", &detail::wait_finished, detail::deadline_after(limit));
  }

  // -- run, run_until_idle, quit and pump, for an engine without workers: see pumping.
  // -- set_workers and workers: see staffing.

  // -- ending. Afterwards the engine handles nothing, and messages to it are dead letters. A second call does no harm.

  // Handles everything that is in flight and all that comes of it, then ends the engine.
  // A timer that is set is no message in flight: the call does not wait for it, and drops it.
  void drain() { (void)wait("engine.drain", &detail::drain, {}); }
  template <class Rep, class Period>
  [[nodiscard]] bool drain(std::chrono::duration<Rep, Period> limit) {
    return wait("engine.drain", &detail::drain, detail::deadline_after(limit));
  }
  // For the main function of a program that goes on until it is asked to end: waits for SIGINT or SIGTERM, then drains
  // the engine for engine_options::end_deadline at most, and cancels what is left. Returns the number of the signal, or
  // 0 when every actor ended before a signal came. A second signal does what it would do without tact: as a rule it
  // ends the process at once. One engine of a process at a time may wait so. Throws usage_error for a second one, for
  // an engine without workers, inside a handler, and in a simulation.
  int run_until_signal() { return detail::run_until_signal(core_); }
  // Ends the engine as soon as the handlers that run now have returned. Messages that were not delivered become dead
  // letters.
  void cancel() { (void)wait("engine.cancel", &detail::cancel, {}); }
  template <class Rep, class Period>
  [[nodiscard]] bool cancel(std::chrono::duration<Rep, Period> limit) {
    return wait("engine.cancel", &detail::cancel, detail::deadline_after(limit));
  }

  // -- looking. These calls never wait, and are allowed inside handlers too.
  // A text for people: what keeps the engine from ending.
  [[nodiscard]] std::string still_running() const { return detail::still_running(core_); }
  // The seats of all workers that there may be; constant as long as the engine lives.
  [[nodiscard]] const placement_plan& plan() const noexcept { return detail::read_plan(core_); }
  // The figures of the whole engine; exact when it is idle.
  [[nodiscard]] tact::statistics statistics() const { return detail::read_statistics(core_); }
  // The same for each worker that there may be, by its number: the first statistics().workers of them run now, the
  // others have gone or were never started. What blocking actors and threads outside have done is in the sums only.
  [[nodiscard]] std::vector<tact::worker_statistics> worker_statistics() const {
    return detail::read_worker_statistics(core_);
  }
  // The figures by type of actor, in the order of names: of the types of which some actors are alive, or have collided.
  // Looks at every cell of the engine.
  [[nodiscard]] std::vector<tact::type_statistics> type_statistics() const {
    return detail::read_type_statistics(core_);
  }
  // How many messages wait in each shard, by its number: first the ordinary shards, then those kept for heavy actors,
  // then one for each blocking actor that there may be. Messages on their way between workers are not in a shard yet,
  // and not counted.
  [[nodiscard]] std::vector<std::uint64_t> shard_depths() const { return detail::read_shard_depths(core_); }
  // The latest dead letters, oldest first, engine_options::dead_letters_kept of them at most.
  [[nodiscard]] std::vector<dead_letter> dead_letters() const { return detail::read_dead_letters(core_); }

 private:
  friend struct detail::access;

  // The run of the handler if this thread runs a handler of this engine; else null.
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
  // Inside a run nothing is to be done: at its end a run gives back the reserved addresses that have got no behaviour.
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
