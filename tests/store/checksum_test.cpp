// The checksum is CRC-32C, the same with and without the processor's instruction, and knows where a key ends.
#include "store/disk/checksum.hpp"

#include <random>
#include <string>

#include "support/catch.hpp"

namespace checksum_test {

using namespace tact::lmdb;

TEST_CASE("checksum: it is CRC-32C, with the instruction and without it") {
  CHECK(crc32c(0, "123456789") == 0xe3069283u);  // the check value of the catalogue of CRCs
  CHECK(crc32c_by_tables(0, "123456789") == 0xe3069283u);
  std::minstd_rand dice(3);
  for (std::size_t length = 0; length < 70; ++length) {
    std::string bytes;
    for (std::size_t n = 0; n < length; ++n) bytes += static_cast<char>(dice());
    const auto before = static_cast<std::uint32_t>(dice());
    CHECK(crc32c(before, bytes) == crc32c_by_tables(before, bytes));
    CHECK(crc32c(crc32c(before, bytes.substr(0, length / 3)), bytes.substr(length / 3)) == crc32c(before, bytes));
  }
}

TEST_CASE("checksum: a byte that moves from the key to the value, or to another table, is noticed") {
  CHECK(entry_checksum(1, "ab", "c") != entry_checksum(1, "a", "bc"));
  CHECK(entry_checksum(crc32c(0, "t"), "a", "b") != entry_checksum(crc32c(0, "u"), "a", "b"));
}

}  // namespace checksum_test
