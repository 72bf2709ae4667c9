// Whether a worker has nothing to do, and what it lets others know of that.
#pragma once

#include <utility>

#include "dispatch/exchange/exchange.hpp"
#include "sync/system.hpp"

namespace tact::dispatch {

// Invariant: the idle set has the worker if it has nothing to do and is to run; a worker that rests is not in it,
// because others rely on those that are. Thread safety: the worker's own thread. Protocol page:
// docs/protocols/idling.md.
class idleness {
 public:
  idleness(exchange& between, unsigned worker) noexcept : exchange_(between), worker_(worker) {}
  idleness(const idleness&) = delete;
  idleness& operator=(const idleness&) = delete;

  // The worker says whether it has something to do. True: it was otherwise before.
  [[nodiscard]] bool say_idle() noexcept {
    const bool changes = !idle_;
    if (changes) become_idle();
    return changes;
  }
  [[nodiscard]] bool say_busy() noexcept {
    const bool changes = idle_;
    if (changes) become_busy();
    return changes;
  }
  // Looks again whether the worker is to be in the idle set: it may have been told to rest, or to rest no more.
  void show() noexcept;
  // True: the messages that the worker takes up are its first ones since it was idle.
  [[nodiscard]] bool ends() noexcept { return std::exchange(was_idle_, false); }
  // Called when it has ended: another worker may have to keep watch. `is_quick`: the handlers of this one are, as far
  // as is known.
  void call_watch(bool is_quick) noexcept;
  [[nodiscard]] bool has_lasted(sync::stopwatch::duration time) const noexcept {
    return sync::stopwatch::now() - since_ >= time;
  }
  // True: every worker that runs is idle, or this one rests. Otherwise a worker that is busy now will become idle after
  // this one, and see what this one has done.
  [[nodiscard]] bool is_of_all() const noexcept;

  // begin: the worker's thread is about to begin, with nothing to do. end: the thread has ended, or did not begin.
  void begin() noexcept;
  void end() noexcept;

 private:
  [[nodiscard]] bool rests() const noexcept { return worker_ >= exchange_.running(); }
  void become_idle() noexcept;
  void become_busy() noexcept;
  [[nodiscard]] bool waits_behind_others() const noexcept;  // messages for workers that are busy

  exchange& exchange_;
  const unsigned worker_;
  bool idle_ = true;
  bool was_idle_ = false;  // and has not run anything since
  sync::stopwatch::time_point since_;
};

}  // namespace tact::dispatch
