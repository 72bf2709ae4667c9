#include "store/crash/program.hpp"

#include <array>

#include "base/random.hpp"

namespace tact::store_tests {

namespace {

using detail::byte_change;

constexpr std::array<std::uint32_t, 8> value_sizes{0, 1, 9, 100, 700, 2030, 5000, 14000};

std::string random_key(base::random& luck) {
  std::string key = "key " + std::to_string(luck.below(9));
  if (luck.one_in(6)) key.resize(luck.one_in(2) ? detail::key_bytes_max : 200, '.');
  return key;
}

std::string random_value(base::random& luck) {
  const std::uint32_t size = value_sizes[luck.below(value_sizes.size())];
  std::string value = std::to_string(luck.next());
  while (value.size() < size) value += std::to_string(luck.next());
  value.resize(size == 0 ? 0 : luck.below(size) + 1);
  return value;
}

byte_change random_change(base::random& luck) {
  byte_change c{.table = luck.below(tables_here), .key = random_key(luck)};
  if (!luck.one_in(4)) c.value = random_value(luck);
  return c;
}

std::string shown(const std::string& bytes) {
  return "'" + bytes.substr(0, 24) + "' (" + std::to_string(bytes.size()) + " bytes)";
}

std::string key_shown(const std::string& key) {
  return table_name(static_cast<unsigned char>(key.front())) + " " + shown(key.substr(1));
}

}  // namespace

std::string table_name(unsigned table) { return std::string("table ") + static_cast<char>('a' + table); }

program random_program(std::uint64_t seed, unsigned groups_most) {
  base::random luck(seed);
  program p;
  p.options.map_bytes = luck.one_in(4) ? std::size_t{64} << 10 : std::size_t{16} << 20;
  p.options.tables_max = 8;
  p.options.readers_max = 16;
  p.groups.resize(luck.below(groups_most) + 1);
  for (auto& group : p.groups) {
    const std::uint32_t changes = luck.one_in(12) ? luck.below(40) : luck.below(5) + 1;
    for (std::uint32_t n = 0; n < changes; ++n) group.push_back(random_change(luck));
  }
  return p;
}

contents after(contents before, const std::vector<byte_change>& group) {
  for (const byte_change& c : group) {
    const std::string key = static_cast<char>(c.table) + c.key;
    if (c.value) {
      before[key] = *c.value;
    } else {
      before.erase(key);
    }
  }
  return before;
}

std::string difference(const contents& expected, const contents& found) {
  for (const auto& [key, value] : expected) {
    const auto at = found.find(key);
    if (at == found.end()) return key_shown(key) + " is missing, should be " + shown(value);
    if (at->second != value) return key_shown(key) + " is " + shown(at->second) + ", should be " + shown(value);
  }
  for (const auto& [key, value] : found)
    if (!expected.contains(key)) return key_shown(key) + " is " + shown(value) + ", should not be there";
  return {};
}

}  // namespace tact::store_tests
