// Where threads outside the engine put messages for a shard: a copy queue behind a lock, taken whole by a gulp.
#pragma once

#include <cstdint>
#include <utility>

#include "mailbox/copy_queue.hpp"
#include "sync/lock.hpp"
#include "sync/owned_counter.hpp"
#include "sync/policy.hpp"

namespace tact::mailbox {

// A sender outside has no chunk of its own to fill and no later moment at which to publish it, so each message is
// visible at once. Messages come in the order in which the lock was taken, so those of one sender stay in order. Thread
// safety: any thread.
class inbox {
 public:
  static constexpr std::uint32_t slow_ns = 20'000;  // a handler that takes this long is worth waking a worker for

  enum class entry : unsigned char {
    refused,  // the inbox is closed; the payload was not touched
    first,    // it was empty: the caller posts mail to the shard's word
    later,
  };
  struct receipt {
    entry how;
    std::uint64_t behind_ns;  // how long it would take to run all that waits here, at the pace of the last holder
  };

  // Moves the payload in, and counts the message as sent. If `with_context` is given, takes over that body instead,
  // in which `payload` lies. REQUIRES: 16 bytes or more can be read at `payload`.
  [[nodiscard]] receipt put(const detail::message_type& type, detail::port target, void* payload, depot& spare,
                            out_of_line_body* with_context = nullptr) {
    const inside in(lock_);
    if (closed_) [[unlikely]]
      return {entry::refused, 0};
    const unsigned slots = with_context == nullptr ? type.slot_count() : 1;
    void* const place = queue_.reserve(slots, spare);
    auto* e = with_context == nullptr ? new (place) envelope(type, target)
                                      : new (place) envelope(type, target, *with_context);
    if (with_context != nullptr) [[unlikely]] {
      // The payload stays in the body.
    } else if (type.relocate != nullptr) {
      type.relocate(payload, e->payload());
    } else if (slots == 1) {
      std::memcpy(e->payload(), payload, slot_bytes - detail::message_type::head_bytes);
    } else {
      std::memcpy(e->payload(), payload, type.payload_bytes);
    }
    // Counted before the lock is left, hence before any thread can count it as done. See docs/protocols/quiet.md.
    sent_.add(1);
    ++waiting_;
    return {waiting_ == 1 ? entry::first : entry::later, waiting_ * ns_per_message_};
  }

  // Takes everything, oldest chunk first, and leaves `spare`, which may be null, for what comes next. The holder keeps
  // the chunks that it drains, and leaves one here each time; so a steady load needs no new ones.
  [[nodiscard]] chunk* take(chunk* spare, std::uint32_t ns_per_message) noexcept {
    const inside in(lock_);
    chunk* all = queue_.take().oldest;
    queue_.equip(spare);
    waiting_ = 0;
    ns_per_message_ = ns_per_message;
    return all;
  }

  // Takes the spare chunk back if nothing has come since it was left here; else returns null.
  [[nodiscard]] chunk* take_spare() noexcept {
    const inside in(lock_);
    return waiting_ == 0 ? queue_.take().oldest : nullptr;
  }

  // Refuses everything from now on. On return `sent` has its last value.
  void close() noexcept {
    const inside in(lock_);
    closed_ = true;
  }

  // As close, in a child process after a fork: a thread that was inside does not exist there.
  void leave_behind() noexcept {
    lock_.leave_behind();
    closed_ = true;
  }

  // The number of messages that came in. A look for quiet reads it after every `done`.
  [[nodiscard]] std::uint64_t sent() const noexcept { return sent_.read(); }

 private:
  using inside = sync::locked<sync::lock<sync::real>>;

  // What a put touches lies in one line. Besides, it touches the message's own line, but not the head of the chunk:
  // that was written last by the thread that took messages here.
  sync::lock<sync::real> lock_;
  std::uint32_t ns_per_message_ = slow_ns;  // until it is measured
  std::uint64_t waiting_ = 0;
  sync::owned_counter sent_;  // owner: the thread that has the lock
  bool closed_ = false;
  copy_queue queue_;
};

}  // namespace tact::mailbox
