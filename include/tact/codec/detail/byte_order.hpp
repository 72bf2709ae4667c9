// Numbers and counts as bytes, the same on every machine.
#pragma once

#include <bit>
#include <cstddef>
#include <cstdint>
#include <cstring>
#include <string>
#include <type_traits>

namespace tact::detail::coding {

template <std::size_t Size>
struct word_of_size;
template <>
struct word_of_size<1> {
  using type = std::uint8_t;
};
template <>
struct word_of_size<2> {
  using type = std::uint16_t;
};
template <>
struct word_of_size<4> {
  using type = std::uint32_t;
};
template <>
struct word_of_size<8> {
  using type = std::uint64_t;
};
// The unsigned integer with the bits of T.
template <class T>
using word_of = typename word_of_size<sizeof(T)>::type;

inline constexpr bool is_little_endian = std::endian::native == std::endian::little;

template <class Word>
constexpr Word swapped(Word w) noexcept {
  Word out = 0;
  for (std::size_t i = 0; i < sizeof(Word); ++i) {
    out = static_cast<Word>(static_cast<Word>(out << 4 << 4) | (w & 0xFFU));
    w = static_cast<Word>(w >> 4 >> 4);
  }
  return out;
}
// Lowest byte first.
template <class T>
T load_little(const char* at) noexcept {
  word_of<T> w;
  std::memcpy(&w, at, sizeof w);
  if constexpr (!is_little_endian) w = swapped(w);
  return std::bit_cast<T>(w);
}
template <class T>
void store_little(char* at, T value) noexcept {
  auto w = std::bit_cast<word_of<T>>(value);
  if constexpr (!is_little_endian) w = swapped(w);
  std::memcpy(at, &w, sizeof w);
}

inline constexpr std::size_t most_bytes_of_count = 10;

// Seven bits a byte, lowest first; the highest bit of a byte says that another one follows. Returns the end.
inline char* store_count(char* at, std::uint64_t n) noexcept {
  for (; n >= 0x80; n >>= 7) *at++ = static_cast<char>((n & 0x7F) | 0x80);
  *at++ = static_cast<char>(n);
  return at;
}
inline void append_count(std::string& out, std::uint64_t n) {
  char bytes[most_bytes_of_count];
  out.append(bytes, static_cast<std::size_t>(store_count(bytes, n) - bytes));
}
// Returns the end; null if no count begins here, or one that is longer than it need be.
inline const char* load_count(const char* at, const char* end, std::uint64_t& n) noexcept {
  n = 0;
  for (unsigned shift = 0; at != end && shift < 64; shift += 7) {
    const auto byte = static_cast<unsigned char>(*at++);
    if (shift == 63 && byte > 1) return nullptr;
    n |= std::uint64_t{byte & 0x7FU} << shift;
    if (byte < 0x80) return byte == 0 && shift != 0 ? nullptr : at;
  }
  return nullptr;
}

}  // namespace tact::detail::coding
