// How many bytes a value of a type takes at least, so that a count that is larger is known before memory is taken.
#pragma once

#include <algorithm>
#include <cstddef>
#include <type_traits>
#include <utility>

#include "tact/codec/detail/codec_kind.hpp"
#include "tact/codec/detail/codec_members.hpp"

namespace tact::detail::coding {

template <class T>
consteval std::size_t find_least_bytes() noexcept;

template <class... M>
consteval std::size_t sum_of_least(type_row<M...>) noexcept {
  return (std::size_t{0} + ... + find_least_bytes<M>());
}
template <class T, std::size_t... I>
consteval std::size_t sum_of_least(std::index_sequence<I...>) noexcept {
  return (std::size_t{0} + ... + find_least_bytes<std::tuple_element_t<I, T>>());
}

// What has no parts is written as one byte: so nothing takes none, and there are never more items than bytes.
template <class T>
consteval std::size_t find_least_bytes() noexcept {
  constexpr codec_kind kind = kind_of<T>;
  if constexpr (kind == codec_kind::number) {
    return sizeof(T);
  } else if constexpr (kind == codec_kind::duration) {
    return sizeof(typename T::rep);
  } else if constexpr (kind == codec_kind::time) {
    return sizeof(typename T::duration::rep);
  } else if constexpr (kind == codec_kind::record) {
    return std::max<std::size_t>(1, sum_of_least(member_types<T>{}));
  } else if constexpr (kind == codec_kind::array) {
    return std::max<std::size_t>(1, std::tuple_size_v<T> * find_least_bytes<typename T::value_type>());
  } else if constexpr (kind == codec_kind::tuple) {
    return std::max<std::size_t>(1, sum_of_least<T>(std::make_index_sequence<std::tuple_size_v<T>>{}));
  } else {
    return 1;
  }
}
template <class T>
inline constexpr std::size_t least_bytes = find_least_bytes<T>();

}  // namespace tact::detail::coding
