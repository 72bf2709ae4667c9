// tact::encode_key: keys as bytes that a sorted store compares in the order of the keys.
#include "tact/detail/begin.hpp"  // first
#pragma once

#include <string>
#include <string_view>
#include <type_traits>

#include "tact/codec/decode_error.hpp"
#include "tact/codec/detail/key_order.hpp"
#include "tact/detail/type_name.hpp"

namespace tact {

// The bytes of two keys of one type, compared as unsigned characters, the shorter one first, are in the order of the
// keys; equal keys are equal bytes. Their order is that of <; of std::pair, std::tuple, std::array and structs it is
// that of their members, one after the other; what is not there comes before what is, as in std::optional. Nothing else
// can be a key. The bytes say nothing of the type: keys of which the type has changed cannot be read.
//
// A number takes its size, a bool one byte. A text alone is its bytes, so all keys with a prefix lie together; inside
// another key it takes two bytes more, and one for each zero in it. -0.0 is written as 0.0.

// Appends the key to `out`; if it throws, `out` is as before. Throws std::invalid_argument for NaN, which has no place
// in an order.
template <class K>
void encode_key_into(std::string& out, const K& key) {
  if constexpr (detail::coding::is_key_text<K>) {
    out.append(key.data(), key.size());
  } else {
    const std::size_t before = out.size();
    try {
      detail::coding::write_key(out, key);
    } catch (...) {
      out.resize(before);
      throw;
    }
  }
}
template <class K>
[[nodiscard]] std::string encode_key(const K& key) {
  std::string out;
  encode_key_into(out, key);
  return out;
}

// The key of which these are the bytes. Throws tact::decode_error if they are those of no K.
template <class K>
[[nodiscard]] K decode_key(std::string_view bytes) {
  if constexpr (detail::coding::kind_of<K> == detail::coding::codec_kind::text) {
    return K(bytes);
  } else {
    K key{};
    detail::coding::key_input from{bytes};
    const bool is_good = detail::coding::read_key(from, key);
    if (is_good && from.left.empty()) return key;
    throw decode_error("key " + std::string(detail::type_name<K>),
                       std::string("expected ") + (is_good ? "its end" : from.expected) + ", found " +
                           std::to_string(from.left.size()) + " bytes",
                       bytes.size() - from.left.size());
  }
}

}  // namespace tact

#include "tact/detail/end.hpp"  // last
