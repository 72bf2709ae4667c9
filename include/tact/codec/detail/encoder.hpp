// Writes values by position: what is what, their shape says.
#pragma once

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <iterator>
#include <memory>
#include <stdexcept>
#include <string>
#include <string_view>
#include <type_traits>
#include <utility>
#include <variant>
#include <vector>

#include "tact/codec/codec_limits.hpp"
#include "tact/codec/detail/byte_order.hpp"
#include "tact/codec/detail/codec_kind.hpp"
#include "tact/codec/detail/codec_members.hpp"
#include "tact/codec/detail/least_bytes.hpp"

namespace tact::detail::coding {

// Where values are written, and what is left of the limits.
struct encoder {
  std::string& out;
  std::uint32_t depth;
  std::uint64_t items;

  void enter() {
    if (depth-- == 0) throw std::length_error("values are nested deeper than codec_limits::depth allows");
  }
  void leave() noexcept { ++depth; }
  void take_items(std::uint64_t n) {
    if (n > items) throw std::length_error("containers have more entries in all than codec_limits::items allows");
    items -= n;
  }
};

template <class T>
void write(encoder& to, const T& value);

template <class T>
void write_number(encoder& to, T value) {
  char bytes[sizeof(T)];
  store_little(bytes, value);
  to.out.append(bytes, sizeof bytes);
}

template <class E, class C>
void write_elements(encoder& to, const C& all) {
  if constexpr (kind_of<E> == codec_kind::number && is_little_endian && requires { all.data(); }) {
    if (all.size() != 0) to.out.append(reinterpret_cast<const char*>(all.data()), all.size() * sizeof(E));
  } else {
    for (const E& each : all) write(to, each);
  }
}
template <class C>
void write_list(encoder& to, const C& all) {
  using element = typename C::value_type;
  append_count(to.out, all.size());
  if constexpr (!is_number<element>) to.take_items(all.size());
  write_elements<element>(to, all);
}

template <class T>
void write_entry(encoder& to, const T& key) {
  write(to, key);
}
template <class K, class V>
void write_entry(encoder& to, const std::pair<const K, V>& entry) {
  write(to, entry.first);
  write(to, entry.second);
}
// Containers without an order are written in that of the bytes of their entries: so equal values are equal bytes.
template <class C>
void write_in_byte_order(encoder& to, const C& all) {
  std::vector<std::string> entries;
  entries.reserve(all.size());
  for (const auto& each : all) {
    encoder aside{entries.emplace_back(), to.depth, to.items};
    write_entry(aside, each);
    to.items = aside.items;
  }
  std::sort(entries.begin(), entries.end());
  for (const std::string& each : entries) to.out += each;
}
template <class C>
void write_entries(encoder& to, const C& all) {
  append_count(to.out, all.size());
  to.take_items(all.size());
  if constexpr (requires { typename C::key_compare; }) {
    for (const auto& each : all) write_entry(to, each);
  } else {
    write_in_byte_order(to, all);
  }
}

template <class T>
void write_optional(encoder& to, const T& value) {
  const bool is_there = static_cast<bool>(value);
  to.out.push_back(is_there ? '\1' : '\0');
  if (is_there) write(to, *value);
}
template <class... A>
void write_variant(encoder& to, const std::variant<A...>& value) {
  append_count(to.out, value.index());
  std::visit([&](const auto& each) { write(to, each); }, value);
}
struct members_writer {
  encoder& to;
  template <class... M>
  void operator()(const M&... m) const {
    (write(to, m), ...);
    if constexpr (sizeof...(M) == 0) to.out.push_back('\0');
  }
};
template <class T, std::size_t... I>
void write_tuple(encoder& to, const T& value, std::index_sequence<I...>) {
  using std::get;
  members_writer{to}(get<I>(value)...);
}
template <class T>
void write_array(encoder& to, const T& value) {
  write_elements<typename T::value_type>(to, value);
  if constexpr (std::tuple_size_v<T> == 0) to.out.push_back('\0');
}

template <class T>
void write_parts(encoder& to, const T& value) {
  constexpr codec_kind kind = kind_of<T>;
  if constexpr (kind == codec_kind::record) {
    with_members(value, members_writer{to});
  } else if constexpr (kind == codec_kind::list) {
    write_list(to, value);
  } else if constexpr (kind == codec_kind::set || kind == codec_kind::map) {
    write_entries(to, value);
  } else if constexpr (kind == codec_kind::array) {
    write_array(to, value);
  } else if constexpr (kind == codec_kind::optional) {
    write_optional(to, value);
  } else if constexpr (kind == codec_kind::variant) {
    write_variant(to, value);
  } else if constexpr (kind == codec_kind::tuple) {
    write_tuple(to, value, std::make_index_sequence<std::tuple_size_v<T>>{});
  } else {
    static_assert(kind == codec_kind::image);
    write(to, static_cast<const image_of<T>&>(codec<T>::save(value)));
  }
}

template <class T>
void write(encoder& to, const T& value) {
  constexpr codec_kind kind = kind_of<T>;
  if constexpr (kind == codec_kind::number) {
    write_number(to, value);
  } else if constexpr (kind == codec_kind::boolean) {
    to.out.push_back(static_cast<bool>(value) ? '\1' : '\0');
  } else if constexpr (kind == codec_kind::text) {
    append_count(to.out, value.size());
    to.out.append(value.data(), value.size());
  } else if constexpr (kind == codec_kind::duration) {
    write_number(to, value.count());
  } else if constexpr (kind == codec_kind::time) {
    write_number(to, value.time_since_epoch().count());
  } else {
    to.enter();
    write_parts(to, value);
    to.leave();
  }
}

// Appends the value without its shape; if that throws, `out` may have a part of it.
template <class T>
void write_value(std::string& out, const T& value, const codec_limits& limits) {
  encoder to{out, limits.depth, limits.items};
  write(to, value);
}

}  // namespace tact::detail::coding
