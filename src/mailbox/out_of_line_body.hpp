// A message that carries a context, or comes from outside to a mailbox with a limit, lies apart from its queue.
#pragma once

#include <cstddef>
#include <cstdint>
#include <new>

#include "base/blocks.hpp"
#include "tact/detail/context_node.hpp"
#include "tact/detail/core.hpp"

namespace tact::mailbox {

// The payload lies here instead of in the queue, and its envelope points to it. So it keeps its address: it is never
// moved. Thread safety: that of the envelope.
struct out_of_line_body {
  const detail::context_node* context;  // a reference to it is held; null: none
  std::uint64_t admissions;             // those of its envelope
  alignas(detail::inline_align_max) std::byte payload[detail::inline_bytes_max];

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
  static constexpr detail::block_class block() noexcept { return detail::class_of_block(sizeof(out_of_line_body)); }
};

}  // namespace tact::mailbox
