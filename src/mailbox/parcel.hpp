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
struct parcel {
  const detail::context_node* context;  // a reference to it is held; null: none
  std::uint64_t marks;                  // those of its envelope
  alignas(detail::inline_align_max) std::byte payload[detail::inline_bytes_max];

  // Throws std::bad_alloc. The caller puts a payload in.
  [[nodiscard]] static parcel& make(const detail::context_node* c, std::uint64_t marks = 0) {
    return *::new (base::allocate_pooled(block())) parcel{detail::hold(c), marks, {}};
  }
  // REQUIRES: the payload has ended, or moved away.
  static void end(parcel& p) noexcept {
    detail::release(p.context);
    base::free_pooled(&p, block());
  }

 private:
  static constexpr detail::block_class block() noexcept { return detail::class_of_block(sizeof(parcel)); }
};

}  // namespace tact::mailbox
