// tact::engine_description: what an engine does at the moment, and what waits for what: for people.
#include "tact/detail/begin.hpp"  // first
#pragma once

#include <cstdint>
#include <iosfwd>
#include <string>
#include <vector>

#include "tact/failure.hpp"
#include "tact/mailbox_limit.hpp"
#include "tact/statistics.hpp"
#include "tact/structure.hpp"

namespace tact {

// What a thread that runs handlers is at.
enum class thread_doing : unsigned char {
  handling,
  searching,  // it has found nothing to do yet, or is between two handlers
  asleep,
  resting,  // fewer workers handle more messages: engine_options::workers_rest
  gone,     // it has no thread at the moment: engine.set_workers
};
// The word: "handling".
std::string_view to_string(thread_doing) noexcept;
std::ostream& operator<<(std::ostream&, thread_doing);

struct thread_description {
  std::string thread{};  // "worker 3", or "the thread of a blocking actor"
  thread_doing doing = thread_doing::searching;
  std::string actor{};    // that it runs: what a ref prints; empty if none
  std::string message{};  // the type of the message that it handles; empty if none
  // How many messages it has handled. If this is the same a second later, and it is handling, one handler has taken a
  // second.
  std::uint64_t handled = 0;
  // The number of the thread in the system, as gdb, `top -H` and /proc show it. 0: it has none at the moment.
  int number_in_system = 0;
};
// Prints "worker 3 runs account@7f3a40#12 handling deposit".
std::ostream& operator<<(std::ostream&, const thread_description&);

// What engine.describe() has found, part by part: while the engine runs, the parts are of different moments.
struct engine_description {
  std::vector<thread_description> threads{};  // the workers by their number, then the threads of blocking actors
  tact::statistics statistics{};
  std::vector<std::uint64_t> shard_depths{};  // see engine.shard_depths()
  std::vector<mailbox_depth> mailboxes{};     // those that have a limit, the fullest first, ten at most
  // What waits, a hundred at most. In debug builds and in simulations these are the handlers that wait for an answer:
  // "teller for bank". Elsewhere they are the actors that handle nothing at the moment because their handler waits, or
  // because they rest before a restart.
  std::vector<std::string> waiting{};
  tact::structure structure{};              // see engine.structure()
  std::vector<type_statistics> types{};     // see engine.type_statistics()
  std::vector<dead_letter> dead_letters{};  // the latest, oldest first
};
// Prints a text of several lines, which names first what keeps the engine from ending.
std::ostream& operator<<(std::ostream&, const engine_description&);

}  // namespace tact

#include "tact/detail/end.hpp"  // last
