// tact::simulation: a program of actors on one thread, in virtual time, in an order that a seed decides; and
// tact::explore, which looks for an order in which the program fails.
#include "tact/detail/language.hpp"  // first
#pragma once

#include <chrono>
#include <cstdint>
#include <functional>
#include <memory>
#include <stdexcept>
#include <string>
#include <string_view>
#include <vector>

#include "tact/detail/deadline.hpp"
#include "tact/engine.hpp"
#include "tact/engine_options.hpp"

namespace tact {

namespace detail {
class simulation_state;
}

// A program that cannot go on, or does not end, in a simulation.
class simulation_error : public std::runtime_error {
 public:
  using std::runtime_error::runtime_error;
};

// What repeats a simulation. In full: at its nth point the thread `from` lets `to` go on; everywhere else a thread runs
// until it waits, and then the next one goes on. Without `in_full` the seed chooses. Thread 0 is the program, the
// others are numbered as they are started.
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
  std::uint64_t points_max = 1'000'000;  // a program that comes to more does not end
};

// While it lives, an engine that its thread makes runs on that thread: its workers, and the threads of its blocking
// actors, take turns there, also with the program itself, which goes on when it is its turn. They change at these
// points only: before a handler runs, between its return and its commit, before messages go to another shard, when a
// thread sends from outside, waits, or has nothing to do. The seed chooses who goes on. Time stands still, but for
// advance and for a program that waits while nobody else can go on: then it is as late as the next deadline.
//
// The same seed gives the same execution, on every machine, if nothing but the engine is left to chance in the program:
// a handler must not read the clock of the system, nor depend on addresses, nor wait for anything that is not tact's.
// Engines made before must not be used meanwhile. An engine without a number of workers has four; one with workers = 0
// has none there too, and the program pumps it.
//
// Thread safety: the thread that made it, and its handlers. One at a time on a thread; it may not be made in a handler.
// Source of the idea: FoundationDB's simulator, and shuttle.
class simulation {
 public:
  explicit simulation(std::uint64_t seed) : simulation(schedule{.seed = seed}) {}
  explicit simulation(const schedule& as);  // throws usage_error
  // Ends the engine as its destructor does, once the threads have ended.
  ~simulation();
  simulation(const simulation&) = delete;
  simulation& operator=(const simulation&) = delete;

  // The engine, made by the first call. It reports nothing on stderr: give options with functions to hear of failures.
  // It lives as long as the simulation, and may call them, and end behaviours and messages, until then. So what these
  // capture by reference stands before the simulation, or the program calls end() while it is still there.
  [[nodiscard]] tact::engine& engine();
  // Throws usage_error when it was made before: its options are those of the first call.
  [[nodiscard]] tact::engine& engine(const engine_options& options);
  // A thread of the program beside this one, instead of a std::thread: it may use the engine as any thread outside, and
  // must end before the simulation does. What it throws is a failure.
  void start_thread(std::function<void()> body);

  // -- control, by the program

  // Everything that can happen without time passing.
  void run();
  // Somebody else goes on, to the next point. False: nobody can, at this time.
  bool step();
  // Everything that happens in this time, and at its end it is so much later; no later than the clock can say.
  template <class Rep, class Period>
  void advance(std::chrono::duration<Rep, Period> time) {
    advance_ns(detail::whole_ns(time));
  }
  // Since the beginning.
  [[nodiscard]] std::chrono::nanoseconds now() const noexcept;

  // The nth run of a handler from now on, counted from 1, throws simulated_exception when it returns, as if its last
  // line had; where a handler would wait for an answer, each time, self.ask throws it. Runs of askers and those in vain
  // (engine_options::rehearse) do not count.
  void throw_at(std::uint64_t nth) noexcept;
  // The nth piece of memory from now on that the engine asks for is refused: for behaviours, messages, queues, actors,
  // timers, names or stacks, by a handler, a send of the program, or the engine itself. Where the call can say so it
  // throws std::bad_alloc; what must not fail goes on with memory that was set aside. docs/out_of_memory.md.
  void fail_allocation(std::uint64_t nth) noexcept;
  // Both happen once. True: it did.
  [[nodiscard]] bool has_thrown() const noexcept;
  [[nodiscard]] bool has_failed_allocation() const noexcept;

  // What the destructor does. From then on only what went on can be asked for.
  void end() noexcept;

  // -- what went on

  // In handlers too: notes the first text for which it does not hold; explore takes that for a failure.
  void check(bool holds, std::string_view text);
  // That text, or why the program did not go on; empty: nothing.
  [[nodiscard]] const std::string& failure() const noexcept;
  // How often the thread that runs changed, and points at which it could.
  [[nodiscard]] std::uint64_t switches() const noexcept;
  [[nodiscard]] std::uint64_t points() const noexcept;
  // Repeats this simulation, up to now, without its seed's choices.
  [[nodiscard]] schedule so_far() const;
  // A line for each message sent from outside, run, committed, discarded. Actors have numbers, as they appear.
  [[nodiscard]] std::string trace() const;

 private:
  void advance_ns(std::int64_t time);

  std::unique_ptr<detail::simulation_state> state_;
};

// See simulation::throw_at.
class simulated_exception : public std::runtime_error {
 public:
  using std::runtime_error::runtime_error;
};

struct explore_options {
  std::uint64_t seed = 1;           // of the first; the others follow
  unsigned shrinking_runs = 1'000;  // at most
  std::uint64_t points_max = 200'000;
  bool prints = true;  // a failure, on stderr
};

// What explore found.
struct exploration {
  std::uint64_t schedules = 0;  // that were run, until the first failure
  bool failed = false;
  // All below: of the failure.
  std::uint64_t seed = 0;
  std::string what{};               // of the exception, or the text of the check
  bool repeatable = false;          // the seed failed in the same way a second time
  schedule shortest{};              // that fails so: simulation(shortest) repeats it
  std::uint64_t switches_seed = 0;  // with the seed
  std::uint64_t switches = 0;       // in the shortest
  std::string trace{};              // of the shortest, until the failure

  // All of it, for people.
  [[nodiscard]] std::string text() const;
};

// Runs the program in simulations with so many seeds, until one fails: the program throws, a check does not hold, or it
// cannot go on or does not end. Then it runs the program again to find out whether fewer switches do. The program must
// make everything anew each time. Its simulation ends behind it, when its own variables are gone: a program whose
// functions of options, behaviours or messages refer to those calls end() last, and where it may throw has them
// elsewhere, as in a std::shared_ptr.
[[nodiscard]] exploration explore(std::uint64_t schedules, const std::function<void(simulation&)>& program,
                                  const explore_options& options = {});

}  // namespace tact
