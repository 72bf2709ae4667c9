// How an engine is set up.
#include "tact/detail/language.hpp"  // first
#pragma once

#include <chrono>
#include <cstddef>
#include <functional>
#include <stdexcept>
#include <vector>

#include "tact/alive_actors.hpp"
#include "tact/failure.hpp"
#include "tact/failure_rule.hpp"
#include "tact/mailbox_limit.hpp"
#include "tact/stealing.hpp"

namespace tact {

// Thrown by the engine's constructor; what() names the option, its value and the remedy.
class option_error : public std::invalid_argument {
 public:
  using std::invalid_argument::invalid_argument;
};

// One worker per processing unit that this process may use, but no more than its quota of processor time keeps busy.
inline constexpr unsigned all_units = ~0U;

// Lines about failures that an engine without a handler for them writes to stderr in a second.
inline constexpr unsigned report_lines_max = 100;

struct engine_options {
  // Worker threads, 1 to 1024, or all_units. 0: none; handlers run on the threads that call engine.run, run_until_idle
  // or pump, one at a time, and on those that wait for the engine. Blocking actors and timers have threads of their own
  // there too.
  unsigned workers = all_units;
  // How many of them engine.set_workers may have run at a time, at most 1024. Each takes up memory, and the numbers of
  // shards below count by it. 0: no more than those that the engine begins with.
  unsigned workers_max = 0;
  // How many threads may help at a time, by engine.ask with tact::help, at most 64; another one only waits. Each place
  // takes up memory as a worker does. 0: nobody may.
  unsigned helpers_max = 0;
  // With workers = 0: called when there is something to pump, and nobody knows it. Once, and not again until a pump has
  // said that nothing was left; on whichever thread sent the message. It may send, and should only tell the loop that
  // pumps: calls that pump or wait throw usage_error in it. What it throws is ignored.
  std::function<void()> on_wake{};
  // Each worker stays on the processing unit of its seat (engine.plan()), for programs that have the machine for
  // themselves. When the system refuses, one line on stderr says so, and the engine goes on with workers that move.
  bool pin_workers = false;
  // Shards of the communal mailbox, at least one per worker that there may be, at most 65536. 0: eight for each of
  // those, one without workers.
  unsigned shards = 0;
  // Shards kept for heavy actors, beside those, at most 65536. 0: one per worker that there may be.
  unsigned heavy_shards = 0;
  // Blocking actors alive at a time, each with a thread of its own, and every tact::loop that was ever made, at most
  // 4096. 0 forbids them.
  unsigned blocking_max = 64;
  // Whom an idle worker steals a shard from: longest_victim, random_victim, no_victim, or your own.
  victim_policy victims = &longest_victim;
  // A worker whose handlers are quick runs several shards from one lane, which makes a message from one to another as
  // cheap as within one. But then a handler that takes long after all keeps the actors of all of them waiting until it
  // returns. False: always those of its own shard only. Handlers of heavy and blocking actors keep nobody waiting
  // either way: give that placement to those that are known to take long.
  bool joint_holds = true;
  // Collisions after which a parallel actor goes home to its shard, 1 to 7. A message runs at most this many times + 1.
  unsigned collisions_max = 3;
  // Messages that such an actor handles at home before the engine looks whether it may be parallel again, 1 to 1024.
  // Each time it comes home again it stays twice as long, up to 32 times.
  unsigned home_stretch = 32;
  // In programs where handlers wait for answers with self.ask: how large the stack is on which handlers run, 16 KiB to
  // 1 GiB. A handler that waits keeps one; of each only the pages that were used take up memory. A handler that needs
  // more runs into memory without access behind the stack's end: a line on stderr says which, of what actor, and the
  // program ends with SIGSEGV as always.
  std::size_t ask_stack_bytes = 256 * 1024;
  // How much of what threads outside have sent may wait, in the whole engine: as the limit of a mailbox, but for
  // when_full::drop_oldest. Answers to asks and all else that handlers and timers send do not count. docs/pressure.md.
  mailbox_limit outside_limit{};
  // For debugging: every handler of a transactional actor runs twice, the first time in vain, and what the two staged
  // is compared. One that cannot be repeated breaks when its become collides: this shows it without a collision. It
  // must do nothing that cannot be undone, as always; what can is given up: closures are ended, messages destroyed.
  // The first run of a handler that waits for an answer ends there. docs/waiting.md.
  bool rehearse = false;
  // Called on the worker for each such message. Empty: a line on stderr for each, as for failures. As on_failure.
  std::function<void(const unrepeatable_handler&)> on_unrepeatable{};
  // What becomes of an actor whose handler threw, unless a rule of its own or of its scope says so: a policy, or a
  // function that decides.
  failure_rule transactional_failure = failure_policy::go_on;
  failure_rule classic_failure = failure_policy::end;
  // Called on the worker after each throwing handler. Empty: a line on stderr for each, report_lines_max in a second;
  // others are counted, and the count is written in a later second, or when the engine has been idle for half a second,
  // or ends. Must not block; may be called by several workers at once; what it throws is ignored.
  std::function<void(const failure_report&)> on_failure{};
  // Called on the thread that met a dead letter, beside counting and keeping it. Same rules.
  std::function<void(const dead_letter&)> on_dead_letter{};
  // Dead letters kept for engine.dead_letters(), the latest ones; 0 keeps none.
  unsigned dead_letters_kept = 64;
  // How long the engine's destructor drains before it cancels and says on stderr what still ran.
  std::chrono::milliseconds end_deadline{10'000};
  // Called by the destructor when that time was over and messages were left, or timers are set that would fire once,
  // most of a kind first. Empty: ten lines at most on stderr, and one of timers. What it throws is ignored. What
  // engine.cancel() and drain() leave is not reported here: it was on purpose.
  std::function<void(const std::vector<dropped_messages>&)> on_dropped{};
  // For debugging: the destructor says which actors were alive at the engine's end, by type and by the call that
  // created them, which code that is compiled without NDEBUG knows. Off, because that is no error: an engine ends its
  // actors. Creating an actor costs a lock then.
  bool report_alive = false;
  // Called by the destructor with these, most of a kind first. Empty: ten lines at most on stderr. As on_dropped.
  std::function<void(const std::vector<alive_actors>&)> on_alive{};
};

}  // namespace tact
