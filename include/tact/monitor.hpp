// tact::monitor: the handle of a monitor, by which it is taken back.
#include "tact/detail/begin.hpp"  // first
#pragma once

#include <utility>

#include "tact/detail/access.hpp"
#include "tact/detail/core.hpp"

namespace tact {

// const tact::monitor m = self.monitor(reader, reader_gone{});
// ...
// m.cancel();  // whether the reader ends is of no interest any more
//
// The handle that self.monitor and engine.monitor return. It is copied like a shared pointer, 8 bytes, and is harmless
// for ever: also when the actor that was watched has ended, when its engine is gone, and when the run that made the
// monitor did not commit. A handle that is destroyed takes nothing back. A default-constructed one is that of no
// monitor. While handles are left, a few bytes and the message of the monitor are kept. Thread safety: as a shared
// pointer.
class monitor {
 public:
  monitor() noexcept = default;
  monitor(const monitor& other) noexcept : watcher_(other.watcher_) {
    if (watcher_ != nullptr) watcher_->shares.fetch_add(1);
  }
  monitor(monitor&& other) noexcept : watcher_(std::exchange(other.watcher_, nullptr)) {}
  monitor& operator=(monitor other) noexcept {
    std::swap(watcher_, other.watcher_);
    return *this;
  }
  ~monitor() {
    if (watcher_ != nullptr) watcher_->drop(*watcher_);
  }

  // Takes the monitor back, and what it has cost the actor that was watched: in a handler at the commit, like a message
  // to that actor, and not at all if the run does not commit; on other threads at once. Word of an end that came before
  // may be under way, so the watcher must be able to ignore it. A second call does nothing. Throws std::bad_alloc; then
  // nothing was taken back.
  void cancel() const {
    if (watcher_ != nullptr) detail::unwatch(*watcher_);
  }

  // True when it is the handle of a monitor, whether or not that was taken back or has spoken.
  explicit operator bool() const noexcept { return watcher_ != nullptr; }
  friend bool operator==(const monitor& a, const monitor& b) noexcept { return a.watcher_ == b.watcher_; }

 private:
  friend struct detail::access;
  explicit monitor(detail::watcher& w) noexcept : watcher_(&w) { w.shares.fetch_add(1); }

  detail::watcher* watcher_ = nullptr;
};

}  // namespace tact

#include "tact/detail/end.hpp"  // last
