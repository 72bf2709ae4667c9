// What one worker has sent to shards that it does not hold, until it is published.
#pragma once

#include <cstddef>
#include <cstdint>
#include <vector>

#include "mailbox/copy_queue.hpp"
#include "sync/owned_counter.hpp"

namespace tact::mailbox {

// One outbox per shard; the open ones are listed. Thread safety: owner only, except published().
class outbox_set {
 public:
  struct outbox {
    copy_queue queue;
    sync::owned_counter published;  // messages, to the word of the shard; read by anybody
    bool open = false;
    // For the journal: the run that wrote here last, and where the queue ended before it did.
    std::uint64_t run = 0;
    copy_queue::mark before;
  };

  explicit outbox_set(std::uint32_t shards) : boxes_(shards) { open_.reserve(shards); }

  // The outbox for a shard, listed as open from now on.
  [[nodiscard]] outbox& open(std::uint32_t shard) {
    outbox& box = boxes_[shard];
    if (!box.open) [[unlikely]] {
      box.open = true;
      open_.push_back(shard);
    }
    return box;
  }
  [[nodiscard]] std::uint64_t published(std::uint32_t shard) const noexcept { return boxes_[shard].published.read(); }
  // The same, open or not.
  [[nodiscard]] outbox& at(std::uint32_t shard) noexcept { return boxes_[shard]; }
  [[nodiscard]] std::size_t size() const noexcept { return boxes_.size(); }
  [[nodiscard]] bool is_open(std::uint32_t shard) const noexcept { return boxes_[shard].open; }
  [[nodiscard]] bool nothing_open() const noexcept { return open_.empty(); }
  [[nodiscard]] std::size_t count_open() const noexcept { return open_.size(); }

  // Of all that are open.
  [[nodiscard]] std::size_t slots_waiting() const noexcept {
    std::size_t slots = 0;
    for (const std::uint32_t number : open_) slots += boxes_[number].queue.slots_waiting();
    return slots;
  }
  [[nodiscard]] const std::vector<std::uint32_t>& all_open() const noexcept { return open_; }

  // Calls take(shard number, outbox) for every open outbox, and closes those for which it says that it has taken what
  // was in the queue.
  template <class Take>
  void take_some(Take take) {
    std::erase_if(open_, [&](std::uint32_t number) {
      outbox& box = boxes_[number];
      if (!take(number, box)) return false;
      box.open = false;
      return true;
    });
  }

  // Empties every open outbox: calls publish(shard number, outbox) for those that have messages; it takes what is in
  // the queue.
  template <class Publish>
  void flush(Publish publish) {
    for (const std::uint32_t number : open_) {
      outbox& box = boxes_[number];
      box.open = false;
      if (box.queue.empty()) continue;  // an aborted run was the only one that wrote here; the chunk stays
      publish(number, box);
    }
    open_.clear();
  }

  // The shard whose outbox was opened last. REQUIRES: some are open.
  [[nodiscard]] std::uint32_t last_open() const noexcept { return open_.back(); }
  [[nodiscard]] const copy_queue& last() const noexcept { return boxes_[open_.back()].queue; }
  [[nodiscard]] bool last_is_empty() const noexcept { return last().empty(); }
  // Takes its messages out instead of publishing them.
  [[nodiscard]] copy_queue::chain take_last() noexcept {
    outbox& box = boxes_[open_.back()];
    box.open = false;
    open_.pop_back();
    return box.queue.take();
  }

 private:
  std::vector<outbox> boxes_;
  std::vector<std::uint32_t> open_;
};

}  // namespace tact::mailbox
