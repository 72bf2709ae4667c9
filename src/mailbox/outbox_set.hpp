// What one worker has sent to shards that it does not hold, until it is published.
#pragma once

#include <cstddef>
#include <cstdint>
#include <new>
#include <vector>

#include "base/sparse_array.hpp"
#include "mailbox/copy_queue.hpp"
#include "mailbox/open_chunk.hpp"
#include "sync/owned_counter.hpp"

namespace tact::mailbox {

// A set has one outbox for each office and each shard, and lists the open ones. Every worker has a set, and most
// outboxes are never used; so an outbox takes up memory only once it is opened. Until then zero memory stands for it:
// it is constructed when it is opened for the first time, and has no chunks while it is closed. Thread safety: owner
// only, except published().
class outbox_set {
 public:
  struct outbox {
    copy_queue queue;
    bool open = false;
    bool exists = false;  // it has been constructed; zero memory says no
    // The chunk that was published last, if more may be added to it; and since when.
    open_tail last;
    std::uint64_t since = 0;
  };

  explicit outbox_set(std::uint32_t shards) : boxes_(shards), published_(shards) { open_.reserve(shards); }
  outbox_set(const outbox_set&) = delete;
  outbox_set& operator=(const outbox_set&) = delete;
  ~outbox_set() {
    for (const std::uint32_t number : open_) boxes_[number].~outbox();
  }

  // Chunks that are open now stay as they are: nothing more is added to them. Called when a shard has come to this
  // worker from another thread. What the actors there have sent before may lie behind these chunks.
  void add_no_more() noexcept { ++stay_; }
  // The worker whose set this is; chunk::nobody: a thread that leaves no chunk open.
  void set_sender(unsigned worker) noexcept { sender_ = static_cast<std::uint16_t>(worker); }
  [[nodiscard]] bool leaves_open() const noexcept { return sender_ != chunk::nobody; }

  // Adds all that is in the outbox to the chunk that was published to the office last. False: it is not open any more,
  // or has no room.
  template <class Office>
  [[nodiscard]] bool add_to_last(Office& to, outbox& box, chunk_store& spare) noexcept;
  // Leaves the chunk open that is about to be pushed to the office alone, if it has room.
  template <class Office>
  void leave_open(Office& to, outbox& box, chunk& pushed) noexcept {
    auto& place = to.open[sender_];
    if (pushed.end() - pushed.filled < room_least || !place.is_closed()) return;
    box.last = place.open(pushed, sender_);
    box.since = stay_;
  }

  // The outbox for a shard or an office, listed as open from now on.
  [[nodiscard]] outbox& open(std::uint32_t shard) {
    outbox& box = boxes_[shard];
    if (!box.open) [[unlikely]]
      begin(box, shard);
    return box;
  }
  // The number of messages published to the word of the shard, or of the office, since the last `take_counts`. Any
  // thread may read it.
  [[nodiscard]] std::uint64_t published(std::uint32_t shard) const noexcept { return published_[shard].read(); }
  void count_published(std::uint32_t shard, std::uint64_t messages) noexcept { published_[shard].add(messages); }
  // Counts also the chunks that the messages filled, for `traffic`.
  void count_published(std::uint32_t shard, std::uint64_t messages, std::uint64_t chunks) noexcept {
    count_published(shard, messages);
    traffic_.messages.add(messages);
    traffic_.chunks.add(chunks);
  }
  // What was published in all. Any thread may read it.
  struct traffic {
    sync::owned_counter messages;
    sync::owned_counter chunks;
  };
  [[nodiscard]] const traffic& all_published() const noexcept { return traffic_; }
  // The outbox for a shard or an office, open or not.
  [[nodiscard]] outbox& at(std::uint32_t shard) noexcept { return boxes_[shard]; }
  [[nodiscard]] const outbox& at(std::uint32_t shard) const noexcept { return boxes_[shard]; }
  [[nodiscard]] std::size_t size() const noexcept { return boxes_.size(); }
  [[nodiscard]] bool is_open(std::uint32_t shard) const noexcept { return boxes_[shard].open; }
  [[nodiscard]] bool nothing_open() const noexcept { return open_.empty(); }
  [[nodiscard]] std::size_t count_open() const noexcept { return open_.size(); }

  // The slots that wait in all open outboxes.
  [[nodiscard]] std::size_t slots_waiting() const noexcept {
    std::size_t slots = 0;
    for (const std::uint32_t number : open_) slots += boxes_[number].queue.slots_waiting();
    return slots;
  }
  [[nodiscard]] const std::vector<std::uint32_t>& all_open() const noexcept { return open_; }

  // Closes every open outbox. Calls publish(shard number, outbox) for each that has messages, which takes all that is
  // in the queue.
  template <class Publish>
  void flush(chunk_store& spare, Publish publish) {
    for (const std::uint32_t number : open_) {
      outbox& box = boxes_[number];
      box.open = false;
      // The outbox is empty if an aborted run was the only one that wrote here.
      box.queue.empty() ? box.queue.recycle(spare) : publish(number, box);
    }
    open_.clear();
  }

  // True: an outbox was opened since the last `take_counts`.
  [[nodiscard]] bool was_used() const noexcept { return was_used_; }
  // Calls keep(shard number, messages) for each shard to which messages were published, and forgets these numbers. If
  // no outbox is open, gives the memory of all of them back to the system.
  template <class Keep>
  void take_counts(Keep keep) {
    for (std::uint32_t number = 0; number < published_.size(); ++number) {
      const std::uint64_t messages = published_[number].read();
      if (messages == 0) continue;
      keep(number, messages);
      published_[number].set(0);
    }
    if (!nothing_open()) return;
    published_.forget();
    boxes_.forget();
    was_used_ = false;
  }

 private:
  void begin(outbox& box, std::uint32_t shard) {
    if (!box.exists) {
      ::new (&box) outbox;
      box.exists = true;
      box.queue.will_be_published();
    }
    box.open = true;
    open_.push_back(shard);
    was_used_ = true;
  }

  static constexpr std::ptrdiff_t room_least = sizeof(chunk::slots) / 4;  // else a chunk is not left open

  base::sparse_array<outbox> boxes_;
  base::sparse_array<sync::owned_counter> published_;
  traffic traffic_;
  std::vector<std::uint32_t> open_;
  bool was_used_ = false;
  std::uint16_t sender_ = chunk::nobody;
  std::uint64_t stay_ = 1;
};

template <class Office>
bool outbox_set::add_to_last(Office& to, outbox& box, chunk_store& spare) noexcept {
  const auto bytes = static_cast<std::ptrdiff_t>(box.queue.slots_waiting() * slot_bytes);
  if (box.since != stay_ || box.queue.has_more_chunks() || !box.last.has_room(bytes)) return false;
  const copy_queue::chain all = box.queue.take();
  chunk& c = *all.oldest;
  c.find_only_target();
  chunk* back = nullptr;
  const bool is_added = to.open[sender_].add(box.last, c, back);
  if (is_added) {
    spare.give(&c);
  } else {
    box.queue.begin_with(all);
    if (back != nullptr) spare.give(back);
  }
  return is_added;
}

}  // namespace tact::mailbox
