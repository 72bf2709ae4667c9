// tact::structure: what an engine holds beside its actors: scopes, supervisors, topics, and the timers that are due
// next.
#include "tact/detail/begin.hpp"  // first
#pragma once

#include <chrono>
#include <cstddef>
#include <cstdint>
#include <iosfwd>
#include <string>
#include <vector>

namespace tact {

// A tact::scope whose object lives.
struct scope_description {
  std::string name{};         // see tact::scope; empty: it has none
  unsigned depth = 0;         // how many scopes of the list are around it; the nearest of them stands before it
  std::uint64_t members = 0;  // that are left, without those of scopes inside
  std::vector<std::string> some_members{};  // three at most: what a ref prints
  bool ends = false;                        // its members have, or will have, the order to end
};
// Prints "sessions: 2 members (session@7f3a40#12, session@7f3a40#13)", indented by its depth.
std::ostream& operator<<(std::ostream&, const scope_description&);

// A tact::supervisor, or one of its children.
struct supervised_description {
  unsigned depth = 0;  // in the tree; its supervisor stands before it
  bool is_supervisor = false;
  std::string name{};
  std::string kind{};          // "permanent"; of a supervisor "one for one, 3 within 5000 ms"
  std::uint64_t children = 0;  // of a supervisor, without those of supervisors inside
  std::uint64_t restarts = 0;  // of a supervisor: those of all its children
  std::string last_failure{};  // of a child
  bool ends = false;           // the last two: of a supervisor
  bool has_failed = false;     // there were too many failures
};
// Prints "feed 1 (permanent): 2 restarts, last failure: bad checksum", indented by its depth.
std::ostream& operator<<(std::ostream&, const supervised_description&);

// An actor of tact::topic that has, or has had, a subscriber.
struct topic_description {
  std::string actor{};    // what a ref prints
  std::string message{};  // the type that is published
  // How many there are by the topic's latest run; until the next one a failed run may have made this wrong.
  std::uint64_t subscribers = 0;
};
std::ostream& operator<<(std::ostream&, const topic_description&);

// A timer that is set, also one that limits an ask, or was set by a part of the library.
struct timer_description {
  std::chrono::nanoseconds left{0};  // until it is due; negative: it is late
  std::string actor{};               // that gets the message: what a ref prints
  std::string message{};             // the type of the message
};
// Prints "in 12.5 ms: deposit for account@7f3a40#12".
std::ostream& operator<<(std::ostream&, const timer_description&);

// What engine.structure() has found: the parts are of different moments. Each list is bounded, and a number says how
// many there are.
struct structure {
  // As many lines as a person reads. To list 100 scopes takes 9 microseconds, under locks that scopes take too when
  // they are opened; 1,000 would take 140.
  static constexpr std::size_t scopes_most = 100;
  static constexpr std::size_t supervised_most = 500;  // supervisors and children, of all trees
  static constexpr std::size_t topics_most = 100;
  static constexpr std::size_t timers_most = 10;

  std::vector<scope_description> scopes{};           // mostly those that were opened first
  std::vector<supervised_description> supervised{};  // tree by tree; a supervisor inside another one stands in its tree
  std::vector<topic_description> topics{};
  std::vector<timer_description> timers{};  // those that are due next, the first one first
  std::uint64_t scopes_open = 0;
  std::uint64_t supervision_trees = 0;
  std::uint64_t topics_alive = 0;
  // False: the thread that serves the timers has not answered within a quarter of a second, because it copies or
  // destroys a message; or it was asked by itself, or in a forked process.
  bool timers_known = true;
};
std::ostream& operator<<(std::ostream&, const structure&);

}  // namespace tact

#include "tact/detail/end.hpp"  // last
