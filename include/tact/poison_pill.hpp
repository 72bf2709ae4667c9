// tact::poison_pill: the message that ends the actor to which it is sent.
#include "tact/detail/begin.hpp"  // first
#pragma once

#include <string>
#include <string_view>
#include <utility>

#include "tact/allocation.hpp"

namespace tact {

namespace detail {

// A text that most objects do not have. It costs a pointer, and an object without one can be a constant.
class rare_text {
 public:
  constexpr rare_text() noexcept = default;
  explicit rare_text(std::string text) : text_(text.empty() ? nullptr : new std::string(std::move(text))) {}
  constexpr rare_text(const rare_text& other) : text_(other.text_ == nullptr ? nullptr : copy_of(*other.text_)) {}
  constexpr rare_text(rare_text&& other) noexcept : text_(std::exchange(other.text_, nullptr)) {}
  constexpr rare_text& operator=(rare_text other) noexcept {
    std::swap(text_, other.text_);
    return *this;
  }
  constexpr ~rare_text() {
    if (text_ != nullptr) end();
  }

  // Null: there is none.
  [[nodiscard]] constexpr const std::string* get() const noexcept { return text_; }

 private:
  static std::string* copy_of(const std::string& text) { return new std::string(text); }
  void end() noexcept { delete text_; }

  std::string* text_ = nullptr;
};

}  // namespace detail

// Ends an actor from outside: the engine does that, and no handler is written for it. A pill queues like a message.
// What the same sender sent before it is handled first, and what is handled behind it finds an actor that has ended,
// and becomes a dead letter. No limit refuses or drops it. For a parallel actor, to which no order is promised, what
// was sent before may come too late as well. docs/ends.md.
//
// The right to send it belongs to the ref: a full ref of a classic actor has it, and so has a ref whose protocol lists
// the pill, as in `struct account : tact::protocol<deposit, tact::poison_pill> {}`. A ref that is narrowed to a
// protocol without the pill, or to another message, cannot end its actor. Source of the idea: C∀.
struct poison_pill {
  allocation how = allocation::nodelete;  // what becomes of the object of an attached classic actor
  detail::rare_text reason{};             // see because

  // The same pill with a reason: `engine.send(a, tact::finished_msg.because("the shop has closed"))`. Monitors hear it
  // in tact::ended. It is also in the tact::failure and the dead letters of later requests and messages, as long as the
  // engine knows it: see docs/ends.md. Throws std::bad_alloc.
  [[nodiscard]] poison_pill because(std::string why) const { return {how, detail::rare_text(std::move(why))}; }
};
inline constexpr poison_pill finished_msg{allocation::finished};
inline constexpr poison_pill delete_msg{allocation::delete_};
inline constexpr poison_pill destroy_msg{allocation::destroy};

}  // namespace tact

#include "tact/detail/end.hpp"  // last
