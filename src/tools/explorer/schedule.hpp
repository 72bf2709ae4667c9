// What was decided in one schedule, in order, so that it can be followed again.
#pragma once

#include <cstdint>
#include <tuple>
#include <vector>

#include "tools/explorer/thread_set.hpp"

namespace tact::explorer {

struct decision {
  enum class kind : unsigned char {
    run,        // the thread goes on, for so many operations
    hold_back,  // its store stays in its buffer
    let_out,    // the oldest store in its buffer goes out
    time_out,   // its deadline passes
    rouse,      // it wakes for no reason
    wake,       // of several sleepers it is the one that is woken
    fail,       // its weak compare-and-swap fails for no reason
  };
  kind what;
  unsigned char thread;
  std::uint32_t times = 1;
};

// How much a reader of the schedule must follow; the smaller, the better.
struct schedule_size {
  // The first two are the hardest to follow: switches away from a thread that could go on, and what comes from outside.
  std::uint64_t preemptions = 0;
  std::uint64_t surprises = 0;  // stores held back, deadlines that pass, spurious events
  std::uint64_t switches = 0;   // preemptions too
  std::uint64_t operations = 0;

  [[nodiscard]] bool simpler_than(const schedule_size& other) const noexcept {
    const auto rank = [](const schedule_size& s) {
      return std::tuple(s.preemptions + s.surprises, s.switches, s.operations);
    };
    return rank(*this) < rank(other);
  }
  friend bool operator==(const schedule_size&, const schedule_size&) = default;
};

struct schedule {
  std::vector<decision> decisions;
  schedule_size size;

  void add(decision::kind what, unsigned thread) {
    using enum decision::kind;
    decisions.push_back({what, static_cast<unsigned char>(thread)});
    size.surprises += what == hold_back || what == time_out || what == rouse || what == fail;
  }
  // The thread that had the operation before: the same one, or another one, which could not go on, or could have.
  enum class change : unsigned char { none, switched, preempted };
  // Adds an operation of this thread.
  void add_run(unsigned thread, change c) {
    ++size.operations;
    size.switches += c != change::none;
    size.preemptions += c == change::preempted;
    const bool again = !decisions.empty() && decisions.back().what == decision::kind::run && c == change::none;
    if (again) {
      ++decisions.back().times;
    } else {
      add(decision::kind::run, thread);
    }
  }
};

}  // namespace tact::explorer
