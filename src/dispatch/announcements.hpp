// Shards that one thread has brought mail to, and of which it tells their owners when it has brought the rest.
#pragma once

#include <array>
#include <cstddef>

#include "sync/policy.hpp"

namespace tact::mailbox {
struct shard;
}

namespace tact::dispatch {

class dispatcher;

// A worker that is woken for the first of many messages takes the processor from who brings them, finds little, and
// sleeps again: a wake-up for a few messages each. So who brings many collects here what post_mail tells it to
// announce. Until `tell` others who bring mail to such a shard rely on that too: so it is not far away, and no code of
// a user's runs before it. Thread safety: owner only. Owner: a dispatcher.
template <class Sync, class Owner, class Shard, std::size_t Room>
class basic_announcements {
 public:
  explicit basic_announcements(Owner& owner) noexcept : owner_(&owner) {}
  basic_announcements(const basic_announcements&) = delete;
  basic_announcements& operator=(const basic_announcements&) = delete;

  // Announced by the next tell; or now, when there is no room.
  void add(const Shard& s) noexcept {
    if (count_ == Room && !Sync::planted(sync::fault::late_announcement_lost)) tell();
    shards_[count_++ % Room] = &s;
  }
  void tell() noexcept {
    for (std::size_t i = 0; i < count_ && i < Room; ++i) owner_->announce(*shards_[i]);
    count_ = 0;
  }

 private:
  Owner* const owner_;
  std::array<const Shard*, Room> shards_{};
  std::size_t count_ = 0;
};

// A thread that has one in its thread_state announces there what it brings from outside.
class announcements final : public basic_announcements<sync::real, dispatcher, mailbox::shard, 32> {
 public:
  using basic_announcements::basic_announcements;
};

}  // namespace tact::dispatch
