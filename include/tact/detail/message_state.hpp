// The state of a message that can be sent by reference: what becomes of it, and how many queues it is in.
#pragma once

#include <atomic>
#include <cstdint>
#include <cstdio>
#include <cstdlib>

#include "tact/allocation.hpp"

namespace tact::detail {

// Thread safety: any thread may call anything at any time.
class message_state {
 public:
  explicit message_state(allocation after) noexcept : after_(after) {}
  message_state(const message_state&) = delete;
  message_state& operator=(const message_state&) = delete;
  ~message_state() {
#ifndef NDEBUG
    if (queues_ == 0) return;
    std::fputs("tact::message: a message is deleted that is still in another queue; deleted twice?\n", stderr);
    std::abort();
#endif
  }

  [[nodiscard]] allocation after() const noexcept { return after_; }
  void set_after(allocation state) noexcept { after_ = state; }

  void enter_queue() noexcept { ++queues_; }
  void leave_queue() noexcept { --queues_; }

 private:
  std::atomic<std::uint32_t> queues_{0};  // sends by reference that were not handled yet
  std::atomic<allocation> after_;
};

}  // namespace tact::detail
