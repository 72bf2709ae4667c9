// The state of a message that can be sent by reference: what becomes of it, and in how many queues it is.
#pragma once

#include <atomic>
#include <cstdint>
#include <cstdio>
#include <cstdlib>
#include <exception>
#include <string_view>

#include "tact/allocation.hpp"

namespace tact::detail {

// Debug builds end the program with a sentence when a message is deleted twice, deleted while it is in a queue, sent
// after it was deleted, or never sent although its allocation state says that the engine ends it. The layout is the
// same in other builds. Thread safety: any thread may call anything at any time.
class message_state {
 public:
  explicit message_state(allocation after) noexcept : after_(after) {}
  message_state(const message_state&) = delete;
  message_state& operator=(const message_state&) = delete;
  ~message_state() {
#ifndef NDEBUG
    check_alive("is deleted a second time");
    if (queues_ != 0) wrong("is deleted while it is in a queue: delete it after it was handled, and only once");
    const allocation after = after_;
    const bool is_the_engines = after == allocation::delete_ || after == allocation::destroy;
    // A program that gives up because of an exception need not send first.
    if (is_the_engines && !was_used_ && std::uncaught_exceptions() == 0) {
      wrong(
          after == allocation::delete_
              ? "is deleted without ever having been sent, although its allocation state is delete_: send it, and the "
                "engine deletes it; or leave the state nodelete until it is sent"
              : "ends without ever having been sent, although its allocation state is destroy: send it, and the "
                "engine runs its destructor; or leave the state nodelete until it is sent");
    }
    life_ = dead;
#endif
  }

  [[nodiscard]] allocation after() const noexcept { return after_; }
  void set_after(allocation state) noexcept { after_ = state; }
  // Notes that the message was copied. It may have been sent by value, so the engine need not end the original.
  void note_copied() const noexcept {
#ifndef NDEBUG
    was_used_ = true;
#endif
  }

  // `type` is the name of the message type, a constant.
  void enter_queue([[maybe_unused]] const std::string_view& type) noexcept {
#ifndef NDEBUG
    check_alive("is sent after it was deleted");
    type_ = &type;
    was_used_ = true;
#endif
    ++queues_;
  }
  void leave_queue() noexcept {
#ifndef NDEBUG
    check_alive("is handled after it was deleted; it must live until then");
#endif
    --queues_;
  }

 private:
  static constexpr std::uint16_t alive = 0xA11E;
  static constexpr std::uint16_t dead = 0xDEAD;

#ifndef NDEBUG
  void check_alive(const char* what) const noexcept {
    if (life_ == alive) return;
    if (life_ != dead) type_ = nullptr;  // its memory is used for something else by now
    wrong(what);
  }
  [[noreturn]] void wrong(const char* what) const noexcept {
    const std::string_view* type = type_;
    const int length = type == nullptr ? 0 : static_cast<int>(type->size());
    std::fprintf(stderr, "tact: a message%s%.*s %s\n", type == nullptr ? "" : " of type ", length,
                 type == nullptr ? "" : type->data(), what);
    std::abort();
  }
#endif

  std::atomic<std::uint32_t> queues_{0};  // how many sends by reference were not handled yet
  std::atomic<allocation> after_;
  mutable std::atomic<bool> was_used_{false};  // sent, by reference or by value
  std::atomic<std::uint16_t> life_{alive};
  mutable std::atomic<const std::string_view*> type_{nullptr};  // of the last send
};

}  // namespace tact::detail
