// Keys and values as bytes of a store's file.
#include "tact/detail/begin.hpp"  // first
#pragma once

#include <cstdint>
#include <cstring>
#include <string>
#include <string_view>
#include <type_traits>

namespace tact::detail {

template <class K>
std::string key_bytes(const K& k) {
  if constexpr (std::is_convertible_v<const K&, std::string_view>) {
    return std::string(std::string_view(k));
  } else {
    std::uint64_t n = static_cast<std::uint64_t>(k) ^ (std::uint64_t{1} << 63);
    std::string s(8, '\0');
    for (int i = 7; i >= 0; --i, n >>= 8) s[static_cast<std::size_t>(i)] = static_cast<char>(n & 255);
    return s;
  }
}
template <class K>
K key_from(std::string_view b) {
  if constexpr (std::is_convertible_v<const K&, std::string_view>) {
    return K(b);
  } else {
    std::uint64_t n = 0;
    for (char c : b) n = n << 8 | static_cast<unsigned char>(c);
    return static_cast<K>(n ^ (std::uint64_t{1} << 63));
  }
}
template <class V>
std::string value_bytes(const V& v) {
  if constexpr (std::is_same_v<V, std::string>) {
    return v;
  } else {
    std::string s(sizeof v, '\0');
    std::memcpy(s.data(), &v, sizeof v);
    return s;
  }
}
template <class V>
V value_from(std::string_view b) {
  if constexpr (std::is_same_v<V, std::string>) {
    return V(b);
  } else {
    V v;
    std::memcpy(&v, b.data(), sizeof v);
    return v;
  }
}

}  // namespace tact::detail

#include "tact/detail/end.hpp"  // last
