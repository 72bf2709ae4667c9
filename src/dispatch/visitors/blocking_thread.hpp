// The thread of a blocking actor: it holds one shard only, runs that shard's messages one by one, and may wait in each
// of them. The thread of an event loop runs its actors by the same class.
#pragma once

#include <memory>

#include "dispatch/holding/worker_context.hpp"
#include "dispatch/holding/worker_counters.hpp"
#include "dispatch/visitors/blocking_slot.hpp"
#include "dispatch/visitors/loop_call.hpp"
#include "dispatch/visitors/pump.hpp"
#include "mailbox/shard.hpp"
#include "sync/thread.hpp"

namespace tact::dispatch {

// The thread begins with the first actor of its slot and serves later actors too, until the engine ends. The place of a
// loop has no thread of its own until the loop is closed: until then the loop's thread pumps. The thread that the place
// gets then runs no handler: it ends actors that were created here too late, and buries messages that still come.
// Invariants: (1) what a message has sent is published before the next message runs; (2) the thread is always offline
// in the epochs: it reads only the behaviours of actors that live here, which no other thread replaces or ends.
// Protocol pages: docs/protocols/blocking.md, docs/protocols/loop.md.
class blocking_thread final : public worker_context {
 public:
  // `places`: notified when this place is free again. `call_loop`: for the place of a loop only; any thread may call
  // it, to tell the loop that messages wait. It must not throw.
  blocking_thread(dispatch::exchange& between, mailbox::shard& only, unsigned index,
                  sync::eventcount<sync::real>& places, std::function<void()> call_loop = {});

  // -- from any thread
  // REQUIRES: the caller has made a seq_cst change to something that the thread looks at before it sleeps.
  void wake() noexcept {
    slot_.wake();
    if (loop_ != nullptr) loop_->announce();
  }
  [[nodiscard]] bool is_of_loop() const noexcept { return loop_ != nullptr; }
  // Actors may be created on this loop. A hint: the loop may be closed a moment later.
  [[nodiscard]] bool is_open_loop() const noexcept { return loop_ != nullptr && !buries_.load(); }
  [[nodiscard]] blocking_slot<sync::real>& slot() noexcept { return slot_; }
  [[nodiscard]] const worker_counters& counters() const noexcept { return counters_; }

  // -- from the dispatcher: when the slot is first taken or the loop is closed, and when the engine ends
  void start();
  void wait_for_end() noexcept { thread_.join(); }

  // -- from the loop's thread
  // Runs at most `most` messages, the first of them even if `until` has passed. A call within a handler of this loop
  // does nothing.
  [[nodiscard]] pump::amount run_some(std::uint64_t most, sync::deadline until) noexcept;
  // From now on no actor handles anything here: the receiver of each message is ended before the message would run.
  void refuse_actors() noexcept { buries_.exchange(true); }
  // From now on no thread calls the loop, and nothing runs here before start. False: the caller is within a handler of
  // this loop.
  [[nodiscard]] bool close() noexcept { return loop_->close(); }

  // -- dispatch::worker_context
  [[nodiscard]] bool join(std::uint32_t) noexcept override { return false; }
  // The runner need not ask for mail here, because run_lane returns after each message anyway.
  [[nodiscard]] bool has_mail() noexcept override { return false; }

 private:
  using loop_call = dispatch::loop_call<sync::real, std::function<void()>>;

  // Goes round over all ordinary shards.
  [[nodiscard]] std::size_t find_homes(std::span<std::uint32_t> homes) noexcept override;
  void loop() noexcept;
  [[nodiscard]] bool anything() const noexcept;
  [[nodiscard]] bool take_turn();
  // Holds the shard until its lane is empty, as many messages have run as waited when the hold began (and some more),
  // `is_over()` is true after a message, or the dispatcher stops.
  template <class IsOver>
  void hold(IsOver is_over);
  void run_one();
  // Called on the loop's thread: holds the shard until `most` messages were handled or `until` has passed. Returns how
  // many messages were handled.
  [[nodiscard]] std::uint64_t drive(std::uint64_t most, sync::deadline until) noexcept;
  void park();
  void trim() noexcept;

  mailbox::shard& shard_;
  sync::eventcount<sync::real>& places_;
  blocking_slot<sync::real> slot_;
  sync::thread thread_;
  std::uint32_t next_home_;
  const std::unique_ptr<loop_call> loop_;  // null: this place has a thread of its own from the beginning
  sync::atomic<bool> buries_{false};       // the loop is about to end, or has ended
  sync::time_point trimmed_{};             // when a loop gave memory back last
  alignas(64) worker_counters counters_;
};

}  // namespace tact::dispatch
