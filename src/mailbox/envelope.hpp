// A message in a queue: one to three slots of 32 bytes, or one that points to an out-of-line body.
#pragma once

#include <cstddef>
#include <cstdint>
#include <cstring>
#include <new>

#include "mailbox/out_of_line_body.hpp"
#include "tact/detail/core.hpp"

namespace tact::mailbox {

inline constexpr std::size_t slot_bytes = detail::message_type::slot_bytes;

// header = message_type | slots | flags | collisions | attempts; then the target's port, then the payload.
// Thread safety: none; an envelope is private to the holder of its queue.
class alignas(slot_bytes) envelope {
 public:
  envelope(const detail::message_type& type, detail::port target) noexcept : header_(type.header()), target_(target) {}

  // Takes the body over, with the payload that is or will be in it.
  envelope(const detail::message_type& type, detail::port target, out_of_line_body& p) noexcept
      : header_((type.header() & ~slots_mask) | one_slot | out_of_line_bit | destroy_bit | p.admissions()),
        target_(target) {
    ::new (payload_) out_of_line_body*(&p);
  }

  [[nodiscard]] const detail::message_type& type() const noexcept {
    return *reinterpret_cast<const detail::message_type*>(static_cast<std::uintptr_t>(header_ & type_mask));
  }
  [[nodiscard]] detail::port target() const noexcept { return target_; }
  [[nodiscard]] unsigned slots() const noexcept {
    return static_cast<unsigned>(header_ >> detail::message_type::slots_shift) & 3u;
  }
  // Where the next envelope begins.
  [[nodiscard]] envelope* after() noexcept { return this + slots(); }
  [[nodiscard]] void* payload() noexcept { return is_out_of_line() ? out_of_line().payload : payload_; }
  // The payload of a plain envelope (see is_plain).
  [[nodiscard]] void* plain_payload() noexcept { return payload_; }
  // The message itself, behind the box or reference if there is one.
  [[nodiscard]] void* message() noexcept {
    void* const p = payload();
    return (header_ & indirect_bit) != 0 ? *std::launder(static_cast<void**>(p)) : p;
  }
  // True: the payload lies in an out-of-line body.
  [[nodiscard]] bool is_out_of_line() const noexcept { return (header_ & out_of_line_bit) != 0; }
  // REQUIRES: is_out_of_line().
  [[nodiscard]] out_of_line_body& out_of_line() noexcept {
    return **std::launder(reinterpret_cast<out_of_line_body**>(payload_));
  }
  // The number by which the message is recorded; 0: it is not.
  [[nodiscard]] std::uint64_t id() noexcept { return is_out_of_line() ? out_of_line().id() : 0; }
  // Frees the out-of-line body, if there is one. REQUIRES: the payload has been ended, or has moved away.
  void free_out_of_line() noexcept {
    if (is_out_of_line()) out_of_line_body::end(out_of_line());
  }

  // Admissions say where it is counted that this message waits: in the mailbox of its target (in_mailbox), among
  // those that threads outside have brought (brought), or in both places.
  static constexpr std::uint64_t in_mailbox = std::uint64_t{1} << detail::trace_id_bits;
  static constexpr std::uint64_t brought = std::uint64_t{1} << 59;
  [[nodiscard]] std::uint64_t admissions() const noexcept { return header_ & admissions_mask; }
  void admit(std::uint64_t admissions) noexcept { header_ |= admissions; }
  void forget_admissions() noexcept {
    header_ &= ~admissions_mask;
    if (is_out_of_line()) out_of_line().admit(0);
  }
  // True: it is out of line, or has admissions.
  [[nodiscard]] bool is_laden() const noexcept { return (header_ & (out_of_line_bit | admissions_mask)) != 0; }

  // True for nearly every message: it has one slot and an inline payload that nothing must end, a user sent it, it was
  // never forwarded, never collided and never failed, and it is not laden.
  [[nodiscard]] bool is_plain() const noexcept { return header_ >> detail::message_type::slots_shift == 1; }
  // True: it is a failure notice or a pill, which the core handles itself.
  [[nodiscard]] bool is_special() const noexcept { return (header_ & special_bit) != 0; }
  [[nodiscard]] bool is_forwarded() const noexcept { return (header_ & forwarded_bit) != 0; }
  void set_forwarded() noexcept { header_ |= forwarded_bit; }
  [[nodiscard]] unsigned collisions() const noexcept { return static_cast<unsigned>(header_ >> collisions_shift) & 7u; }
  void add_collision() noexcept { header_ += std::uint64_t{1} << collisions_shift; }
  // How often the message was handled in vain, and is to be handled again.
  [[nodiscard]] unsigned attempts() const noexcept { return static_cast<unsigned>(header_ >> attempts_shift); }
  // REQUIRES: fewer than attempts_max.
  void add_attempt() noexcept { header_ += std::uint64_t{1} << attempts_shift; }
  static constexpr unsigned attempts_max = 15;

  // True: the payload must be ended.
  [[nodiscard]] bool needs_end() const noexcept { return (header_ & destroy_bit) != 0; }
  // End the payload of a message that was handled, or of one that was not; from then on the envelope's slots may be
  // reused.
  void end_handled() noexcept { destroy(true); }
  void end_unhandled() noexcept { destroy(false); }
  // Moves the whole envelope to `to`, which has as many slots, and ends this one.
  void relocate(void* to) noexcept {
    auto* moved = new (to) envelope(*this);
    move_payload(*moved);
  }
  // Move the envelope in two steps, so that it can be dropped between them. `promise` makes an envelope at `to`, which
  // has as many slots; `hand_over` moves the payload there. Until then there is nothing in the new envelope that must
  // be ended.
  [[nodiscard]] envelope& promise(void* to, detail::port target) noexcept {
    auto& e = is_out_of_line() ? *new (to) envelope(type(), target, out_of_line()) : *new (to) envelope(type(), target);
    e.header_ &= ~destroy_bit;
    if (!is_out_of_line() && type().relocate == nullptr) std::memcpy(e.payload_, payload_, type().payload_bytes);
    return e;
  }
  // Moves the payload to `to`, where there is room for it. REQUIRES: it does not lie out of line.
  void give_payload(void* to) noexcept {
    type().relocate != nullptr ? type().relocate(payload_, to) : void(std::memcpy(to, payload_, type().payload_bytes));
  }
  void hand_over(envelope& to) noexcept {
    move_payload(to);
    to.header_ |= header_ & destroy_bit;
    header_ &= ~destroy_bit;
  }

 private:
  void destroy(bool handled) noexcept {
    if (!needs_end()) return;
    if (type().destroy != nullptr) type().destroy(payload(), handled);
    free_out_of_line();
  }
  envelope(const envelope& other) noexcept : header_(other.header_), target_(other.target_) {}
  void move_payload(envelope& to) noexcept {
    if (is_out_of_line()) {
      ::new (to.payload_) out_of_line_body*(&out_of_line());
    } else if (type().relocate != nullptr) {
      type().relocate(payload_, to.payload_);
    } else {
      std::memcpy(to.payload_, payload_, type().payload_bytes);
    }
  }

  static constexpr std::size_t head_bytes = detail::message_type::head_bytes;
  static constexpr std::uint64_t type_mask = (std::uint64_t{1} << detail::message_type::slots_shift) - 1;
  static constexpr std::uint64_t indirect_bit = detail::message_type::indirect_bit;
  static constexpr std::uint64_t destroy_bit = detail::message_type::destroy_bit;
  static constexpr std::uint64_t special_bit = detail::message_type::special_bit;
  static constexpr std::uint64_t forwarded_bit = std::uint64_t{1} << 52;
  static constexpr std::uint64_t out_of_line_bit = std::uint64_t{1} << 54;
  static constexpr std::uint64_t admissions_mask = in_mailbox | brought;
  static constexpr std::uint64_t one_slot = std::uint64_t{1} << detail::message_type::slots_shift;
  static constexpr std::uint64_t slots_mask = std::uint64_t{3} << detail::message_type::slots_shift;
  static constexpr unsigned collisions_shift = 56;
  static constexpr unsigned attempts_shift = 60;

  std::uint64_t header_;
  detail::port target_;
  std::byte payload_[slot_bytes - head_bytes];  // the first bytes; the rest lies in the slots that follow
};
static_assert(sizeof(envelope) == slot_bytes);

}  // namespace tact::mailbox
