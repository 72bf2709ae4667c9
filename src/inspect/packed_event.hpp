// How a step lies in four words.
#pragma once

#include <cstdint>

#include "inspect/event_ring.hpp"
#include "tact/detail/trace_sink.hpp"

namespace tact::inspect {

// word 0   when, in ticks
// word 1   the number of the message, then 5 bits for the step and 4 for the outcome
// word 2   the actor
// word 3   the numbers of the message type and of the actor type; for an unserved message the reason is in the place of
//          the actor type; for a text its length
// A text follows in events of its own, each with 24 bytes of it in words 0, 2 and 3.
struct packed_event {
  static constexpr unsigned step_shift = detail::trace_id_bits;
  static constexpr unsigned outcome_shift = step_shift + 5;
  static constexpr std::uint64_t id_mask = (std::uint64_t{1} << step_shift) - 1;
  static constexpr unsigned part_of_text = 31;  // the step of an event that holds a part of a text
  static constexpr unsigned text_bytes = 24;    // in each of them
  static constexpr unsigned text_max = 10 * text_bytes;

  // `id`: in the place of that of the note.
  [[nodiscard]] static event_words pack(const detail::trace_note& n, std::uint64_t id, std::uint64_t ticks,
                                        std::uint32_t message_type, std::uint32_t actor_type) noexcept {
    return {ticks,
            id | std::uint64_t{static_cast<unsigned char>(n.step)} << step_shift |
                std::uint64_t{static_cast<unsigned char>(n.outcome)} << outcome_shift,
            n.actor, std::uint64_t{actor_type} << 32 | message_type};
  }
  [[nodiscard]] static event_words pack(const detail::trace_note& n, std::uint64_t ticks, std::uint32_t message_type,
                                        std::uint32_t actor_type) noexcept {
    return pack(n, n.id, ticks, message_type, actor_type);
  }
  [[nodiscard]] static event_words pack_text(const std::uint64_t (&bytes)[3]) noexcept {
    return {bytes[0], std::uint64_t{part_of_text} << step_shift, bytes[1], bytes[2]};
  }

  [[nodiscard]] static std::uint64_t ticks(const event_words& e) noexcept { return e[0]; }
  [[nodiscard]] static std::uint64_t id(const event_words& e) noexcept { return e[1] & id_mask; }
  [[nodiscard]] static unsigned step(const event_words& e) noexcept {
    return static_cast<unsigned>(e[1] >> step_shift) & 31U;
  }
  [[nodiscard]] static unsigned outcome(const event_words& e) noexcept {
    return static_cast<unsigned>(e[1] >> outcome_shift);
  }
  [[nodiscard]] static std::uint64_t actor(const event_words& e) noexcept { return e[2]; }
  [[nodiscard]] static std::uint32_t message_type(const event_words& e) noexcept {
    return static_cast<std::uint32_t>(e[3]);
  }
  [[nodiscard]] static std::uint32_t actor_type(const event_words& e) noexcept {
    return static_cast<std::uint32_t>(e[3] >> 32);
  }
};
static_assert(packed_event::outcome_shift + 4 == 64);

}  // namespace tact::inspect
