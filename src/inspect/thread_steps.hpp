// Writes the steps of one thread into its ring.
#pragma once

#include <cstddef>
#include <cstdint>
#include <string_view>

#include "inspect/event_ring.hpp"
#include "inspect/type_names.hpp"
#include "sync/policy.hpp"
#include "tact/detail/trace_sink.hpp"

namespace tact::inspect {

// Thread safety: write by that thread; the ring may be read by any.
class thread_steps {
 public:
  using ring_type = event_ring<sync::real>;

  // Throws std::bad_alloc.
  thread_steps(std::size_t events, type_names& names);

  void write(const detail::trace_note& n, std::uint64_t ticks) noexcept { write(n, n.id, ticks); }
  // With this number of the message in the place of that of the note.
  void write(const detail::trace_note& n, std::uint64_t id, std::uint64_t ticks) noexcept;
  [[nodiscard]] const ring_type& ring() const noexcept { return ring_; }

 private:
  void write_text(std::string_view text) noexcept;

  recent_type_numbers types_;
  ring_type ring_;
};

}  // namespace tact::inspect
