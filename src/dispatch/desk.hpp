// What a thread that runs actors writes with: spare chunks, an outbox per shard, and the shards for what it creates.
#pragma once

#include <cstddef>
#include <cstdint>

#include "mailbox/depot.hpp"
#include "mailbox/outbox_set.hpp"

namespace tact::dispatch {

class dispatcher;

// Numbers of shards, over which something goes round: first, first + step, ...
struct shard_numbers {
  std::uint32_t first;
  std::uint32_t step;
  std::uint32_t count;

  [[nodiscard]] std::uint32_t at(std::size_t turn) const noexcept {
    return first + step * static_cast<std::uint32_t>(turn % count);
  }
};

// The part of a worker, or of the thread of a blocking actor, that its runner uses. Thread safety: owner only, except
// index and homes.
class desk {
 public:
  // `index`: of the worker, or beyond the workers. `homes`: the shards for what is created here, at least one.
  desk(dispatcher& owner, unsigned index, shard_numbers homes);
  desk(const desk&) = delete;
  desk& operator=(const desk&) = delete;

  [[nodiscard]] unsigned index() const noexcept { return index_; }
  // It runs one actor at a time, which may wait, and never a behaviour that others may run: no part of the epochs.
  [[nodiscard]] bool is_blocking() const noexcept { return is_blocking_; }
  [[nodiscard]] dispatcher& owner() noexcept { return *owner_; }
  [[nodiscard]] mailbox::outbox_set& outboxes() noexcept { return outboxes_; }
  [[nodiscard]] mailbox::chunk_store& chunks() noexcept { return chunks_; }
  // Publishes what was sent to other shards.
  void flush();
  [[nodiscard]] const shard_numbers& homes() const noexcept { return homes_; }
  // The shard for the next thing created here: round over homes.
  [[nodiscard]] std::uint32_t next_shard() noexcept { return homes_.at(next_home_++); }

 protected:
  ~desk() = default;

  dispatcher* const owner_;
  const unsigned index_;
  mailbox::chunk_store chunks_;
  mailbox::outbox_set outboxes_;

 private:
  const bool is_blocking_;
  const shard_numbers homes_;
  std::size_t next_home_ = 0;
};

}  // namespace tact::dispatch
