// A message in a queue: one to three slots of 32 bytes.
#pragma once

#include <cstddef>
#include <cstdint>
#include <cstring>
#include <new>

#include "tact/detail/core.hpp"

namespace tact::mailbox {

inline constexpr std::size_t slot_bytes = detail::message_type::slot_bytes;

// header = message_type | slots | flags | collisions; then the target's port, then the payload.
// Thread safety: none; an envelope is private to whoever holds its queue.
class alignas(slot_bytes) envelope {
 public:
  envelope(const detail::message_type& type, detail::port target) noexcept : header_(type.header()), target_(target) {}

  [[nodiscard]] const detail::message_type& type() const noexcept {
    return *reinterpret_cast<const detail::message_type*>(static_cast<std::uintptr_t>(header_ & type_mask));
  }
  [[nodiscard]] detail::port target() const noexcept { return target_; }
  [[nodiscard]] unsigned slots() const noexcept {
    return static_cast<unsigned>(header_ >> detail::message_type::slots_shift) & 3u;
  }
  // Where the next one begins.
  [[nodiscard]] envelope* after() noexcept { return this + slots(); }
  [[nodiscard]] void* payload() noexcept { return payload_; }
  // The one whose payload that is.
  [[nodiscard]] static envelope& of(void* payload) noexcept {
    return *std::launder(reinterpret_cast<envelope*>(static_cast<std::byte*>(payload) - head_bytes));
  }
  // The message itself, behind the box or reference if there is one.
  [[nodiscard]] void* message() noexcept {
    return (header_ & indirect_bit) != 0 ? *std::launder(reinterpret_cast<void**>(payload_)) : payload_;
  }

  // One slot, its payload inline with nothing to be ended, sent by a user and never forwarded: nearly every message.
  [[nodiscard]] bool is_plain() const noexcept { return header_ >> detail::message_type::slots_shift == 1; }
  // A failure notice or a pill, which the core handles itself.
  [[nodiscard]] bool is_special() const noexcept { return (header_ & special_bit) != 0; }
  [[nodiscard]] bool is_forwarded() const noexcept { return (header_ & forwarded_bit) != 0; }
  void mark_forwarded() noexcept { header_ |= forwarded_bit; }
  [[nodiscard]] unsigned collisions() const noexcept { return static_cast<unsigned>(header_ >> collisions_shift) & 7u; }
  void add_collision() noexcept { header_ += std::uint64_t{1} << collisions_shift; }

  // Ends the payload; the envelope's slots may be reused.
  [[nodiscard]] bool needs_end() const noexcept { return (header_ & destroy_bit) != 0; }
  void destroy(bool handled) noexcept {
    if (needs_end()) type().destroy(payload_, handled);
  }
  // Moves the whole envelope to `to`, which has as many slots, and ends this one.
  void relocate(void* to) noexcept {
    auto* moved = new (to) envelope(*this);
    move_payload(*moved);
  }
  // In two steps, between which nothing has happened: `to`, of the same type, gets this envelope's payload if it is
  // handed over. Until then there is nothing in it that could be ended.
  void promise(envelope& to) const noexcept {
    to.header_ &= ~destroy_bit;
    if (type().relocate == nullptr) std::memcpy(to.payload_, payload_, type().payload_bytes);
  }
  void hand_over(envelope& to) noexcept {
    move_payload(to);
    to.header_ |= header_ & destroy_bit;
    header_ &= ~destroy_bit;
  }

 private:
  envelope(const envelope& other) noexcept : header_(other.header_), target_(other.target_) {}
  void move_payload(envelope& to) noexcept {
    if (type().relocate != nullptr) {
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
  static constexpr unsigned collisions_shift = 56;

  std::uint64_t header_;
  detail::port target_;
  std::byte payload_[slot_bytes - head_bytes];  // the first bytes; the rest lies in the slots that follow
};
static_assert(sizeof(envelope) == slot_bytes);

}  // namespace tact::mailbox
