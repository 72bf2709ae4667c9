// Keys and values as bytes of a store's file. The shape of a value's type is in the file once, in a table of shapes.
#include "tact/detail/begin.hpp"  // first
#pragma once

#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "tact/codec/codec.hpp"
#include "tact/codec/key.hpp"
#include "tact/store/detail/store_core.hpp"

namespace tact::detail {

template <class K>
[[nodiscard]] std::string key_bytes(const K& key) {
  return encode_key(key);
}
// Throws decode_error.
template <class K>
[[nodiscard]] K key_from(std::string_view bytes) {
  return decode_key<K>(bytes);
}

template <class V>
[[nodiscard]] std::string value_bytes(const V& value) {
  return encode_compact(value);
}
// Throws decode_error.
template <class V>
[[nodiscard]] V value_from(store_front& in, std::string_view bytes) {
  return decode_compact<V>(bytes, [&](std::uint64_t fingerprint) { return in.shapes().find(fingerprint); });
}

// The row that a file must have for values of V, if it has not got it yet.
template <class V, class Put>
void put_shape(store_front& in, Put put) {
  const tact::shape& s = tact::shape_of<V>();
  if (!in.shapes().has(s.fingerprint())) {
    put(in.shapes().table(), key_bytes(s.fingerprint()), std::string(s.description()));
  }
}
template <class V>
void add_shape(store_front& in, std::vector<byte_change>& changes) {
  put_shape<V>(in, [&](table_number table, std::string key, std::string value) {
    changes.push_back({table, std::move(key), std::move(value)});
  });
}

}  // namespace tact::detail

#include "tact/detail/end.hpp"  // last
