#include "store/disk/checksum.hpp"

#include <array>
#include <cstring>

#if defined(__x86_64__)
#include <nmmintrin.h>
#elif defined(__aarch64__)
#include <arm_acle.h>
#include <sys/auxv.h>
#endif

namespace tact::lmdb {

namespace {

constexpr std::uint32_t polynomial = 0x82f63b78;  // Castagnoli's, its bits in reverse order
constexpr std::size_t word_bytes = 8;

using byte_table = std::array<std::uint32_t, 256>;

// The table k has the effect of a byte behind which k more bytes have come.
constexpr std::array<byte_table, word_bytes> make_tables() {
  std::array<byte_table, word_bytes> made{};
  for (std::uint32_t b = 0; b < 256; ++b) {
    std::uint32_t c = b;
    for (int bit = 0; bit < 8; ++bit) c = (c >> 1) ^ ((c & 1) != 0 ? polynomial : 0);
    made[0][b] = c;
  }
  for (std::size_t k = 1; k < word_bytes; ++k) {
    for (std::size_t b = 0; b < 256; ++b) made[k][b] = (made[k - 1][b] >> 8) ^ made[0][made[k - 1][b] & 0xff];
  }
  return made;
}
constexpr std::array<byte_table, word_bytes> tables = make_tables();

std::uint64_t word_at(const char* p) noexcept {
  std::uint64_t word = 0;
  std::memcpy(&word, p, word_bytes);
  return word;
}

#if defined(__x86_64__)
[[gnu::target("sse4.2")]] std::uint32_t by_instruction(std::uint32_t before, std::string_view bytes) noexcept {
  std::uint64_t c = ~before;
  const char* p = bytes.data();
  std::size_t left = bytes.size();
  for (; left >= word_bytes; left -= word_bytes, p += word_bytes) c = _mm_crc32_u64(c, word_at(p));
  auto rest = static_cast<std::uint32_t>(c);
  if ((left & sizeof(std::uint32_t)) != 0) {
    std::uint32_t half = 0;
    std::memcpy(&half, p, sizeof half);
    rest = _mm_crc32_u32(rest, half);
    p += sizeof half;
    left -= sizeof half;
  }
  for (; left != 0; --left, ++p) rest = _mm_crc32_u8(rest, static_cast<unsigned char>(*p));
  return ~rest;
}
const bool has_instruction = __builtin_cpu_supports("sse4.2") != 0;
#elif defined(__aarch64__)
[[gnu::target("+crc")]] std::uint32_t by_instruction(std::uint32_t before, std::string_view bytes) noexcept {
  std::uint32_t c = ~before;
  const char* p = bytes.data();
  std::size_t left = bytes.size();
  for (; left >= word_bytes; left -= word_bytes, p += word_bytes) c = __crc32cd(c, word_at(p));
  for (; left != 0; --left, ++p) c = __crc32cb(c, static_cast<unsigned char>(*p));
  return ~c;
}
const bool has_instruction = (::getauxval(AT_HWCAP) & (1u << 7)) != 0;  // HWCAP_CRC32
#else
std::uint32_t by_instruction(std::uint32_t before, std::string_view bytes) noexcept {
  return crc32c_by_tables(before, bytes);
}
constexpr bool has_instruction = false;
#endif

}  // namespace

std::uint32_t crc32c_by_tables(std::uint32_t before, std::string_view bytes) noexcept {
  std::uint32_t c = ~before;
  const char* p = bytes.data();
  std::size_t left = bytes.size();
  for (; left >= word_bytes; left -= word_bytes, p += word_bytes) {
    const std::uint64_t word = word_at(p) ^ c;
    c = 0;
    for (std::size_t b = 0; b < word_bytes; ++b) c ^= tables[word_bytes - 1 - b][(word >> (8 * b)) & 0xff];
  }
  for (; left != 0; --left, ++p) c = (c >> 8) ^ tables[0][(c ^ static_cast<unsigned char>(*p)) & 0xff];
  return ~c;
}

std::uint32_t crc32c(std::uint32_t before, std::string_view bytes) noexcept {
  return has_instruction ? by_instruction(before, bytes) : crc32c_by_tables(before, bytes);
}

std::uint32_t entry_checksum(std::uint32_t table, std::string_view key, std::string_view value) noexcept {
  const std::uint32_t with_length = table ^ (static_cast<std::uint32_t>(key.size()) * 0x9e3779b1u);
  return crc32c(crc32c(with_length, key), value);
}

}  // namespace tact::lmdb
