// Tells workers that a shard or an office has messages, and wakes those that sleep. The short functions are in
// announcer_inline.hpp.
#pragma once

#include <cstddef>
#include <cstdint>

#include "dispatch/idle_set.hpp"
#include "mailbox/office.hpp"
#include "mailbox/shard.hpp"
#include "sync/policy.hpp"

namespace tact::dispatch {

class dispatcher;

// Invariant: when a shard or an office becomes eligible, it is announced to the worker that looks at it, or a worker
// that is awake looks at it: so no message waits while all workers sleep. Thread safety: any thread. Protocol pages:
// docs/protocols/idling.md, docs/protocols/office.md.
class announcer {
 public:
  announcer(dispatcher& owner, unsigned workers) noexcept : owner_(owner), idle_(workers) {}
  announcer(const announcer&) = delete;
  announcer& operator=(const announcer&) = delete;

  // Makes sure that this shard or office is looked at: wakes its owner, if that sleeps. REQUIRES: the caller's push or
  // post_mail returned true, or the caller held the shard and has left messages behind.
  inline void announce(const mailbox::shard& s) noexcept;
  inline void announce(const mailbox::office& o) noexcept;
  inline void announce_outbox(std::uint32_t outbox) noexcept;
  // Called when the number of workers that run has changed: the worker that looks at an office from now on may not have
  // been told of messages there.
  void announce_offices() noexcept;

  // The worker that looks at an office, and is told of messages there.
  [[nodiscard]] inline unsigned owner_of_office(std::uint32_t index) const noexcept;
  // Does an office at which this worker looks have messages that no thread deals out? Exact for a worker that is about
  // to park. A worker that does not run looks at none.
  [[nodiscard]] inline bool any_office_eligible(unsigned worker) const noexcept;

  // The workers that have nothing to do.
  [[nodiscard]] idle_set& idle() noexcept { return idle_; }
  [[nodiscard]] const idle_set& idle() const noexcept { return idle_; }
  [[nodiscard]] inline bool all_idle() const noexcept;
  [[nodiscard]] bool has_idle() const noexcept;  // some worker is idle, or rests

  // While some workers are busy, one idle worker keeps watch: it sleeps for some milliseconds at most, then looks for
  // shards that wait behind a long handler. A busy worker cannot do this, because it does not look up while a handler
  // runs.
  [[nodiscard]] bool has_watch() const noexcept { return watch_.load(); }
  // No worker keeps watch, and one could.
  [[nodiscard]] inline bool can_watch() const noexcept;
  // Wakes a worker that is idle or rests, which then keeps watch.
  void call_watch(std::uint32_t near) noexcept;
  [[nodiscard]] inline bool take_watch() noexcept;
  void leave_watch() noexcept { watch_.store(false); }

 private:
  // A shard or an office of this worker has got messages. If the worker had something to do already, that may take
  // long: then, if no worker keeps watch, this wakes an idle one, which looks for such shards and keeps watch. A worker
  // that was idle calls the watch itself, see worker::call_watch.
  inline void wake_owner(std::uint32_t worker) noexcept;
  [[nodiscard]] bool is_busy_beside_idle(std::uint32_t worker) const noexcept;

  dispatcher& owner_;
  idle_set idle_;
  alignas(64) sync::atomic<bool> watch_{false};
};

}  // namespace tact::dispatch
