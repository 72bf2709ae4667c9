// Limits of values hold for the whole, in both directions.
#include <cstdint>
#include <limits>
#include <memory>
#include <stdexcept>
#include <string>
#include <utility>
#include <vector>

#include "codec/everything.hpp"
#include "support/catch.hpp"
#include "tact/codec/codec.hpp"

namespace limits_test {

namespace {

using namespace tact::codec_tests;
using Catch::Matchers::Contains;

// Encodes and decodes a value of some bytes, levels and items.
std::string outcome(const tact::codec_limits& limits) {
  const std::vector<std::vector<std::string>> value{{"one", "two"}, {"three"}};
  const std::string bytes = tact::encode(value);
  bool is_written = true;
  try {
    if (tact::encode(value, limits) != bytes) return "other bytes";
  } catch (const std::length_error&) {
    is_written = false;
  }
  try {
    const bool is_same = tact::decode<std::vector<std::vector<std::string>>>(bytes, limits) == value;
    return is_same && is_written ? "read" : "read, but not written";
  } catch (const tact::decode_error&) {
    return is_written ? "written, but not read" : "refused";
  }
}

TEST_CASE("codec_limits: the extremes of each number are kept, by who writes and who reads", "[codec]") {
  constexpr std::uint64_t most = std::numeric_limits<std::uint64_t>::max();
  constexpr std::uint32_t deepest = std::numeric_limits<std::uint32_t>::max();
  const std::vector<std::tuple<std::string, tact::codec_limits, std::string>> rows{
      {"codec_limits::bytes", {.bytes = 0}, "refused"}, {"codec_limits::bytes", {.bytes = most}, "read"},
      {"codec_limits::depth", {.depth = 0}, "refused"}, {"codec_limits::depth", {.depth = 1}, "refused"},
      {"codec_limits::depth", {.depth = 2}, "read"},    {"codec_limits::depth", {.depth = deepest}, "read"},
      {"codec_limits::items", {.items = 0}, "refused"}, {"codec_limits::items", {.items = 4}, "refused"},
      {"codec_limits::items", {.items = 5}, "read"},    {"codec_limits::items", {.items = most}, "read"},
  };
  for (const auto& [name, limits, expected] : rows) {
    INFO(name << ' ' << limits.bytes << ' ' << limits.depth << ' ' << limits.items);
    CHECK(outcome(limits) == expected);
  }
}

}  // namespace

}  // namespace limits_test
