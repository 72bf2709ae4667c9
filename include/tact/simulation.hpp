// tact::simulation: a program of actors on one thread, in virtual time, in an order that a seed decides; and
// tact::explore, which looks for an order in which the program fails.
#include "tact/detail/begin.hpp"  // first
#pragma once

#include <chrono>
#include <cstdint>
#include <functional>
#include <iosfwd>
#include <memory>
#include <stdexcept>
#include <string>
#include <string_view>
#include <type_traits>
#include <vector>

#include "tact/detail/deadline.hpp"
#include "tact/detail/simulation_watcher.hpp"
#include "tact/detail/type_key.hpp"
#include "tact/engine.hpp"
#include "tact/engine_options.hpp"
#include "tact/protocol.hpp"
#include "tact/request.hpp"

namespace tact {

namespace detail {

class simulation_state;

// Prints a message, or the query of a request; null for what cannot be printed.
using message_printer = void (*)(std::ostream& out, const void* message);
template <class M>
concept printable = requires(std::ostream& out, const M& m) { out << m; };
template <class M>
constexpr message_printer printer_of(std::type_identity<M>) noexcept {
  if constexpr (printable<M>) {
    return [](std::ostream& out, const void* m) { out << *static_cast<const M*>(m); };
  } else {
    return nullptr;
  }
}
template <class Q>
constexpr message_printer printer_of(std::type_identity<request<Q>>) noexcept {
  if constexpr (printable<Q>) {
    return [](std::ostream& out, const void* m) { out << static_cast<const request<Q>*>(m)->body; };
  } else {
    return nullptr;
  }
}

}  // namespace detail

// A program in a simulation that cannot go on, or does not end.
class [[gnu::visibility("default")]] simulation_error : public std::runtime_error {
 public:
  using std::runtime_error::runtime_error;
};

// The choices that repeat a simulation. With `in_full`, each turn says that at its nth point the thread `from` lets the
// thread `to` go on; everywhere else a thread runs until it waits, and then the next one goes on. Without `in_full` the
// seed makes the choices. Thread 0 is the program; the others are numbered in the order in which they are started.
struct schedule {
  struct turn {
    std::uint32_t from = 0;
    std::uint32_t to = 0;
    std::uint64_t nth = 0;
    friend bool operator==(const turn&, const turn&) = default;
  };
  std::uint64_t seed = 1;
  bool in_full = false;
  std::vector<turn> turns{};
  std::uint64_t points_max = 1'000'000;  // a program that comes to more points is taken for one that does not end
};
// Prints the C++ that makes it.
std::ostream& operator<<(std::ostream&, const schedule&);

// While a simulation lives, an engine that its thread makes runs on that thread. There the engine's workers, the
// threads of its blocking actors and the program itself take turns; the program too goes on only when it is its turn.
// The turn passes on at these points only: before a handler runs, between its return and its commit, before messages go
// to another shard, and when a thread sends from outside, waits, or has nothing to do. The seed chooses which thread
// goes on. Time stands still except in `advance`, and when the program waits while no other thread can go on: then it
// is as late as the next deadline.
//
// The same seed gives the same execution, on every machine, if the program leaves nothing but the engine to chance: a
// handler must not read the clock of the system, nor depend on addresses, nor wait for anything outside of tact.
// Engines that were made before must not be used while the simulation lives. An engine whose number of workers is not
// given has four; one with workers = 0 has none here either, and the program pumps it.
//
// Thread safety: the thread that made the simulation, and handlers of its engine, may use it. A thread has one
// simulation at a time, and none may be made in a handler. Source of the idea: FoundationDB's simulator, and shuttle.
class simulation {
 public:
  explicit simulation(std::uint64_t seed) : simulation(schedule{.seed = seed}) {}
  explicit simulation(const schedule& as);  // throws usage_error
  // Ends the engine as the engine's destructor does, once the threads of the program have ended.
  ~simulation();
  simulation(const simulation&) = delete;
  simulation& operator=(const simulation&) = delete;

  // Returns the engine; the first call makes it. The engine reports nothing on stderr: to hear of failures, give
  // options with functions. It lives as long as the simulation; until then it may call these functions, and destroy
  // behaviours and messages. So declare what they capture by reference before the simulation, or let the program call
  // end() while those objects are still there.
  [[nodiscard]] tact::engine& engine();
  // Makes the engine with these options, and returns it. Throws usage_error when the engine was made before, because
  // its options are those of the first call.
  [[nodiscard]] tact::engine& engine(const engine_options& options);
  // Starts another thread of the program, in the place of a std::thread. It may use the engine as any thread outside
  // may, and must end before the simulation does. What it throws is a failure.
  void start_thread(std::function<void()> body);

  // Lets the thread that calls sleep until so much virtual time has passed, while the others go on: for the program and
  // the threads that start_thread has started, in the place of std::this_thread::sleep_for. As in each wait, time
  // passes only when no other thread can go on, or in advance. A time that is not positive lets others go first, and is
  // over at once; one that the clock cannot say is for ever: then a program that no event can wake gets
  // simulation_error. Throws usage_error in a handler, and on threads that are none of this simulation.
  template <class Rep, class Period>
  void sleep_for(std::chrono::duration<Rep, Period> time) {
    sleep_ns(detail::whole_ns(time));
  }

  // -- control, by the program alone: run, step and advance throw usage_error in a handler and on other threads

  // Runs everything that can happen while time stands still.
  void run();
  // Lets another thread go on, to its next point. Returns false when no other thread can go on at this time.
  bool step();
  // Runs everything that happens within `time`; on return that much time has passed, but no more than the clock can
  // say.
  template <class Rep, class Period>
  void advance(std::chrono::duration<Rep, Period> time) {
    advance_ns(detail::whole_ns(time));
  }
  // The virtual time since the beginning.
  [[nodiscard]] std::chrono::nanoseconds now() const noexcept;

  // The nth run of a handler from now on, counted from 1, throws simulated_exception when it returns, as if its last
  // line had thrown it. Runs that hear of a failure count as well. When a handler would wait for an answer, that counts
  // as a run too, each time, and self.ask throws the exception. Runs of askers, and first runs that have no effect
  // (engine_options::rehearse), do not count.
  void throw_at(std::uint64_t nth) noexcept;
  // The nth piece of memory for which the engine asks from now on, counted from 1, is refused: for behaviours,
  // messages, queues, actors, timers, names or stacks, in a handler, in a send of the program, or in the engine itself.
  // A call that can say so throws std::bad_alloc; work that must not fail goes on with memory that was set aside.
  // docs/out_of_memory.md.
  void fail_allocation(std::uint64_t nth) noexcept;
  // Each of these two orders is carried out once; throw_at(0) and fail_allocation(0) take back one that was not carried
  // out yet. True: it was carried out.
  [[nodiscard]] bool has_thrown() const noexcept;
  [[nodiscard]] bool has_failed_allocation() const noexcept;

  // Does what the destructor does. From then on the simulation can only be asked what went on.
  void end() noexcept;

  // -- what went on

  // Notes the first text whose condition does not hold; explore takes that for a failure. Handlers may call it too.
  // The name stands in parentheses because macOS has a macro of that name.
  void(check)(bool holds, std::string_view text);
  // The text that `check` noted, or why the program could not go on; empty if there was neither.
  [[nodiscard]] const std::string& failure() const noexcept;
  // How often the running thread changed; and at how many points it could have changed.
  [[nodiscard]] std::uint64_t switches() const noexcept;
  [[nodiscard]] std::uint64_t points() const noexcept;
  // The schedule that repeats this simulation up to now, without the choices of its seed.
  [[nodiscard]] schedule so_far() const;
  // A text with one line for each message that was sent from outside, run, committed or discarded. Actors have numbers
  // in it, in the order in which they appear.
  [[nodiscard]] std::string trace() const;
  // sim.show_messages<account, bank>(): from now on the lines of the trace that say "is sent", "handles" or "puts
  // aside" have the contents of the messages of these protocols, and of the answers to their requests, as far as an
  // operator<< to std::ostream is known here: "account@1 handles deposit (5 cents)". Of a long text the beginning is
  // shown. When the operator throws, the line has the name alone. A program that does not call this has no code for it.
  template <class... Ps>
  void show_messages() {
    (show_all(detail::messages_of<Ps>{}), ...);
  }

 private:
  friend const unsigned& detail::watch_simulation(simulation&, detail::simulation_watcher*) noexcept;

  template <class... Ms>
  void show_all(detail::list<Ms...>) {
    (show_type(std::type_identity<Ms>{}), ...);
  }
  template <class M>
  void show_type(std::type_identity<M> type) {
    show(detail::key_of_type<M>, detail::printer_of(type));
  }
  template <class Q>
  void show_type(std::type_identity<request<Q>> type) {
    show(detail::key_of_type<request<Q>>, detail::printer_of(type));
    show_type(std::type_identity<typename request<Q>::reply>{});
  }
  void show(const detail::type_key& type, detail::message_printer printer);
  void advance_ns(std::int64_t time);
  void sleep_ns(std::int64_t time);

  std::unique_ptr<detail::simulation_state> state_;
};

// The exception that a handler throws by simulation::throw_at.
class [[gnu::visibility("default")]] simulated_exception : public std::runtime_error {
 public:
  using std::runtime_error::runtime_error;
};

struct explore_options {
  std::uint64_t seed = 1;           // of the first simulation; the others follow
  unsigned shrinking_runs = 1'000;  // at most so many look for a shorter schedule
  std::uint64_t points_max = 200'000;
  bool prints = true;  // writes a failure on stderr
};
std::ostream& operator<<(std::ostream&, const explore_options&);

// The result of explore.
struct exploration {
  std::uint64_t schedules = 0;  // how many were run, until the first failure
  bool failed = false;
  // All members below are those of the failure.
  std::uint64_t seed = 0;
  std::string what{};               // of the exception, or the text of the check
  bool repeatable = false;          // the seed failed in the same way a second time
  schedule shortest{};              // with the fewest switches found; simulation(shortest) repeats it
  std::uint64_t switches_seed = 0;  // of threads, with the seed
  std::uint64_t switches = 0;       // of threads, with `shortest`
  std::string trace{};              // with `shortest`, until the failure

  // Everything above, as a text for people.
  [[nodiscard]] std::string text() const;
};
// Prints its text.
std::ostream& operator<<(std::ostream&, const exploration&);

// Runs the program in simulations with as many seeds as `schedules` says, until one fails: the program throws, a check
// does not hold, or the program cannot go on or does not end. Then it runs the program again and again to find a
// schedule with fewer switches that fails as well. The program must make everything anew each time. Its simulation ends
// after it has returned, when its own variables are gone. So if functions of options, behaviours or messages refer to
// those variables, the program calls end() last; where it may throw, it keeps such variables elsewhere, for example in
// a std::shared_ptr. Throws usage_error for 0 schedules, with which every program would hold.
[[nodiscard]] exploration explore(std::uint64_t schedules, const std::function<void(simulation&)>& program,
                                  const explore_options& options = {});

}  // namespace tact

#include "tact/detail/end.hpp"  // last
