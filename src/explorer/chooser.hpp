// Who decides what the threads of a scenario leave open: by chance, one possibility after the other, or as told.
#pragma once

#include "explorer/thread_set.hpp"

namespace tact::explorer {

class scheduler;

class chooser {
 public:
  virtual ~chooser() = default;

  // A schedule begins.
  virtual void begin(unsigned thread_count) noexcept = 0;

  // What comes from outside the threads before the next operation: lets stores out of their buffers, lets deadlines
  // pass, wakes sleepers for no reason. Called only while a store is buffered or a thread sleeps.
  virtual void interfere(scheduler&) noexcept {}
  // The thread whose operation is next; one of `candidates`, or one whose deadline it lets pass.
  virtual unsigned choose(scheduler&, thread_set candidates) noexcept = 0;
  // The thread said that the others may go on, or did not let them for too long.
  virtual void gave_way(const scheduler&, unsigned) noexcept {}

  // Nobody can go on, unless the deadline of one of these passes.
  virtual unsigned times_out(thread_set) noexcept = 0;
  // One of these sleepers wakes, and not all of them will.
  virtual unsigned wakes(thread_set) noexcept = 0;
  // The store of the running thread stays in its buffer for a while.
  virtual bool holds_back(const scheduler&) noexcept = 0;
  // The weak compare-and-swap of the running thread fails for no reason.
  virtual bool fails_spuriously(const scheduler&) noexcept = 0;
};

}  // namespace tact::explorer
