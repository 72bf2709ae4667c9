// What one worker has sent to shards that it does not hold, until it is published.
#pragma once

#include <cstddef>
#include <cstdint>
#include <vector>

#include "mailbox/copy_queue.hpp"

namespace tact::mailbox {

// One outbox per shard; the open ones are listed. Thread safety: owner only.
class outbox_set {
 public:
  struct outbox {
    copy_queue queue;
    bool open = false;
    bool touched = false;  // the run that goes on has marked it; see transaction::journal
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
  [[nodiscard]] bool nothing_open() const noexcept { return open_.empty(); }
  [[nodiscard]] std::size_t count_open() const noexcept { return open_.size(); }

  // Empties every open outbox: calls publish(shard number, chain), oldest chunk first, for those that have messages.
  template <class Publish>
  void flush(Publish publish) {
    for (const std::uint32_t number : open_) {
      outbox& box = boxes_[number];
      box.open = false;
      if (box.queue.empty()) continue;  // an aborted run was the only one that wrote here; the chunk stays
      publish(number, box.queue.take());
    }
    open_.clear();
  }

 private:
  std::vector<outbox> boxes_;
  std::vector<std::uint32_t> open_;
};

}  // namespace tact::mailbox
