// What a thread that runs actors writes with: spare chunks, and an outbox for each office and each kept shard.
#pragma once

#include <array>
#include <cstddef>
#include <cstdint>
#include <limits>
#include <memory>
#include <span>

#include "dispatch/holder.hpp"
#include "dispatch/joint_hold.hpp"
#include "dispatch/publish.hpp"
#include "dispatch/runner.hpp"
#include "dispatch/turn.hpp"
#include "mailbox/depot.hpp"
#include "mailbox/outbox_set.hpp"

namespace tact::dispatch {

class dispatcher;

// The part of a worker, or of the thread of a blocking actor, that its runner uses. Thread safety: owner only, except
// index, is_blocking and what is const of the outboxes.
class desk {
 public:
  using policy = sync::real;
  using shard = mailbox::shard;
  using office = mailbox::office;
  enum class post : unsigned char { worker, helper, blocking, loop };

  // `index`: of the worker; of a helper that of its record in the epochs, beyond the workers.
  desk(dispatcher& owner, post what, unsigned index);
  desk(const desk&) = delete;
  desk& operator=(const desk&) = delete;

  [[nodiscard]] unsigned index() const noexcept { return index_; }
  // It runs one actor at a time, which may wait, and never a behaviour that others may run: no part of the epochs.
  [[nodiscard]] bool is_blocking() const noexcept { return post_ >= post::blocking; }
  // The same, of actors that live on the thread of an event loop.
  [[nodiscard]] bool is_loop() const noexcept { return post_ == post::loop; }
  [[nodiscard]] bool is_worker() const noexcept { return post_ == post::worker; }
  // Of threads outside that work while they wait: see helper.hpp.
  [[nodiscard]] bool is_helper() const noexcept { return post_ == post::helper; }
  [[nodiscard]] dispatcher& owner() noexcept { return *owner_; }
  [[nodiscard]] mailbox::outbox_set& outboxes() noexcept { return outboxes_; }
  [[nodiscard]] const mailbox::outbox_set& outboxes() const noexcept { return outboxes_; }
  [[nodiscard]] mailbox::chunk_store& chunks() noexcept { return chunks_; }
  // The shards that it holds. Has begun with the one whose lane is run.
  [[nodiscard]] joint_hold& held() noexcept { return held_; }
  // Holds this one as well from now on, if it is idle and may be: messages for it stay in the lane of the one that is
  // run. REQUIRES: the runner's may_join says so; no outbox for its office is open.
  [[nodiscard]] virtual bool join(std::uint32_t shard) noexcept = 0;
  // Before its thread starts.
  void prepare(std::unique_ptr<runner> with) noexcept { runner_ = std::move(with); }
  [[nodiscard]] runner& running() const noexcept { return *runner_; }
  // The same for what is dealt out: what came for it before comes first. REQUIRES: the desk holds the shard's office.
  [[nodiscard]] virtual bool take_in(mailbox::shard&) noexcept { return false; }
  // Publishes what was sent to other shards, and announces it. Counted first, because others may handle it at once:
  // docs/protocols/quiet.md.
  void flush();
  // The ordinary shard for the next thing created here, the first of its run or one of several in a row. Some are
  // looked up in advance: by stealing the worker may have lost one of them meanwhile, which does no harm.
  [[nodiscard]] std::uint32_t next_shard(std::size_t made_in_row = 0) noexcept {
    if (made_in_row >= round_) [[unlikely]]
      skew(made_in_row);
    if (next_home_ == homes_end_) [[unlikely]]
      look_ahead();
    return homes_[next_home_++];
  }
  // Of who drives a worker without a thread of its own; else never over.
  [[nodiscard]] turn& this_turn() noexcept { return turn_; }
  // The thread is to end behind the message that it runs; the engine may go on.
  [[nodiscard]] bool goes() const noexcept { return goes_.load(); }
  // A hold is taking long: see who waits for this thread meanwhile.
  virtual void look_up() noexcept = 0;
  // What the lane has sent had better be run here, now, than be published: the hold is to end.
  [[nodiscard]] virtual bool rather_keeps() noexcept { return false; }
  // Threads outside have sent what lies in a shard that is looked at here. A hint.
  [[nodiscard]] virtual bool has_mail() const noexcept = 0;

 protected:
  // Of holders.
  static constexpr unsigned gulps_per_hold = 4;  // then the worker's other shards have their turn
  static constexpr std::uint64_t small_gulp = 64;
  static constexpr unsigned kept_in_a_row = 16;

  ~desk() = default;
  // The same; but tell(number of the outbox) is called where somebody must be told.
  template <class Tell>
  void publish(Tell tell) {
    if (outboxes_.nothing_open()) return;
    sync::may_switch();
    runner_->publish_counters(false);
    publish_all(*owner_, outboxes_, chunks_, tell);
  }
  // Memory that it keeps for what comes goes back, all but so many chunks. REQUIRES: no lane is run.
  void give_back(unsigned chunks_kept) noexcept;
  // The next ones, at least one, round over those that this thread should use. Returns how many.
  [[nodiscard]] virtual std::size_t find_homes(std::span<std::uint32_t> homes) noexcept = 0;
  // So many are different; not known: those that are made in a row get them as they come.
  void set_round(std::size_t shards) noexcept { round_ = shards; }

  dispatcher* const owner_;
  const unsigned index_;
  std::unique_ptr<runner> runner_;
  mailbox::chunk_store chunks_;
  mailbox::outbox_set outboxes_;
  joint_hold held_;
  turn turn_;
  sync::atomic<bool> goes_{false};

 private:
  void look_ahead() noexcept;
  void skew(std::size_t made_in_row) noexcept;

  std::array<std::uint32_t, 32> homes_{};  // for what is created next
  std::size_t next_home_ = 0;
  std::size_t homes_end_ = 0;
  std::size_t round_ = std::numeric_limits<std::size_t>::max();  // shards
  std::size_t left_of_round_ = 0;
  const post post_;
};

// What holds shards with it: in holder.cpp.
extern template class holder<desk>;

}  // namespace tact::dispatch
