#include "inspect/thread_steps.hpp"

#include <algorithm>
#include <cstring>

#include "inspect/packed_event.hpp"

namespace tact::inspect {

using detail::trace_note;
using detail::trace_step;

namespace {

// Readers lose at most so many events that are whole, because the writer has said that they will be overwritten: a
// thirtieth of the smallest ring. From 8 to 4096 a write takes the same time: docs/inspect/recorder.md.
constexpr std::size_t block = 64;

}  // namespace

thread_steps::thread_steps(std::size_t events, type_names& names) : types_(names), ring_(events, block) {}

void thread_steps::write(const trace_note& n, std::uint64_t id, std::uint64_t ticks) noexcept {
  const std::uint32_t of_actor =
      n.step == trace_step::unserved ? std::uint32_t{n.reason} : types_.number_of(n.actor_type);
  if (n.step == trace_step::marked) [[unlikely]] {
    const auto text = n.text.substr(0, packed_event::text_max);
    ring_.write(packed_event::pack(n, id, ticks, static_cast<std::uint32_t>(text.size()), of_actor));
    return write_text(text);
  }
  ring_.write(packed_event::pack(n, id, ticks, types_.number_of(n.message), of_actor));
}

void thread_steps::write_text(std::string_view text) noexcept {
  for (std::size_t at = 0; at < text.size(); at += packed_event::text_bytes) {
    std::uint64_t bytes[3] = {};
    std::memcpy(bytes, text.data() + at, std::min<std::size_t>(packed_event::text_bytes, text.size() - at));
    ring_.write(packed_event::pack_text(bytes));
  }
}

}  // namespace tact::inspect
