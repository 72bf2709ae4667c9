// A bank in a store, kept by a process that is killed.
#pragma once

#include <cstdint>
#include <filesystem>
#include <string>

#include "base/random.hpp"
#include "store/crash/subject.hpp"

namespace tact::store_tests {

// Opens the bank, or founds it, and transfers for ever. Tells the number of the last transfer of each group that was
// answered, as eight bytes. Returns when it cannot tell it.
void keep_bank(const std::filesystem::path& file, mistake wrong, base::random luck, int tells);

struct bank_audit {
  std::uint64_t transfers = 0;
  std::string problem{};
};
// Whether the bank in the file has each of its transfers, counted from 1, and the money that comes of them.
bank_audit audit_bank(const std::filesystem::path& file);

}  // namespace tact::store_tests
