// Values as bytes that are in the order of the values, compared as unsigned characters.
#pragma once

#include <algorithm>
#include <bit>
#include <concepts>
#include <cstddef>
#include <cstdint>
#include <cstring>
#include <stdexcept>
#include <string>
#include <string_view>
#include <type_traits>
#include <utility>

#include "tact/codec/detail/byte_order.hpp"
#include "tact/codec/detail/codable.hpp"
#include "tact/codec/detail/codec_kind.hpp"
#include "tact/codec/detail/codec_members.hpp"

namespace tact::detail::coding {

template <class T>
inline constexpr bool is_key_text = kind_of<T> == codec_kind::text || std::is_same_v<T, std::string_view>;

template <class T>
inline constexpr bool has_key_order = [] {
  constexpr codec_kind k = kind_of<T>;
  return is_key_text<T> || k == codec_kind::boolean || k == codec_kind::number || k == codec_kind::optional ||
         k == codec_kind::array || k == codec_kind::tuple || k == codec_kind::record || k == codec_kind::duration ||
         k == codec_kind::time;
}();
template <class T>
struct key_check {
  static_assert(has_key_order<T>,
                "tact::encode_key: a key is made of bool, numbers, enumerations with an underlying type, std::string, "
                "std::chrono, and of std::optional, std::array, std::pair, std::tuple and structs of these");
  static constexpr bool value = has_key_order<T> && find_good_aggregate<T>();
};

template <class T>
inline constexpr word_of<T> sign_bit = static_cast<word_of<T>>(word_of<T>{1} << (sizeof(T) * 8 - 1));

template <class Word>
Word big_endian(Word w) noexcept {
  return is_little_endian ? swapped(w) : w;
}
// The word whose order as an unsigned integer is that of the numbers.
template <class T>
word_of<T> ordered_word(T value) {
  if constexpr (std::is_enum_v<T>) {
    return ordered_word(static_cast<std::underlying_type_t<T>>(value));
  } else if constexpr (std::floating_point<T>) {
    auto bits = std::bit_cast<word_of<T>>(value);
    constexpr word_of<T> infinite = sizeof(T) == 4 ? word_of<T>(0x7F800000) : word_of<T>(0x7FF0000000000000);
    // By the bits, because the user's compiler may take it that there is no NaN.
    if ((bits & ~sign_bit<T>) > infinite)
      throw std::invalid_argument("tact::encode_key: NaN has no place in the order");
    if (bits == sign_bit<T>) bits = 0;  // -0.0 is equal to 0.0
    return (bits & sign_bit<T>) != 0 ? ~bits : bits | sign_bit<T>;
  } else if constexpr (std::is_signed_v<T>) {
    return static_cast<word_of<T>>(static_cast<word_of<T>>(value) ^ sign_bit<T>);
  } else {
    return static_cast<word_of<T>>(value);
  }
}
// Returns false if no number is written so.
template <class T>
[[nodiscard]] bool from_ordered_word(word_of<T> word, T& value) {
  if constexpr (std::is_enum_v<T>) {
    std::underlying_type_t<T> number{};
    if (!from_ordered_word(word, number)) return false;
    value = static_cast<T>(number);
    return true;
  } else if constexpr (std::floating_point<T>) {
    const word_of<T> bits = (word & sign_bit<T>) != 0 ? word ^ sign_bit<T> : static_cast<word_of<T>>(~word);
    constexpr word_of<T> infinite = sizeof(T) == 4 ? word_of<T>(0x7F800000) : word_of<T>(0x7FF0000000000000);
    if ((bits & ~sign_bit<T>) > infinite || bits == sign_bit<T>) return false;
    value = std::bit_cast<T>(bits);
    return true;
  } else if constexpr (std::is_signed_v<T>) {
    value = static_cast<T>(static_cast<word_of<T>>(word ^ sign_bit<T>));
    return true;
  } else {
    value = static_cast<T>(word);
    return true;
  }
}

// In the midst of a key a text ends with two zeros; a zero in it has a one behind it.
inline void append_key_text(std::string& out, std::string_view text) {
  while (true) {
    const std::size_t zero = text.find('\0');
    out += text.substr(0, zero);
    if (zero == std::string_view::npos) break;
    out.append("\0\1", 2);
    text.remove_prefix(zero + 1);
  }
  out.append("\0\0", 2);
}

template <class T>
void write_key(std::string& out, const T& value);

struct key_members_writer {
  std::string& out;
  template <class... M>
  void operator()(const M&... m) const {
    (write_key(out, m), ...);
  }
};
template <class T, std::size_t... I>
void write_key_tuple(std::string& out, const T& value, std::index_sequence<I...>) {
  using std::get;
  (write_key(out, get<I>(value)), ...);
}
template <class T>
void write_key(std::string& out, const T& value) {
  constexpr codec_kind kind = kind_of<T>;
  if constexpr (!key_check<T>::value) {
  } else if constexpr (is_key_text<T>) {
    append_key_text(out, value);
  } else if constexpr (kind == codec_kind::boolean) {
    out.push_back(static_cast<bool>(value) ? '\1' : '\0');
  } else if constexpr (kind == codec_kind::number) {
    const auto word = big_endian(ordered_word(value));
    char bytes[sizeof word];
    std::memcpy(bytes, &word, sizeof word);
    out.append(bytes, sizeof bytes);
  } else if constexpr (kind == codec_kind::duration) {
    write_key(out, value.count());
  } else if constexpr (kind == codec_kind::time) {
    write_key(out, value.time_since_epoch());
  } else if constexpr (kind == codec_kind::optional) {
    out.push_back(value ? '\1' : '\0');
    if (value) write_key(out, *value);
  } else if constexpr (kind == codec_kind::record) {
    with_members(value, key_members_writer{out});
  } else {
    write_key_tuple(out, value, std::make_index_sequence<std::tuple_size_v<T>>{});
  }
}

// What is left of a key, and what was expected where it could not be read.
struct key_input {
  std::string_view left;
  const char* expected = nullptr;

  [[nodiscard]] bool fail(const char* what) noexcept {
    expected = what;
    return false;
  }
};

inline bool read_key_text(key_input& from, std::string& text) {
  const std::string_view begin = from.left;
  while (true) {
    const std::size_t zero = from.left.find('\0');
    if (zero == std::string_view::npos || zero + 1 == from.left.size() ||
        static_cast<unsigned char>(from.left[zero + 1]) > 1) {
      from.left = begin;
      return from.fail("a text that ends with two zeros");
    }
    text += from.left.substr(0, zero);
    const bool goes_on = from.left[zero + 1] == '\1';
    from.left.remove_prefix(zero + 2);
    if (!goes_on) return true;
    text.push_back('\0');
  }
}
template <class T>
[[nodiscard]] bool read_key(key_input& from, T& value);

template <class T>
[[nodiscard]] bool read_key_number(key_input& from, T& value) {
  word_of<T> word = 0;
  if (from.left.size() < sizeof word) return from.fail("a number");
  std::memcpy(&word, from.left.data(), sizeof word);
  if (!from_ordered_word<T>(big_endian(word), value)) return from.fail("a number that has a place in the order");
  from.left.remove_prefix(sizeof word);
  return true;
}
inline bool read_key_flag(key_input& from, bool& flag) {
  if (from.left.empty() || static_cast<unsigned char>(from.left.front()) > 1) return from.fail("0 or 1");
  flag = from.left.front() != 0;
  from.left.remove_prefix(1);
  return true;
}
template <class T>
[[nodiscard]] bool read_key_optional(key_input& from, T& value) {
  bool is_there = false;
  if (!read_key_flag(from, is_there)) return false;
  value.reset();
  if (!is_there) return true;
  typename inner_value<T>::type inner{};
  if (!read_key(from, inner)) return false;
  value.emplace(std::move(inner));
  return true;
}
struct key_members_reader {
  key_input& from;
  template <class... M>
  [[nodiscard]] bool operator()(M&... m) const {
    return (read_key(from, m) && ...);
  }
};
template <class T, std::size_t... I>
[[nodiscard]] bool read_key_tuple(key_input& from, T& value, std::index_sequence<I...>) {
  using std::get;
  return key_members_reader{from}(get<I>(value)...);
}
template <class T>
[[nodiscard]] bool read_key_count(key_input& from, T& value) {
  if constexpr (kind_of<T> == codec_kind::duration) {
    typename T::rep count{};
    if (!read_key(from, count)) return false;
    value = T(count);
  } else {
    typename T::duration since{};
    if (!read_key_count(from, since)) return false;
    value = T(since);
  }
  return true;
}
template <class T>
[[nodiscard]] bool read_key(key_input& from, T& value) {
  constexpr codec_kind kind = kind_of<T>;
  static_assert(!std::is_same_v<T, std::string_view>,
                "tact::decode_key: a std::string_view owns no text; take std::string");
  if constexpr (!key_check<T>::value) {
    return false;
  } else if constexpr (kind == codec_kind::text) {
    return read_key_text(from, value);
  } else if constexpr (kind == codec_kind::boolean) {
    bool flag = false;
    if (!read_key_flag(from, flag)) return false;
    value = static_cast<T>(flag);
    return true;
  } else if constexpr (kind == codec_kind::number) {
    return read_key_number(from, value);
  } else if constexpr (kind == codec_kind::duration || kind == codec_kind::time) {
    return read_key_count(from, value);
  } else if constexpr (kind == codec_kind::optional) {
    return read_key_optional(from, value);
  } else if constexpr (kind == codec_kind::record) {
    return with_members(value, key_members_reader{from});
  } else {
    return read_key_tuple(from, value, std::make_index_sequence<std::tuple_size_v<T>>{});
  }
}

}  // namespace tact::detail::coding
