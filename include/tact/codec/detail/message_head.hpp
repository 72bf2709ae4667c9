// What stands in front of an encoded value: its shape, or the fingerprint of it.
#pragma once

#include <cstddef>
#include <cstdint>
#include <string>
#include <string_view>

#include "tact/codec/codec_limits.hpp"
#include "tact/codec/decode_error.hpp"
#include "tact/codec/detail/byte_order.hpp"
#include "tact/codec/detail/description.hpp"
#include "tact/codec/detail/shape_data.hpp"
#include "tact/codec/detail/shape_text.hpp"

namespace tact::detail::coding {

// The first byte of what tact::encode returns; a later format will have another one.
inline constexpr char format_of_described = 1;
inline constexpr std::size_t fingerprint_bytes = sizeof(std::uint64_t);

inline std::string head_of(const shape_data& shape) {
  std::string head(1, format_of_described);
  append_name(head, shape.description);
  return head;
}

struct split_message {
  std::string_view description;
  std::size_t body = 0;  // where the value begins
};

[[noreturn]] inline void fail_head(const shape_data& shape, const std::string& what, std::size_t offset) {
  throw decode_error(text_of_part(shape, shape.root), what, offset);
}
inline void check_size(const shape_data& shape, std::string_view bytes, const codec_limits& limits) {
  if (bytes.size() <= limits.bytes) return;
  fail_head(shape, "expected no more bytes than codec_limits::bytes allows, found " + std::to_string(bytes.size()), 0);
}
inline split_message split(const shape_data& shape, std::string_view bytes) {
  if (bytes.empty() || bytes.front() != format_of_described) {
    fail_head(shape, "expected bytes that tact::encode has written, found others", 0);
  }
  std::uint64_t size = 0;
  const char* const end = bytes.data() + bytes.size();
  const char* const at = load_count(bytes.data() + 1, end, size);
  if (at == nullptr) fail_head(shape, "expected the size of the shape, found none", 1);
  if (size > static_cast<std::size_t>(end - at)) {
    fail_head(shape,
              "expected a shape of " + std::to_string(size) + " bytes, found the end after " +
                  std::to_string(bytes.size() - static_cast<std::size_t>(at - bytes.data())),
              static_cast<std::size_t>(at - bytes.data()));
  }
  const std::string_view description(at, static_cast<std::size_t>(size));
  return {description, static_cast<std::size_t>(at - bytes.data()) + description.size()};
}
inline std::uint64_t take_fingerprint(const shape_data& shape, std::string_view bytes) {
  if (bytes.size() < fingerprint_bytes) {
    fail_head(shape, "expected the fingerprint of a shape, found the end after " + std::to_string(bytes.size()), 0);
  }
  return load_little<std::uint64_t>(bytes.data());
}

}  // namespace tact::detail::coding
