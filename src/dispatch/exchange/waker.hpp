// Wakes workers: tells them that a shard or an office has messages, and knows which of them sleep.
#pragma once

#include <cstddef>
#include <cstdint>
#include <memory>
#include <vector>

#include "dispatch/exchange/communal_mailbox.hpp"
#include "dispatch/exchange/idle_set.hpp"
#include "dispatch/exchange/visitor_calls.hpp"
#include "dispatch/exchange/worker_numbers.hpp"
#include "dispatch/exchange/worker_status.hpp"
#include "mailbox/office.hpp"
#include "mailbox/shard.hpp"
#include "sync/policy.hpp"

namespace tact::dispatch {

// Invariant: when a shard or an office becomes eligible, it is announced to the worker that looks at it, or a worker
// that is awake looks at it: so no message waits while all workers sleep. Thread safety: any thread. Protocol pages:
// docs/protocols/idling.md, docs/protocols/office.md.
class waker {
 public:
  // `steals`: workers may take from each other what waits, so one may keep watch.
  waker(communal_mailbox& mail, const worker_numbers& numbers,
        const std::vector<std::unique_ptr<worker_status>>& status, bool steals)
      : mail_(mail), numbers_(numbers), status_(status), steals_(steals), idle_(numbers.most()) {}
  waker(const waker&) = delete;
  waker& operator=(const waker&) = delete;

  // From now on the waker tells threads that are no workers by `calls`. `pumps`: these threads run the messages of all
  // shards. REQUIRES: no other thread uses the waker yet.
  void call_visitors_by(visitor_calls& calls, bool pumps) noexcept {
    visitors_ = &calls;
    is_pumped_ = pumps;
  }

  // REQUIRES: call_visitors_by was called.
  [[nodiscard]] visitor_calls& visitors() const noexcept { return *visitors_; }

  // Makes sure that this shard or office is looked at: wakes its owner, if that sleeps. REQUIRES: the caller's push or
  // post_mail returned true, or the caller held the shard and has left messages behind.
  inline void announce(const mailbox::shard& s) noexcept;
  inline void announce(const mailbox::office& o) noexcept;
  void announce_outbox(std::uint32_t outbox) noexcept {
    mail_.is_office(outbox) ? announce(mail_.office_of_outbox(outbox)) : announce(mail_.shard_at(outbox));
  }
  // Called when the number of workers that run has changed: the worker that looks at an office from now on may not have
  // been told of messages there.
  void announce_offices() noexcept;

  // The worker that looks at an office, and is told of messages there.
  [[nodiscard]] unsigned owner_of_office(std::uint32_t index) const noexcept { return index % numbers_.running(); }
  // Does an office at which this worker looks have messages that no thread deals out? Exact for a worker that is about
  // to park. A worker that does not run looks at none.
  [[nodiscard]] inline bool any_office_eligible(unsigned worker) const noexcept;

  // The workers that have nothing to do.
  [[nodiscard]] idle_set& idle() noexcept { return idle_; }
  [[nodiscard]] const idle_set& idle() const noexcept { return idle_; }
  // A worker that is to rest may be in the set still, and does not count.
  [[nodiscard]] bool all_idle() const noexcept { return idle_.are_all(numbers_.running()); }
  // Some worker is idle, or rests.
  [[nodiscard]] bool has_idle() const noexcept { return idle_.any() || numbers_.some_rest(); }

  // While some workers are busy, one idle worker keeps watch: it sleeps for some milliseconds at most, then looks for
  // shards that wait behind a long handler. A busy worker cannot do this, because it does not look up while a handler
  // runs.
  [[nodiscard]] bool has_watch() const noexcept { return watch_.load(); }
  // No worker keeps watch, and one could.
  [[nodiscard]] bool can_watch() const noexcept { return steals_ && numbers_.threads() > 1 && !watch_.load(); }
  // Wakes a worker that is idle or rests, which then keeps watch.
  void call_watch(std::uint32_t near) noexcept;
  [[nodiscard]] bool take_watch() noexcept { return can_watch() && !all_idle() && !watch_.exchange(true); }
  void leave_watch() noexcept { watch_.store(false); }

 private:
  // A shard or an office of this worker has got messages. If the worker had something to do already, that may take
  // long: then, if no worker keeps watch, this wakes an idle one, which looks for such shards and keeps watch. A worker
  // that was idle calls the watch itself, see worker::call_watch.
  inline void wake_owner(std::uint32_t worker) noexcept;
  [[nodiscard]] bool is_busy_beside_idle(std::uint32_t worker) const noexcept {
    return has_idle() && !idle_.has(worker);
  }

  communal_mailbox& mail_;
  const worker_numbers& numbers_;
  const std::vector<std::unique_ptr<worker_status>>& status_;
  visitor_calls* visitors_ = nullptr;
  bool is_pumped_ = false;
  const bool steals_;
  idle_set idle_;
  alignas(64) sync::atomic<bool> watch_{false};
};

inline void waker::announce(const mailbox::shard& s) noexcept {
  if (mail_.is_blocking(s.number)) return visitors_->call_reserved(s.number);
  if (is_pumped_) return visitors_->call_pump();
  wake_owner(s.owner.load());
}

inline void waker::announce(const mailbox::office& o) noexcept {
  if (is_pumped_) return visitors_->call_pump();
  wake_owner(owner_of_office(o.index));
}

// The look comes before the wake: a worker that was idle, and is busy a moment later, is busy with what is announced.
inline void waker::wake_owner(std::uint32_t worker) noexcept {
  const bool lacks_watch = can_watch() && is_busy_beside_idle(worker);
  status_[worker]->wake();
  if (lacks_watch) call_watch(worker);
}

inline bool waker::any_office_eligible(unsigned worker) const noexcept {
  const auto& offices = mail_.offices();
  const unsigned running = numbers_.running();
  for (std::size_t o = worker; worker < running && o < offices.size(); o += running) {
    if (offices[o]->word.eligible()) return true;
  }
  return false;
}

}  // namespace tact::dispatch
