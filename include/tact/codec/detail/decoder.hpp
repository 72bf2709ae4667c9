// Reads values by position from bytes of their own shape. It only says that it could not: fault_finder says why.
#pragma once

#include <algorithm>
#include <concepts>
#include <cstddef>
#include <cstdint>
#include <exception>
#include <iterator>
#include <memory>
#include <new>
#include <string>
#include <type_traits>
#include <utility>
#include <variant>

#include "tact/codec/codec_limits.hpp"
#include "tact/codec/detail/byte_order.hpp"
#include "tact/codec/detail/codec_kind.hpp"
#include "tact/codec/detail/codec_members.hpp"
#include "tact/codec/detail/least_bytes.hpp"

namespace tact::detail::coding {

struct decoder {
  const char* at;
  const char* end;
  std::uint32_t depth;
  std::uint64_t items;
  // Of a fault that the bytes alone do not show; `at` is where the value begins.
  std::string fault;
  bool is_fault_of_entry = false;

  [[nodiscard]] std::size_t left() const noexcept { return static_cast<std::size_t>(end - at); }
  [[nodiscard]] bool take_count(std::uint64_t& n) noexcept {
    const char* const behind = load_count(at, end, n);
    if (behind == nullptr) return false;
    at = behind;
    return true;
  }
  [[nodiscard]] bool take_items(std::uint64_t n) noexcept {
    if (n > items) return false;
    items -= n;
    return true;
  }
  // For a value of bool.
  [[nodiscard]] bool take_flag(bool& flag) noexcept {
    if (at == end || static_cast<unsigned char>(*at) > 1) return false;
    flag = *at++ != 0;
    return true;
  }
  [[nodiscard]] bool take_zero() noexcept {
    if (at == end || *at != 0) return false;
    ++at;
    return true;
  }
};

// Memory that is taken before the bytes are there.
inline constexpr std::size_t most_bytes_reserved = 4096;

template <class T>
[[nodiscard]] bool read(decoder& from, T& value);

template <class T>
[[nodiscard]] bool read_number(decoder& from, T& value) noexcept {
  if (from.left() < sizeof(T)) return false;
  value = load_little<T>(from.at);
  from.at += sizeof(T);
  return true;
}
template <class T>
[[nodiscard]] bool read_text(decoder& from, T& value) {
  std::uint64_t size = 0;
  if (!from.take_count(size) || size > from.left()) return false;
  value.assign(from.at, static_cast<std::size_t>(size));
  from.at += size;
  return true;
}

template <class C, class E>
void append(C& all, E&& element) {
  if constexpr (requires { all.push_back(std::move(element)); }) {
    using result = decltype(all.push_back(std::move(element)));
    if constexpr (std::is_same_v<result, C>) {
      all = std::move(all).push_back(std::move(element));
    } else {
      all.push_back(std::move(element));
    }
  } else {
    all.push(std::move(element));
  }
}
template <class C>
[[nodiscard]] bool read_elements(decoder& from, C& all, std::uint64_t count) {
  using element = typename C::value_type;
  if constexpr (requires { all.reserve(1); }) {
    all.reserve(static_cast<std::size_t>(std::min<std::uint64_t>(count, most_bytes_reserved / sizeof(element) + 1)));
  }
  for (; count != 0; --count) {
    if constexpr (requires {
                    { all.emplace_back() } -> std::same_as<element&>;
                  }) {
      if (!read(from, all.emplace_back())) return false;
    } else {
      element each{};
      if (!read(from, each)) return false;
      append(all, std::move(each));
    }
  }
  return true;
}
template <class C>
[[nodiscard]] bool read_list(decoder& from, C& all) {
  using element = typename C::value_type;
  std::uint64_t count = 0;
  if (!from.take_count(count) || count > from.left() / least_bytes<element>) return false;
  if constexpr (!is_number<element>) {
    if (!from.take_items(count)) return false;
  }
  if constexpr (built_aside<C>) {
    typename C::transient_type aside;
    if (!read_elements(from, aside, count)) return false;
    all = std::move(aside).persistent();
    return true;
  } else if constexpr (kind_of<element> == codec_kind::number && is_little_endian && requires {
                         all.data();
                         all.resize(count);
                       }) {
    const std::size_t bytes = static_cast<std::size_t>(count) * sizeof(element);
    all.resize(static_cast<std::size_t>(count));
    if (bytes != 0) std::memcpy(all.data(), from.at, bytes);
    from.at += bytes;
    return true;
  } else {
    all.clear();
    return read_elements(from, all, count);
  }
}

template <class C>
[[nodiscard]] bool read_entry(decoder& from, C& all) {
  if constexpr (requires { typename C::mapped_type; }) {
    typename C::key_type key{};
    typename C::mapped_type value{};
    if (!read(from, key) || !read(from, value)) return false;
    if constexpr (requires { all.emplace_hint(all.end(), std::move(key), std::move(value)); }) {
      all.emplace_hint(all.end(), std::move(key), std::move(value));
    } else {
      all.insert(std::move(key), std::move(value));
    }
  } else {
    typename C::key_type key{};
    if (!read(from, key)) return false;
    if constexpr (requires { all.emplace_hint(all.end(), std::move(key)); }) {
      all.emplace_hint(all.end(), std::move(key));
    } else {
      all.insert(std::move(key));
    }
  }
  return true;
}
template <class C>
[[nodiscard]] bool read_new_entries(decoder& from, C& all, std::uint64_t count) {
  for (std::uint64_t i = 0; i < count; ++i) {
    const char* const begin = from.at;
    if (!read_entry(from, all)) return false;
    if (all.size() == i + 1) continue;
    from.is_fault_of_entry = true;
    from.fault = "has a key that an entry before it has";
    from.at = begin;
    return false;
  }
  return true;
}
template <class C>
[[nodiscard]] bool read_entries(decoder& from, C& all) {
  std::uint64_t count = 0;
  if (!from.take_count(count) || count > from.left() || !from.take_items(count)) return false;
  if constexpr (built_aside<C>) {
    typename C::transient_type aside;
    if (!read_new_entries(from, aside, count)) return false;
    all = std::move(aside).persistent();
    return true;
  } else {
    all.clear();
    return read_new_entries(from, all, count);
  }
}

template <class T>
[[nodiscard]] bool read_optional(decoder& from, T& value) {
  using inner = typename inner_value<T>::type;
  bool is_there = false;
  if (!from.take_flag(is_there)) return false;
  value.reset();
  if (!is_there) return true;
  if constexpr (is_unique_ptr<T>) {
    value = std::make_unique<inner>();
  } else {
    value.emplace();
  }
  return read(from, *value);
}
template <std::size_t I, class... A>
[[nodiscard]] bool read_alternative(decoder& from, std::variant<A...>& value) {
  return read(from, value.template emplace<I>());
}
template <class... A, std::size_t... I>
[[nodiscard]] bool read_variant(decoder& from, std::variant<A...>& value, std::index_sequence<I...>) {
  const char* const begin = from.at;
  std::uint64_t index = 0;
  if (!from.take_count(index)) return false;
  bool is_good = false;
  const bool is_known = ((index == I && (is_good = read_alternative<I>(from, value), true)) || ...);
  if (!is_known) from.at = begin;
  return is_known && is_good;
}
struct members_reader {
  decoder& from;
  template <class... M>
  [[nodiscard]] bool operator()(M&... m) const {
    if constexpr (sizeof...(M) == 0) {
      return from.take_zero();
    } else {
      return (read(from, m) && ...);
    }
  }
};
template <class T, std::size_t... I>
[[nodiscard]] bool read_tuple(decoder& from, T& value, std::index_sequence<I...>) {
  using std::get;
  return members_reader{from}(get<I>(value)...);
}
template <class T>
[[nodiscard]] bool read_array(decoder& from, T& value) {
  if constexpr (std::tuple_size_v<T> == 0) {
    return from.take_zero();
  } else {
    for (auto& each : value) {
      if (!read(from, each)) return false;
    }
    return true;
  }
}

template <class T>
[[nodiscard]] bool read_image(decoder& from, T& value) {
  const char* const begin = from.at;
  image_of<T> image{};
  if (!read(from, image)) return false;
  try {
    value = codec<T>::load(std::move(image));
    return true;
  } catch (const std::bad_alloc&) {
    throw;
  } catch (const std::exception& e) {
    from.fault = e.what();
    from.at = begin;
    return false;
  }
}

template <class T>
[[nodiscard]] bool read_parts(decoder& from, T& value) {
  constexpr codec_kind kind = kind_of<T>;
  if constexpr (kind == codec_kind::record) {
    return with_members(value, members_reader{from});
  } else if constexpr (kind == codec_kind::list) {
    return read_list(from, value);
  } else if constexpr (kind == codec_kind::set || kind == codec_kind::map) {
    return read_entries(from, value);
  } else if constexpr (kind == codec_kind::array) {
    return read_array(from, value);
  } else if constexpr (kind == codec_kind::optional) {
    return read_optional(from, value);
  } else if constexpr (kind == codec_kind::variant) {
    return read_variant(from, value, std::make_index_sequence<std::variant_size_v<T>>{});
  } else if constexpr (kind == codec_kind::tuple) {
    return read_tuple(from, value, std::make_index_sequence<std::tuple_size_v<T>>{});
  } else {
    static_assert(kind == codec_kind::image);
    return read_image(from, value);
  }
}

template <class T>
[[nodiscard]] bool read(decoder& from, T& value) {
  constexpr codec_kind kind = kind_of<T>;
  if constexpr (kind == codec_kind::number) {
    return read_number(from, value);
  } else if constexpr (kind == codec_kind::boolean) {
    bool flag = false;
    if (!from.take_flag(flag)) return false;
    value = static_cast<T>(flag);
    return true;
  } else if constexpr (kind == codec_kind::text) {
    return read_text(from, value);
  } else if constexpr (kind == codec_kind::duration) {
    typename T::rep count{};
    if (!read_number(from, count)) return false;
    value = T(count);
    return true;
  } else if constexpr (kind == codec_kind::time) {
    typename T::duration since{};
    if (!read(from, since)) return false;
    value = T(since);
    return true;
  } else {
    if (from.depth == 0) return false;
    --from.depth;
    const bool is_good = read_parts(from, value);
    ++from.depth;
    return is_good;
  }
}

}  // namespace tact::detail::coding
