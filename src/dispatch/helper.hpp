// A place for a thread outside that waits for something, and works for the engine meanwhile.
#pragma once

#include <cstdint>

#include "dispatch/desk.hpp"
#include "dispatch/holder.hpp"
#include "mailbox/shard.hpp"
#include "sync/policy.hpp"

namespace tact::dispatch {

// One thread stands here at a time. It has no shards: it holds those that nobody holds, wherever they are looked at.
// Invariants, as for workers: (1) a shard is let go only after every outbox was flushed; (2) who leaves messages behind
// tells the worker whose shard it is. Protocol page: docs/protocols/helping.md.
class helper final : public holder<desk> {
 public:
  helper(dispatcher& owner, unsigned index) : holder(owner, post::helper, index) {}

  // -- from any thread
  // False: somebody stands here already.
  [[nodiscard]] bool try_enter() noexcept { return !is_taken_.load() && !is_taken_.exchange(true); }

  // -- from the thread that has entered
  // Runs what waits until `reached()`, the engine stops, or nothing waits.
  template <class Reached>
  void work(Reached reached) noexcept {
    begin();
    while (!reached() && find()) {
      // Not for ever: others wait, and what threads outside have sent for this one.
      unsigned runs = 0;
      do run();
      while (++runs < runs_per_hold && goes_on() && !reached());
      let_go();
    }
    end();
  }
  void trim() noexcept;  // memory goes back
  void leave() noexcept { is_taken_.store(false); }

  // -- dispatch::desk
  void look_up() noexcept override {}  // nobody else looks at what it holds
  [[nodiscard]] bool has_mail() const noexcept override { return false; }

 private:
  [[nodiscard]] std::size_t find_homes(std::span<std::uint32_t> homes) noexcept override;  // round over all
  void begin() noexcept;
  void end() noexcept;
  [[nodiscard]] bool find() noexcept;  // and holds it
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

  std::uint32_t next_ = 0;  // shard to look at, and home
  sync::atomic<bool> is_taken_{false};
};

}  // namespace tact::dispatch
