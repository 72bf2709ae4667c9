// What a thread that runs messages has for itself: spare chunks, an outbox for each office and each reserved shard, and
// the shards that it holds.
#pragma once

#include <cstdint>

#include "dispatch/exchange/exchange.hpp"
#include "dispatch/holding/joint_hold.hpp"
#include "mailbox/depot.hpp"
#include "mailbox/outbox_set.hpp"

namespace tact::dispatch {

// Thread safety: only the thread that owns it; but any thread may call index, number_in_system, the functions that ask
// what it is, and the const functions of the outboxes.
class thread_context {
 public:
  using policy = sync::real;
  using shard = mailbox::shard;
  using office = mailbox::office;
  enum class kind : unsigned char { worker, helper, blocking, loop };

  // `index`: the number of the worker. A helper has the number of its record in the epochs, which is behind those of
  // the workers; the thread of a blocking actor has its place, counted behind the workers.
  thread_context(dispatch::exchange& between, kind what, unsigned index);
  thread_context(const thread_context&) = delete;
  thread_context& operator=(const thread_context&) = delete;

  [[nodiscard]] unsigned index() const noexcept { return index_; }
  // The thread of the system that is this one at the moment: see sync::thread. 0: none, or none that is known.
  // relaxed: hint, outdated as soon as it is read.
  [[nodiscard]] int number_in_system() const noexcept { return number_in_system_.load(std::memory_order_relaxed); }
  // relaxed: hint, as above.
  void note_thread(int number) noexcept { number_in_system_.store(number, std::memory_order_relaxed); }
  // True: the thread serves blocking actors, or those of an event loop. It runs no behaviour that other threads may
  // run, so it takes no part in the epochs.
  [[nodiscard]] bool is_blocking() const noexcept { return kind_ >= kind::blocking; }
  // True: the thread serves the actors that live on the thread of an event loop.
  [[nodiscard]] bool is_loop() const noexcept { return kind_ == kind::loop; }
  [[nodiscard]] bool is_worker() const noexcept { return kind_ == kind::worker; }
  // True: a thread outside works here while it waits for something: see helper.hpp.
  [[nodiscard]] bool is_helper() const noexcept { return kind_ == kind::helper; }
  [[nodiscard]] dispatch::exchange& exchange() noexcept { return exchange_; }
  [[nodiscard]] mailbox::outbox_set& outboxes() noexcept { return outboxes_; }
  [[nodiscard]] const mailbox::outbox_set& outboxes() const noexcept { return outboxes_; }
  [[nodiscard]] mailbox::chunk_store& chunks() noexcept { return chunks_; }
  // The shards that this thread holds; the first of them is the one whose lane is run.
  [[nodiscard]] joint_hold& held() noexcept { return held_; }
  // True: this is the thread of a worker that is to rest. It runs nothing more of its shards, unless it looks for them
  // again.
  [[nodiscard]] bool rests() const noexcept { return is_worker() && index_ >= exchange_.running(); }

  // Tries to hold this shard as well, beside the one that is run: then messages for it stay in the lane that is run.
  // True: it is held. REQUIRES: lane_sharing::may_join is true; no outbox for the shard's office is open.
  [[nodiscard]] virtual bool join(std::uint32_t shard) noexcept = 0;
  // As join, but for messages that are dealt out: it first moves what came for the shard earlier to the lane that is
  // run. REQUIRES: the thread holds the shard's office.
  [[nodiscard]] virtual bool take_in(mailbox::shard&) noexcept { return false; }

 protected:
  ~thread_context() = default;

  dispatch::exchange& exchange_;
  const unsigned index_;
  mailbox::chunk_store chunks_;
  mailbox::outbox_set outboxes_;
  joint_hold held_;

 private:
  const kind kind_;
  sync::atomic<int> number_in_system_{0};
};

}  // namespace tact::dispatch
