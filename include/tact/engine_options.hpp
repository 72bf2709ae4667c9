// tact::engine_options: how an engine is set up.
#include "tact/detail/begin.hpp"  // first
#pragma once

#include <chrono>
#include <cstddef>
#include <functional>
#include <iosfwd>
#include <stdexcept>
#include <vector>

#include "tact/alive_actors.hpp"
#include "tact/failure.hpp"
#include "tact/failure_rule.hpp"
#include "tact/mailbox_limit.hpp"
#include "tact/placement.hpp"
#include "tact/stealing.hpp"

namespace tact {

// Thrown by the engine's constructor; what() names the option, its value and the remedy.
class [[gnu::visibility("default")]] option_error : public std::invalid_argument {
 public:
  using std::invalid_argument::invalid_argument;
};

// One worker per processing unit that this process may use, but no more than its quota of processor time can keep busy.
inline constexpr unsigned all_units = ~0U;

// How many lines about failures an engine without an on_failure of the user writes to stderr in a second, at most.
inline constexpr unsigned report_lines_max = 100;

struct engine_options {
  // Number of worker threads, 1 to 1024, or all_units. 0: none. Then handlers run on the threads that call engine.run,
  // run_until_idle or pump, one thread at a time, and on threads that wait for the engine. Blocking actors and timers
  // have threads of their own in such an engine too.
  unsigned workers = all_units;
  // How many workers engine.set_workers may have run at a time, at most 1024. Each of them takes up memory, and the
  // default numbers of shards below are computed from this number. 0: no more than those that the engine begins with.
  unsigned workers_max = 0;
  // How many threads may help at a time, by engine.ask with tact::help, at most 64; a further thread that asks so only
  // waits. Each of these places takes up memory as a worker does. 0: no thread may help.
  unsigned helpers_max = 0;
  // With workers = 0: called when there is something to pump and no thread knows of it. It is called once, and not
  // again until a pump has said that nothing was left, on the thread that sent the message. It may send, and should
  // only make the user's event loop pump: calls that pump or wait throw usage_error in it. An exception that it throws
  // is ignored.
  std::function<void()> on_wake{};
  // Whether each worker stays on the processing unit of its seat (engine.plan()). It is decided when the engine is
  // made, and engine.plan().pinned says how. `on` is for programs that have the machine for themselves. `automatic`
  // pins where some cores are nearer to each other than others, if there are 2 workers or more and no more than
  // processing units that the process may use, if no quota of processor time gives less than those units have, if the
  // thread that makes the engine may run on all of them, and if no other engine of the process has pinned workers.
  //
  // Threads and processes that a handler starts inherit the one processing unit of a pinned worker. So leave it off if
  // handlers call libraries that compute on threads of their own. When the system refuses to pin a worker, or takes its
  // processing unit away later, that worker moves like any other thread; with `on` one line on stderr says the former.
  // docs/workers.md.
  pinning pin_workers = pinning::off;
  // On which memories (NUMA nodes) of the machine the pages lie that the engine maps for messages, actors and timers.
  // `local` leaves it to the system: each page lies near to the thread that fills it first. With `interleaved` the
  // pages go round over the memories that are near to the processing units that the process may use. It is for programs
  // in which one thread creates many actors, or sends many messages, for the workers of all packages: with `local` all
  // of that lies on the memory near to that thread. It is decided when the engine is made; statistics::memory_nodes
  // says over how many memories the pages go. On a machine with one memory, and where the system refuses, the option
  // does nothing. Behaviours, boxed messages and what handlers allocate come from malloc, for which it does not hold.
  // docs/workers.md.
  memory_placement memory = memory_placement::local;
  // Number of ordinary shards of the communal mailbox, at least one per worker that there may be, at most 65536. 0:
  // eight for each of those workers, and one in an engine without workers.
  unsigned shards = 0;
  // Number of shards kept for heavy actors, in addition to the ordinary ones, at most 65536. 0: one per worker that
  // there may be.
  unsigned heavy_shards = 0;
  // How many places there are for blocking actors, at most 4096. Each blocking actor that is alive has one, with a
  // thread of its own, and each tact::loop takes one for good. 0 forbids both.
  unsigned blocking_max = 64;
  // Chooses the worker from which an idle worker steals a shard: nearest_victim, longest_victim, random_victim,
  // no_victim, or a function of your own.
  victim_policy victims = &nearest_victim;
  // While handlers are quick, a message that has to go to another worker costs more than to handle it. So some programs
  // are faster with few workers, or with one, than with all. True: the engine measures with how many workers it handles
  // the most messages, and lets the others rest; while handlers take long all workers run. A millisecond now and then
  // is spent on trying. Workers that rest sleep, and run again when that gains. docs/workers.md.
  bool workers_rest = true;
  // While its handlers are quick, a worker may run several shards from one lane, which makes a message from one of them
  // to another as cheap as a message within one. The price: a handler that takes long after all keeps the actors of all
  // these shards waiting until it returns. False: a handler keeps only the actors of its own shard waiting. Handlers of
  // heavy and blocking actors keep no other actor waiting in either case: use these placements for handlers that are
  // known to take long.
  bool joint_holds = true;
  // After so many collisions of a message a parallel actor goes home to its shard, 1 to 7. A message runs at most this
  // many times + 1.
  unsigned collisions_max = 3;
  // How many messages an actor that went home handles there before the engine checks whether it may be parallel again,
  // 1 to 1024. When the actor has to go home again it stays twice as long, and at most 32 times as long.
  unsigned home_stretch = 32;
  // Size of the stacks on which handlers run, in programs where handlers wait for answers with self.ask: 16 KiB to 1
  // GiB. A handler that waits keeps its stack; of each stack only the pages that were used take up memory. A handler
  // that needs more runs into memory without access behind the end of its stack: a line on stderr names the handler and
  // its actor, and the program ends with SIGSEGV as always.
  std::size_t ask_stack_bytes = 256 * 1024;
  // How many messages, and bytes of them, that threads outside have sent may wait in the whole engine. It works as the
  // limit of a mailbox, but when_full::drop_oldest is refused. Answers to asks, and all messages that handlers and
  // timers send, do not count. docs/pressure.md.
  mailbox_limit outside_limit{};
  // For debugging: every handler of a transactional actor runs twice, the first time without effect, and what the two
  // runs have staged is compared. A handler that cannot be repeated breaks when its become collides: this option shows
  // it without a collision. As always, a handler must do nothing that cannot be undone. What the first run staged is
  // given up: its closures are ended, its messages destroyed. The first run of a handler that waits for an answer ends
  // where it would wait. docs/waiting.md.
  bool rehearse = false;
  // Called on the worker for each message whose two runs differed. Empty: a line on stderr for each, as for failures.
  // The rules for the function are those of on_failure.
  std::function<void(const unrepeatable_handler&)> on_unrepeatable{};
  // What becomes of an actor whose handler threw, unless a rule of its own or of its scope decides: a policy, or a
  // function that decides.
  failure_rule transactional_failure = failure_policy::go_on;
  failure_rule classic_failure = failure_policy::end;
  // Called on the worker after each handler that threw. Empty: a line on stderr for each, report_lines_max in a second
  // at most. Further failures are counted, and their number is written in a later second, when the engine has been idle
  // for half a second, or when it ends. The function must not block, and several workers may call it at once; an
  // exception that it throws is ignored.
  std::function<void(const failure_report&)> on_failure{};
  // Called on the thread that met a dead letter; the letter is counted and kept as well. The rules for the function are
  // those of on_failure.
  std::function<void(const dead_letter&)> on_dead_letter{};
  // How many dead letters are kept for engine.dead_letters(), the latest ones; 0 keeps none.
  unsigned dead_letters_kept = 64;
  // How long an ask without a limit of its own waits, when it waits: engine.ask and engine.ask_all of a thread outside,
  // and self.ask of a handler. Then it throws ask_error with failure_reason::timed_out. 0: as long as it takes. It does
  // not hold for asks with a continuation, with tact::help, as a future or in a coroutine.
  std::chrono::milliseconds ask_timeout{0};
  // How long the engine's destructor drains before it cancels and says on stderr what still ran.
  std::chrono::milliseconds shutdown_timeout{10'000};
  // Called by the destructor when that time had passed and messages were left, or when timers are set that would fire
  // once; the kind with the most messages comes first. Empty: ten lines at most on stderr, and one about timers. An
  // exception that it throws is ignored. What engine.cancel() and drain() leave is not reported here, because they
  // leave it on purpose.
  std::function<void(const std::vector<dropped_messages>&)> on_dropped{};
  // For debugging: the destructor reports which actors were alive at the engine's end, by type and by the call that
  // created them; that call is known if its code is compiled without NDEBUG. Off by default, because such an actor is
  // no error: an engine ends its actors. While it is on, creating an actor takes a lock.
  bool report_alive = false;
  // Called by the destructor with these actors, the kind with the most of them first. Empty: ten lines at most on
  // stderr. The rules for the function are those of on_dropped.
  std::function<void(const std::vector<alive_actors>&)> on_alive{};
  // Options that the program leaves at their defaults may be set by the environment: TACT_WORKERS, TACT_PIN_WORKERS,
  // TACT_WORKERS_REST, TACT_REHEARSE and TACT_REPORT_ALIVE. Not in simulations, nor in programs that run with the
  // rights of another user. docs/environment.md. False: the environment changes nothing.
  bool environment = true;
};
// Prints each option with its value, a line each.
std::ostream& operator<<(std::ostream&, const engine_options&);

}  // namespace tact

#include "tact/detail/end.hpp"  // last
