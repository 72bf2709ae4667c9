// tact::message: base of messages that are sent by reference, preallocated, reused, and in several queues at once.
#include "tact/detail/begin.hpp"  // first
#pragma once

#include <concepts>
#include <string_view>
#include <type_traits>

#include "tact/allocation.hpp"
#include "tact/detail/message_state.hpp"

namespace tact {
namespace detail {
struct message_queues;
}

// An lvalue of a type derived from `message` is sent by reference: nothing is copied, and the object must live until it
// was handled. An rvalue or a const object is sent by value, like any other type. When a handler of the message has
// returned, or the message became a dead letter, its allocation state decides: nodelete and finished leave it alone,
// delete_ deletes it, destroy runs its destructor. A run that did not commit leaves it alone.
// Thread safety: any thread may set the allocation state. A user who sends one message to several actors that change
// its other members must synchronise these changes. With delete_ and destroy the message must be in one queue only. A
// debug build ends the program, and says why, when such a message is in another queue too; and when a message is
// deleted twice, deleted while it is in a queue, or, with these two states, never sent at all. Source of the idea: the
// messages of C∀ actors.
class message {
 public:
  // Sets what happens to the message after the next handling. A message starts as nodelete.
  void set_allocation(allocation state) noexcept { state_.set_after(state); }
  // What happens to the message after the next handling.
  [[nodiscard]] allocation state() const noexcept { return state_.after(); }

 protected:
  explicit message(allocation state = allocation::nodelete) noexcept : state_(state) {}
  // Copies the allocation state; the copy is in no queue.
  message(const message& other) noexcept : state_(other.state()) {
    other.state_.note_copied();
    state_.note_copied();
  }
  message& operator=(const message& other) noexcept {
    set_allocation(other.state());
    return *this;
  }
  ~message() = default;

 private:
  friend struct detail::message_queues;
  detail::message_state state_;
};

namespace detail {

struct message_queues {
  // `type` is the name of the message type, a constant.
  static void enter(message& m, const std::string_view& type) noexcept { m.state_.enter_queue(type); }
  static void leave(message& m) noexcept { m.state_.leave_queue(); }
};

template <class Arg>
inline constexpr bool sent_by_reference = false;
template <class Arg>
inline constexpr bool sent_by_reference<Arg&> = std::derived_from<Arg, message>;
template <class Arg>
inline constexpr bool sent_by_reference<const Arg&> = false;

}  // namespace detail
}  // namespace tact

#include "tact/detail/end.hpp"  // last
