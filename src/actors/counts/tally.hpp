// The counters of one worker about messages and actors.
#pragma once

#include "sync/owned_counter.hpp"

namespace tact::actors {

// Private to the worker until it publishes them. Where each is counted: committed in run_state::finish, failed in
// committer::fail, dead in late_sends::drop, collisions in committer::collided; a message as sent when it is staged, in
// run::sent of tact/detail/staged_send.hpp. What threads outside send is counted by the inbox of the shard, as it is
// put there (mailbox/inbox.hpp); what they lose, and what they send to a limited mailbox, by intake and burial in
// outside_tally. The census adds all of it up.
struct tally {
  std::uint64_t committed = 0;
  std::uint64_t failed = 0;
  std::uint64_t dead = 0;
  std::uint64_t collisions = 0;
  std::uint64_t forwarded = 0;
  std::uint64_t created = 0;
  std::uint64_t ended = 0;
  std::uint64_t restarted = 0;
  std::uint64_t retried = 0;
};

// The counters that other threads read. docs/protocols/quiet.md.
// Invariant: `sent` is published before `done` counts what those messages led to, and before another worker can take
// those messages. So a thread that reads every `done` first and every `sent` after that, and finds the sums equal,
// knows that no message was in flight between the two.
class published_tally {
 public:
  void publish(const tally& now, std::uint64_t sent) noexcept {
    set_all_but_done(now, sent);
    // release: what was sent and created is counted before. pairs: tally.done
    done_.store(finished(now), std::memory_order_release);
  }
  // For a worker that looks next for threads that wait for quiet.
  void publish_exactly(const tally& now, std::uint64_t sent) noexcept {
    set_all_but_done(now, sent);
    done_.store(finished(now));
  }
  // Read every worker's `done` before any worker's `sent`.
  // acquire: observes what was sent and created by then. pairs: tally.done
  [[nodiscard]] std::uint64_t done() const noexcept { return done_.load(); }
  [[nodiscard]] std::uint64_t sent() const noexcept { return sent_.read(); }

  sync::owned_counter committed;
  sync::owned_counter failed;
  sync::owned_counter dead;
  sync::owned_counter collisions;
  sync::owned_counter forwarded;
  sync::owned_counter created;
  sync::owned_counter ended;
  sync::owned_counter restarted;
  sync::owned_counter retried;

 private:
  static std::uint64_t finished(const tally& now) noexcept { return now.committed + now.failed + now.dead; }
  void set_all_but_done(const tally& now, std::uint64_t sent) noexcept {
    committed.set(now.committed);
    failed.set(now.failed);
    dead.set(now.dead);
    collisions.set(now.collisions);
    forwarded.set(now.forwarded);
    created.set(now.created);
    ended.set(now.ended);
    restarted.set(now.restarted);
    retried.set(now.retried);
    sent_.set(sent);
  }

  sync::owned_counter sent_;
  sync::atomic<std::uint64_t> done_{0};
};

// What is counted of all that happens on threads outside the engine. Thread safety: any thread adds and reads.
struct outside_tally {
  sync::atomic<std::uint64_t> sent{0};
  sync::atomic<std::uint64_t> dead{0};
  // Orders to end an actor, or to tell of its end, that the end of the engine made pointless.
  sync::atomic<std::uint64_t> orders{0};
  sync::atomic<std::uint64_t> created{0};
  sync::atomic<std::uint64_t> ended{0};   // by the end of the engine
  sync::atomic<std::uint64_t> tokens{0};  // of mailboxes that drop their oldest: each counts as sent, and is no message
  sync::atomic<std::uint64_t> asked{0};
  sync::atomic<std::uint64_t> asks_over{0};  // that no worker has told of an answer or a failure
  sync::atomic<std::uint64_t> late{0};       // messages that were sent after the end, and were dead at once
};

// What a worker does too seldom for a tally: it counts it at once, where any thread reads it. Thread safety: the worker
// adds, any thread reads.
struct rare_tally {
  sync::owned_counter waits_begun;
  sync::owned_counter waits_ended;
  sync::owned_counter timers_set;
  sync::owned_counter timers_cancelled;
  sync::owned_counter askers_told;  // askers of threads outside
};

}  // namespace tact::actors
