// A message that carries a context, is recorded, or comes from outside to a mailbox with a limit, lies apart from its
// queue.
#pragma once

#include <cstddef>
#include <cstdint>
#include <new>

#include "base/blocks.hpp"
#include "tact/detail/context_node.hpp"
#include "tact/detail/core.hpp"
#include "tact/detail/trace_sink.hpp"

namespace tact::mailbox {

// The payload lies here instead of in the queue, and its envelope points to it. So it keeps its address: it is never
// moved. Thread safety: that of the envelope.
struct out_of_line_body {
  const detail::context_node* context;  // a reference to it is held; null: none
  std::uint64_t numbers;                // see admissions and id
  alignas(detail::inline_align_max) std::byte payload[detail::inline_bytes_max];

  // Those of its envelope, which are bits above the number of the message.
  [[nodiscard]] std::uint64_t admissions() const noexcept { return numbers & ~id_mask; }
  void admit(std::uint64_t as) noexcept { numbers = (numbers & id_mask) | as; }
  // The number by which the message is recorded; 0: it is not.
  [[nodiscard]] std::uint64_t id() const noexcept { return numbers & id_mask; }
  void number(std::uint64_t id) noexcept { numbers = (numbers & ~id_mask) | id; }

  // Throws std::bad_alloc. The caller puts a payload in.
  [[nodiscard]] static out_of_line_body& make(const detail::context_node* c, std::uint64_t admissions = 0) {
    return *::new (base::allocate_pooled(block())) out_of_line_body{detail::hold(c), admissions, {}};
  }
  // REQUIRES: the payload has ended, or moved away.
  static void end(out_of_line_body& p) noexcept {
    detail::release(p.context);
    base::free_pooled(&p, block());
  }

 private:
  static constexpr std::uint64_t id_mask = (std::uint64_t{1} << detail::trace_id_bits) - 1;
  static constexpr detail::block_class block() noexcept { return detail::class_of_block(sizeof(out_of_line_body)); }
};

}  // namespace tact::mailbox
