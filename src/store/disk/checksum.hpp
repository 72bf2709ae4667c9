// The checksum of an entry: CRC-32C over its table, its key and its value.
#pragma once

#include <cstddef>
#include <cstdint>
#include <string_view>

namespace tact::lmdb {

inline constexpr std::size_t checksum_bytes = 4;

// Goes on from the checksum of what lies in front. By the processor's instruction, where it has one.
[[nodiscard]] std::uint32_t crc32c(std::uint32_t before, std::string_view bytes) noexcept;
// The same without the instruction.
[[nodiscard]] std::uint32_t crc32c_by_tables(std::uint32_t before, std::string_view bytes) noexcept;

// `table`: the checksum of its name. The length of the key is a part, so a byte cannot move from the key to the value.
[[nodiscard]] std::uint32_t entry_checksum(std::uint32_t table, std::string_view key, std::string_view value) noexcept;

}  // namespace tact::lmdb
