// The mailbox that all actors of an engine share: its shards, and the offices through which workers send to them.
#pragma once

#include <cstdint>
#include <memory>
#include <mutex>
#include <span>
#include <vector>

#include "dispatch/exchange/publish.hpp"
#include "mailbox/depot.hpp"
#include "mailbox/office.hpp"
#include "mailbox/outbox_set.hpp"
#include "mailbox/shard.hpp"
#include "sync/mutex.hpp"

namespace tact::dispatch {

// How many shards of each kind, and how many places for helpers. Shards are numbered in this order: the ordinary ones,
// those reserved for heavy actors, then one for each blocking actor that there may be at a time.
struct extent {
  unsigned shards;
  unsigned heavy_shards = 0;
  unsigned blocking_max = 0;
  unsigned helpers_max = 0;
};

// Invariant: its shards and offices, their numbers, and the office of each shard are made once and stay. Thread safety:
// any thread; what a shard and an office allow is said there. Protocol page: docs/protocols/office.md.
class communal_mailbox {
 public:
  // One office for each worker that there may be. `bind`: says where the pages of chunks lie.
  communal_mailbox(extent size, unsigned workers, base::page_binder bind = nullptr);
  communal_mailbox(const communal_mailbox&) = delete;
  communal_mailbox& operator=(const communal_mailbox&) = delete;

  [[nodiscard]] mailbox::shard& shard_at(std::uint32_t number) noexcept { return *shards_[number]; }
  [[nodiscard]] const mailbox::shard& shard_at(std::uint32_t number) const noexcept { return *shards_[number]; }
  [[nodiscard]] const std::vector<std::unique_ptr<mailbox::shard>>& shards() const noexcept { return shards_; }
  [[nodiscard]] std::uint32_t ordinary_shards() const noexcept { return size_.shards; }
  [[nodiscard]] bool is_ordinary(std::uint32_t shard) const noexcept { return shard < size_.shards; }
  [[nodiscard]] std::uint32_t first_blocking() const noexcept { return first_blocking_; }
  [[nodiscard]] bool is_blocking(std::uint32_t shard) const noexcept { return shard >= first_blocking_; }

  // The number of the outbox into which a worker puts what it sends to this shard: that of the shard's office; or, for
  // a shard that is reserved for one actor, its own. The numbers of offices follow those of all shards.
  [[nodiscard]] std::uint32_t outbox_for(std::uint32_t shard) const noexcept { return outbox_for_[shard]; }
  [[nodiscard]] std::span<const std::uint32_t> outbox_of_each() const noexcept { return outbox_for_; }
  [[nodiscard]] std::uint32_t outboxes() const noexcept {
    return static_cast<std::uint32_t>(shards_.size() + offices_.size());
  }
  [[nodiscard]] bool is_office(std::uint32_t outbox) const noexcept { return outbox >= shards_.size(); }
  [[nodiscard]] mailbox::office& office_at(std::uint32_t index) noexcept { return *offices_[index]; }
  [[nodiscard]] const std::vector<std::unique_ptr<mailbox::office>>& offices() const noexcept { return offices_; }
  [[nodiscard]] mailbox::office& office_of_outbox(std::uint32_t outbox) noexcept {
    return *offices_[outbox - shards_.size()];
  }
  // The outbox of the first office that this worker looks at.
  [[nodiscard]] std::uint32_t outbox_to_worker(unsigned worker) const noexcept {
    return static_cast<std::uint32_t>(shards_.size() + worker);
  }

  // Pushes these messages to the word of the outbox's office or shard.
  published publish(std::uint32_t outbox, mailbox::copy_queue::chain messages) noexcept;
  // Adds what these outboxes count as published to the shards' own counts, and gives the outboxes' memory back to the
  // system.
  void take_counts(mailbox::outbox_set& outboxes) noexcept;
  // The number of messages in a shard that no holder has taken yet. `published(number)` adds up what all outboxes have
  // published to the shard since take_counts was last called with each; no such call runs meanwhile. Exact while no
  // thread sends.
  template <class Published>
  [[nodiscard]] std::uint64_t depth(std::uint32_t shard, Published published) const noexcept;

  // -- messages from threads outside
  // From now on no message comes in.
  void close() noexcept;
  // As close, in a process that was forked from the one in which the mailbox lives.
  void leave_behind() noexcept;
  // The number of messages that came in.
  [[nodiscard]] std::uint64_t sent_outside() const noexcept;
  [[nodiscard]] const mailbox::depot& spare_chunks() const noexcept { return depot_; }
  [[nodiscard]] mailbox::depot& spare_chunks() noexcept { return depot_; }

 private:
  void make_offices(unsigned workers);

  const extent size_;
  const std::uint32_t first_blocking_;
  mailbox::depot depot_;
  std::vector<std::unique_ptr<mailbox::shard>> shards_;
  std::vector<std::unique_ptr<mailbox::office>> offices_;
  std::vector<std::uint32_t> outbox_for_;  // by shard
  mutable sync::mutex counts_mutex_;       // guards `counted` of each shard
};

template <class Published>
std::uint64_t communal_mailbox::depth(std::uint32_t number, Published published) const noexcept {
  const mailbox::shard& s = shard_at(number);
  const std::lock_guard lock(counts_mutex_);
  const std::uint64_t out = s.taken.read();
  const std::uint64_t in = s.outside.sent() + s.counted + published(number);
  return in > out ? in - out : 0;  // while the engine runs, these are read at different moments
}

}  // namespace tact::dispatch
