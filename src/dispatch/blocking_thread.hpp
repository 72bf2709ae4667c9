// The thread of a blocking actor: holds one shard only, runs its messages one by one, and may wait in each of them.
#pragma once

#include <memory>

#include "dispatch/blocking_slot.hpp"
#include "dispatch/desk.hpp"
#include "dispatch/worker_counters.hpp"
#include "mailbox/shard.hpp"
#include "sync/thread.hpp"

namespace tact::dispatch {

// Begins with the first actor of its slot and serves later ones, until the engine ends. Invariants: (1) what a message
// sent is published before the next one runs; (2) the thread is offline in the epochs for good: it reads no behaviour
// but those of actors that live here, which nobody else replaces or ends.
class blocking_thread final : public desk {
 public:
  blocking_thread(dispatcher& owner, mailbox::shard& only, unsigned index);

  // -- from any thread
  void wake() noexcept { slot_.wake(); }  // REQUIRES: the caller made a seq_cst change to what the thread looks at
  [[nodiscard]] blocking_slot<sync::real>& slot() noexcept { return slot_; }
  [[nodiscard]] const worker_counters& counters() const noexcept { return counters_; }

  // -- from who takes the slot first, and from who ends the engine
  void start();
  void wait_for_end() noexcept { thread_.join(); }

  // -- dispatch::desk
  [[nodiscard]] bool join(std::uint32_t) noexcept override { return false; }
  void look_up() noexcept override {}  // nobody does: no other shard is looked at here
  [[nodiscard]] bool has_mail() const noexcept override { return false; }  // it looks after each message anyway

 private:
  [[nodiscard]] std::size_t find_homes(std::span<std::uint32_t> homes) noexcept override;  // round over all
  void loop() noexcept;
  [[nodiscard]] bool anything() const noexcept;
  [[nodiscard]] bool round();
  void hold();
  void park();

  mailbox::shard& shard_;
  blocking_slot<sync::real> slot_;
  sync::thread thread_;
  std::uint32_t next_home_;
  alignas(64) worker_counters counters_;
};

}  // namespace tact::dispatch
