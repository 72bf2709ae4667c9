// What the runner of a thread uses to send and to create: how messages are published, and where actors get their homes.
#pragma once

#include <array>
#include <cstddef>
#include <cstdint>
#include <limits>
#include <memory>
#include <optional>
#include <span>

#include "base/blocks.hpp"
#include "dispatch/exchange/publish.hpp"
#include "dispatch/holding/drive_limit.hpp"
#include "dispatch/holding/lane_sharing.hpp"
#include "dispatch/holding/runner.hpp"
#include "dispatch/holding/thread_context.hpp"

namespace tact::dispatch {

// The part of a worker, a helper or the thread of a blocking actor that its runner uses. Thread safety: as for
// thread_context.
class worker_context : public thread_context {
 public:
  using thread_context::thread_context;

  // REQUIRES: the worker context's thread has not started.
  void prepare(std::unique_ptr<dispatch::runner> with) noexcept {
    runner_ = std::move(with);
    sharing_.emplace(*this, runner_->measures());
  }
  [[nodiscard]] dispatch::runner& runner() const noexcept { return *runner_; }
  [[nodiscard]] lane_sharing& sharing() noexcept { return *sharing_; }
  // Publishes what was sent to other shards, and announces it. The counters are published first, because other threads
  // may handle the messages at once: docs/protocols/quiet.md.
  void flush();
  // The ordinary shard for the next actor created here. `made_in_row`: how many were created before it in the same row,
  // 0 for the first of a run. Shards are looked up in advance; a thief may have taken one of them since, which does no
  // harm.
  [[nodiscard]] std::uint32_t next_shard(std::size_t made_in_row = 0) noexcept {
    if (made_in_row >= cycle_ || is_elsewhere_) [[unlikely]]
      go_on_in_row(made_in_row);
    if (next_home_ == homes_end_) [[unlikely]]
      look_ahead();
    return homes_[next_home_++];
  }
  // The run that created a row of actors has ended.
  void end_row() noexcept {
    if (is_elsewhere_) [[unlikely]]
      base::place_closures_here();
  }
  // How much the thread that drives a worker without a thread of its own may still run. For any other worker context
  // the limit is never reached.
  [[nodiscard]] drive_limit& limit() noexcept { return limit_; }
  // The thread is to end after the message that it runs now, though the engine may go on.
  [[nodiscard]] bool goes() const noexcept { return goes_.load(); }
  // Called by the runner while a hold goes on for long. Publishes what was sent, looks whether shards wait for this
  // thread, and calls for help if so. False: it is better to end this hold, and to run here what the lane has sent,
  // than to wake another worker for it; nothing was published.
  [[nodiscard]] bool look_up() noexcept {
    if (rather_withholds()) return false;
    flush();
    call_help_for_shards();
    return true;
  }
  // Messages from threads outside wait in a shard that this thread looks at. A hint: with many shards it looks at a
  // part of them each time.
  [[nodiscard]] virtual bool has_mail() noexcept = 0;

 protected:
  // Limits of a hold, for the layers of a holder.
  static constexpr unsigned gulps_per_hold = turns_of_a_hold;
  static constexpr std::uint64_t small_gulp = 64;
  static constexpr unsigned withheld_in_a_row = turns_of_a_hold;

  ~worker_context() = default;
  // As flush, but instead of announcing it calls tell(number of the outbox) for each word that was 0.
  template <class Tell>
  void publish(Tell tell) {
    if (outboxes_.nothing_open()) return;
    sync::may_switch();
    runner_->publish_counters();
    publish_all(exchange_, outboxes_, chunks_, tell);
  }
  // Gives back the memory that the worker context keeps for later, except for so many chunks. REQUIRES: no lane is run.
  void give_back(unsigned chunks_kept) noexcept;
  // True: it is better to end this hold, and to run here what the lane has sent, than to wake another worker for it.
  [[nodiscard]] virtual bool rather_withholds() noexcept { return false; }
  // Looks whether shards wait for this thread, and calls for help if so.
  virtual void call_help_for_shards() noexcept {}
  // Writes the shards for the next actors to `homes`, at least one, going round over those that this thread should use.
  // Returns how many it wrote.
  [[nodiscard]] virtual std::size_t find_homes(std::span<std::uint32_t> homes) noexcept = 0;
  // As find_homes, for a row that has used up the shards of this thread: the shards of another worker, which is idle.
  // 0: it is this thread's turn again, or no worker is idle.
  [[nodiscard]] virtual std::size_t find_homes_elsewhere(std::span<std::uint32_t> /*homes*/,
                                                         bool /*is_first*/) noexcept {
    return 0;
  }
  // Sets the length of a cycle: how many different shards find_homes returns. Without it actors created in a row get
  // the shards in the order of find_homes, and cycles are not skewed.
  void set_cycle(std::size_t shards) noexcept { cycle_ = shards; }

  std::unique_ptr<dispatch::runner> runner_;
  std::optional<lane_sharing> sharing_;
  drive_limit limit_;
  sync::atomic<bool> goes_{false};

 private:
  void look_ahead() noexcept;
  void go_on_in_row(std::size_t made_in_row) noexcept;

  std::array<std::uint32_t, 32> homes_{};  // for the actors that are created next
  std::size_t next_home_ = 0;
  std::size_t homes_end_ = 0;
  std::size_t cycle_ = std::numeric_limits<std::size_t>::max();  // shards
  std::size_t left_of_cycle_ = 0;
  bool is_elsewhere_ = false;  // the shards in homes_ are another worker's
};

}  // namespace tact::dispatch
