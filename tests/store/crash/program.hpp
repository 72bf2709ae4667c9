// Random programs: groups of changes to a few tables, and what must be in the tables behind each group.
#pragma once

#include <cstdint>
#include <map>
#include <string>
#include <vector>

#include "tact/store/detail/disk.hpp"

namespace tact::store_tests {

inline constexpr unsigned tables_here = 3;
std::string table_name(unsigned table);

// Key: the number of the table, as a character, and the key in it.
using contents = std::map<std::string, std::string>;

struct program {
  store_options options{};
  std::vector<std::vector<detail::byte_change>> groups{};
};

// The same for the same seed. Values are unlike in all groups, so that what is mixed is seen.
program random_program(std::uint64_t seed, unsigned groups_most);
contents after(contents before, const std::vector<detail::byte_change>& group);
// The first difference, in words; empty if there is none.
std::string difference(const contents& expected, const contents& found);

}  // namespace tact::store_tests
