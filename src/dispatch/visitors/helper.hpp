// A place for a thread outside that waits for an answer, and works for the engine meanwhile.
#pragma once

#include <cstdint>

#include "dispatch/holding/driving.hpp"
#include "dispatch/holding/worker_holder.hpp"
#include "mailbox/shard.hpp"
#include "sync/policy.hpp"

namespace tact::dispatch {

// One thread at a time has this place. The place owns no shards: the thread holds any eligible shard, whichever worker
// owns it. Invariants, as for workers: (1) a shard is let go only after every outbox was flushed; (2) a thread that
// leaves messages behind in a shard tells the shard's owner. Protocol page: docs/protocols/helping.md.
class helper final : public holder<worker_context> {
 public:
  helper(dispatch::exchange& between, unsigned index) : holder(between, kind::helper, index) {}

  // -- from any thread
  // False: another thread has this place.
  [[nodiscard]] bool try_enter() noexcept { return !is_taken_.load() && !is_taken_.exchange(true); }

  // -- from the thread that has entered
  // Runs messages that wait, until `reached()`, the engine stops, or nothing waits.
  template <class Reached>
  void work(Reached reached) noexcept {
    const driving here(*this);
    while (!reached() && find()) {
      // The hold is bounded: other shards wait, and so do messages from threads outside for this shard.
      unsigned runs = 0;
      do run();
      while (++runs < runs_per_hold && goes_on() && !reached());
      let_go();
    }
  }
  void trim() noexcept;  // gives memory back
  void leave() noexcept { is_taken_.store(false); }

  // -- dispatch::worker_context
  [[nodiscard]] bool has_mail() noexcept override { return false; }

 private:
  // Goes round over all ordinary shards.
  [[nodiscard]] std::size_t find_homes(std::span<std::uint32_t> homes) noexcept override;
  [[nodiscard]] bool find() noexcept;  // an eligible shard, and holds it
  void run();
  [[nodiscard]] bool goes_on() const noexcept;
  void let_go() noexcept;
  // -- dispatch::holder
  [[nodiscard]] std::size_t own_shards() const noexcept override { return 0; }
  [[nodiscard]] mailbox::shard* own_shard(std::size_t) const noexcept override { return nullptr; }
  [[nodiscard]] bool anything_eligible() const noexcept override { return false; }
  [[nodiscard]] bool stops() const noexcept override;
  void takes_up() noexcept override {}
  void has_run() noexcept override;
  void pause() const noexcept override {}

  static constexpr unsigned runs_per_hold = 16;  // of about two microseconds, or one message

  std::uint32_t next_ = 0;  // the next shard to look at, or the next home
  sync::atomic<bool> is_taken_{false};
};

}  // namespace tact::dispatch
