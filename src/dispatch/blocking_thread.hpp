// The thread of a blocking actor: holds one shard only, runs its messages one by one, and may wait in each of them. Or
// what the thread of an event loop runs its actors with.
#pragma once

#include <memory>

#include "dispatch/blocking_slot.hpp"
#include "dispatch/desk.hpp"
#include "dispatch/loop_call.hpp"
#include "dispatch/pump.hpp"
#include "dispatch/worker_counters.hpp"
#include "mailbox/shard.hpp"
#include "sync/thread.hpp"

namespace tact::dispatch {

// Begins with the first actor of its slot and serves later ones, until the engine ends. That of a loop has no thread of
// its own until the loop is closed: the loop's thread pumps. The thread that it gets then runs no handler: it ends what
// was made here meanwhile, and buries what still comes. Invariants: (1) what a message sent is published before the
// next one runs; (2) the thread is offline in the epochs for good: it reads no behaviour but those of actors that live
// here, which nobody else replaces or ends. Protocol pages: docs/protocols/blocking.md, docs/protocols/loop.md.
class blocking_thread final : public desk {
 public:
  // `call_loop`: of a loop; calls it, from any thread. It must not throw.
  blocking_thread(dispatcher& owner, mailbox::shard& only, unsigned index, std::function<void()> call_loop = {});

  // -- from any thread
  // REQUIRES: the caller made a seq_cst change to what the thread looks at.
  void wake() noexcept {
    slot_.wake();
    if (loop_ != nullptr) loop_->announce();
  }
  [[nodiscard]] bool is_of_loop() const noexcept { return loop_ != nullptr; }
  // Actors may be made here. A hint: it may be closed at the next moment.
  [[nodiscard]] bool is_open_loop() const noexcept { return loop_ != nullptr && !buries_.load(); }
  [[nodiscard]] blocking_slot<sync::real>& slot() noexcept { return slot_; }
  [[nodiscard]] const worker_counters& counters() const noexcept { return counters_; }

  // -- from who takes the slot first, and from who ends the engine
  void start();
  void wait_for_end() noexcept { thread_.join(); }

  // -- from the loop's thread
  // So many messages at most, one at least if `until` has passed. Within a handler of this loop it does nothing.
  [[nodiscard]] pump::amount run_some(std::uint64_t most, sync::deadline until) noexcept;
  // From now on no actor is made here that handles anything.
  void refuse_actors() noexcept { buries_.exchange(true); }
  // Nobody is called from now on, and nothing runs here before start. False: within a handler of this loop.
  [[nodiscard]] bool close() noexcept { return loop_->close(); }

  // -- dispatch::desk
  [[nodiscard]] bool join(std::uint32_t) noexcept override { return false; }
  void look_up() noexcept override {}  // nobody does: no other shard is looked at here
  [[nodiscard]] bool has_mail() const noexcept override { return false; }  // it looks after each message anyway

 private:
  using loop_call = dispatch::loop_call<sync::real, std::function<void()>>;

  [[nodiscard]] std::size_t find_homes(std::span<std::uint32_t> homes) noexcept override;  // round over all
  void loop() noexcept;
  [[nodiscard]] bool anything() const noexcept;
  [[nodiscard]] bool round();
  // Until the lane is empty, `is_over()` behind a message, or the dispatcher stops.
  template <class IsOver>
  void hold(IsOver is_over);
  void run_one();
  void park();
  void trim() noexcept;

  mailbox::shard& shard_;
  blocking_slot<sync::real> slot_;
  sync::thread thread_;
  std::uint32_t next_home_;
  const std::unique_ptr<loop_call> loop_;  // null: it has a thread of its own from the beginning
  sync::atomic<bool> buries_{false};       // the loop is about to end, or has
  sync::time_point trimmed_{};             // of a loop
  alignas(64) worker_counters counters_;
};

}  // namespace tact::dispatch
