// What is encoded comes back as it was, and equal values are equal bytes.
#include <algorithm>
#include <cstdint>
#include <memory>
#include <string>
#include <unordered_map>
#include <vector>

#include "codec/everything.hpp"
#include "support/catch.hpp"
#include "support/seed.hpp"
#include "tact/codec/codec.hpp"

namespace round_trip_test {

namespace {

using namespace tact::codec_tests;

TEST_CASE("codec: random values of all kinds come back as they were", "[codec]") {
  TACT_SEEDED(seed);
  values random(seed);
  std::string bytes;
  for (int i = 0; i < 300; ++i) {
    const everything before = random.all();
    bytes.clear();
    tact::encode_into(bytes, before);
    REQUIRE(tact::decode<everything>(bytes) == before);
    const std::string compact = tact::encode_compact(before);
    REQUIRE(tact::decode_compact<everything>(compact, tact::shape_of<everything>()) == before);
    REQUIRE(compact.size() < bytes.size());
    REQUIRE(tact::encode(tact::decode<everything>(bytes)) == bytes);
  }
}

TEST_CASE("codec: a value is appended behind what is there", "[codec]") {
  std::string bytes = "before";
  tact::encode_into(bytes, std::int64_t{7});
  CHECK(bytes.substr(0, 6) == "before");
  CHECK(tact::decode<std::int64_t>(std::string_view(bytes).substr(6)) == 7);
  tact::encode_compact_into(bytes, std::string("text"));
  CHECK(bytes.ends_with("\4text"));
}

TEST_CASE("codec: tables with the same entries are the same bytes, whatever the order of insertion", "[codec]") {
  std::unordered_map<std::int32_t, std::string> upwards(8);
  std::unordered_map<std::int32_t, std::string> downwards(3000);
  for (int i = 0; i < 1000; ++i) upwards.emplace(i, std::to_string(i));
  for (int i = 999; i >= 0; --i) downwards.emplace(i, std::to_string(i));
  REQUIRE(!std::equal(upwards.begin(), upwards.end(), downwards.begin()));
  CHECK(tact::encode(upwards) == tact::encode(downwards));
}

TEST_CASE("codec: a list of numbers takes their size, and a few bytes", "[codec]") {
  const std::vector<std::int64_t> numbers(1000, -1);
  CHECK(tact::encode_compact(numbers).size() == 8 + 2 + 8000);
  CHECK(tact::encode(numbers).size() < 8000 + 16);
}

TEST_CASE("codec: what only moves is encoded and decoded", "[codec]") {
  std::vector<std::unique_ptr<std::string>> before;
  before.push_back(std::make_unique<std::string>("one"));
  before.push_back(nullptr);
  const auto after = tact::decode<std::vector<std::unique_ptr<std::string>>>(tact::encode(before));
  REQUIRE(after.size() == 2);
  CHECK(*after[0] == "one");
  CHECK(after[1] == nullptr);
}

}  // namespace

}  // namespace round_trip_test
