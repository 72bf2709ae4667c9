// Reads a whole value by position, and names what is wrong if that does not work.
#pragma once

#include <cstddef>
#include <string_view>

#include "tact/codec/codec_limits.hpp"
#include "tact/codec/detail/checked_input.hpp"
#include "tact/codec/detail/decoder.hpp"
#include "tact/codec/detail/shape_data.hpp"
#include "tact/codec/detail/shape_text.hpp"
#include "tact/codec/detail/walker.hpp"

namespace tact::detail::coding {

// What the decoder refuses in the bytes, this refuses too, and says why.
[[noreturn]] inline void find_fault(const shape_data& shape, std::string_view bytes, std::size_t offset,
                                    const codec_limits& limits, const decoder& stopped) {
  const std::string root = text_of_part(shape, shape.root);
  checked_input in(bytes, offset, limits, root);
  const bool is_hidden = !stopped.fault.empty();
  walker(shape, in, is_hidden ? hidden_fault{stopped.at, stopped.fault, stopped.is_fault_of_entry} : hidden_fault{})
      .walk(shape.root);
  in.require_end();
  in.fail(is_hidden ? stopped.fault : "cannot be read");
}

// `offset` is where `bytes` begin in what was to be decoded. Throws decode_error.
template <class T>
[[nodiscard]] T read_value(const shape_data& shape, std::string_view bytes, std::size_t offset,
                           const codec_limits& limits) {
  T value{};
  decoder from{bytes.data(), bytes.data() + bytes.size(), limits.depth, limits.items, {}, false};
  if (!read(from, value) || from.at != from.end) find_fault(shape, bytes, offset, limits, from);
  return value;
}

}  // namespace tact::detail::coding
