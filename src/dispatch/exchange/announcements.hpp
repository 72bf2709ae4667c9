// Collects the shards to which one thread has brought mail, and announces them when the thread has brought the rest.
#pragma once

#include <array>
#include <cstddef>

#include "sync/policy.hpp"

namespace tact::mailbox {
struct shard;
}

namespace tact::dispatch {

class waker;

// A worker that is woken for the first of many messages takes the processor from the thread that brings them, finds
// only a few, and sleeps again: one wake-up for a few messages each. So a thread that brings many messages collects
// here the shards that post_mail tells it to announce. Until `tell`, other threads that bring mail to such a shard rely
// on this announcement too. So the thread calls `tell` soon, and runs no user's code before it. Invariant: each shard
// that was added is announced, by the next `tell` at the latest. Thread safety: the thread that owns it only.
// Protocol page: docs/protocols/timers.md, Announcements.
template <class Sync, class Waker, class Shard, std::size_t Room>
class basic_announcements {
 public:
  explicit basic_announcements(Waker& by) noexcept : by_(&by) {}
  basic_announcements(const basic_announcements&) = delete;
  basic_announcements& operator=(const basic_announcements&) = delete;

  // The thread may bring mail to a shard of another engine, in code of a user that it runs: that is announced at once.
  [[nodiscard]] bool are_of(const Waker& a) const noexcept { return by_ == &a; }
  // The next tell announces the shard. When there is no room for it, those collected so far are announced now.
  void add(const Shard& s) noexcept {
    if (count_ == Room && !Sync::planted(sync::fault::late_announcement_lost)) tell();
    shards_[count_++ % Room] = &s;
  }
  void tell() noexcept {
    for (std::size_t i = 0; i < count_ && i < Room; ++i) by_->announce(*shards_[i]);
    count_ = 0;
  }

 private:
  Waker* const by_;
  std::array<const Shard*, Room> shards_{};
  std::size_t count_ = 0;
};

// A thread whose thread_state refers to such an object adds there the shards to which it brings mail from outside.
class announcements final : public basic_announcements<sync::real, waker, mailbox::shard, 32> {
 public:
  using basic_announcements::basic_announcements;
};

}  // namespace tact::dispatch
