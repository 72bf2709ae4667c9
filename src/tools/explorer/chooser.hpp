// A chooser decides what the threads of a scenario leave open: by chance, one possibility after the other, or as
// recorded.
#pragma once

#include "tools/explorer/thread_set.hpp"

namespace tact::explorer {

class scheduler;

class chooser {
 public:
  virtual ~chooser() = default;

  // A schedule of so many threads begins.
  virtual void begin(unsigned thread_count) noexcept = 0;

  // Makes happen what comes from outside the threads before the next operation: lets stores out of their buffers, lets
  // deadlines pass, wakes sleepers for no reason. Called only while a store is buffered or a thread sleeps.
  virtual void interfere(scheduler&) noexcept {}
  // Returns the thread whose operation is next: one of `candidates`, or a sleeper whose deadline the chooser lets pass.
  virtual unsigned choose(scheduler&, thread_set candidates) noexcept = 0;
  // The thread gave way to the others, or has run for so long that it must.
  virtual void gave_way(const scheduler&, unsigned) noexcept {}

  // No thread can go on unless a deadline passes. Returns which of these threads is the one whose deadline passes.
  virtual unsigned times_out(thread_set) noexcept = 0;
  // Returns which of these sleepers wakes next; not all of them will.
  virtual unsigned wakes(thread_set) noexcept = 0;
  // True: the store of the running thread stays in its buffer for a while.
  virtual bool holds_back(const scheduler&) noexcept = 0;
  // True: the weak compare-and-swap of the running thread fails for no reason.
  virtual bool fails_spuriously(const scheduler&) noexcept = 0;
};

}  // namespace tact::explorer
