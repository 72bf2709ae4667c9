// The bytes of keys are in the order of the keys, and come back as the keys.
#include "tact/codec/key.hpp"

#include <array>
#include <chrono>
#include <compare>
#include <cstdint>
#include <limits>
#include <optional>
#include <stdexcept>
#include <string>
#include <string_view>
#include <tuple>
#include <utility>
#include <vector>

#include "codec/everything.hpp"
#include "codec/faults.hpp"
#include "support/catch.hpp"
#include "support/seed.hpp"

namespace key_test {

namespace {

using namespace tact::codec_tests;
using namespace std::string_literals;
using namespace std::string_view_literals;

// What is wrong; empty: nothing.
template <class K>
std::string fault_of_order(const std::vector<K>& keys) {
  std::vector<std::string> all;
  for (const K& k : keys) {
    all.push_back(tact::encode_key(k));
    if (!(tact::decode_key<K>(all.back()) == k)) return "a key does not come back";
  }
  for (std::size_t i = 0; i < keys.size(); ++i) {
    for (std::size_t j = 0; j < keys.size(); ++j) {
      if ((keys[i] < keys[j]) != (all[i] < all[j])) return std::to_string(i) + " and " + std::to_string(j);
    }
  }
  return {};
}
template <class K, class Make>
std::vector<K> some(Make make) {
  std::vector<K> all;
  for (int i = 0; i < 60; ++i) all.push_back(make());
  return all;
}
template <class N>
std::string numbers(values& random) {
  return fault_of_order(some<N>([&] { return random.number<N>(); }));
}
// Few letters, so that texts are equal, or begin equally, or have zeros.
std::string short_text(values& random) {
  std::string made;
  for (std::uint32_t n = random.below(4); n != 0; --n)
    made.push_back(
        "\0\1\xff"
        "a"[random.below(4)]);
  return made;
}

struct place {
  std::string name;
  std::int32_t number = 0;
  std::optional<double> height;
  auto operator<=>(const place&) const = default;
};
enum class level : std::int8_t { low = -1, high = 1 };

TEST_CASE("encode_key: numbers are in their order", "[codec]") {
  TACT_SEEDED(seed);
  values random(seed);
  CHECK(numbers<std::int8_t>(random) == "");
  CHECK(numbers<std::uint8_t>(random) == "");
  CHECK(numbers<std::int16_t>(random) == "");
  CHECK(numbers<std::uint32_t>(random) == "");
  CHECK(numbers<std::int64_t>(random) == "");
  CHECK(numbers<std::uint64_t>(random) == "");
  CHECK(fault_of_order(some<char>([&] { return static_cast<char>(random.below(256)); })) == "");
  CHECK(fault_of_order(std::vector<bool>{true, false}) == "");
  CHECK(fault_of_order(std::vector{level::high, level::low}) == "");
}
TEST_CASE("encode_key: floating numbers are in their order, but for what is none", "[codec]") {
  using limits = std::numeric_limits<double>;
  CHECK(fault_of_order(std::vector{-limits::infinity(), limits::lowest(), -1.5, -limits::denorm_min(), 0.0,
                                   limits::denorm_min(), 1e-300, 1.0, limits::max(), limits::infinity()}) == "");
  CHECK(fault_of_order(std::vector{-2.5f, -0.5f, 0.0f, 1e-40f, 3e30f}) == "");
  CHECK(tact::encode_key(-0.0) == tact::encode_key(0.0));
  std::string bytes = "before";
  CHECK_THROWS_WITH(tact::encode_key_into(bytes, std::pair(1, limits::quiet_NaN())),
                    "tact::encode_key: NaN has no place in the order");
  CHECK_THROWS_AS(tact::encode_key(-std::numeric_limits<float>::quiet_NaN()), std::invalid_argument);
  CHECK(bytes == "before");
}
TEST_CASE("encode_key: texts are in their order, alone and inside others", "[codec]") {
  TACT_SEEDED(seed);
  values random(seed);
  CHECK(fault_of_order(some<std::string>([&] { return short_text(random); })) == "");
  using two = std::pair<std::string, std::string>;
  CHECK(fault_of_order(some<two>([&] { return two(short_text(random), short_text(random)); })) == "");
  using mixed = std::tuple<std::string, std::uint8_t, std::string>;
  CHECK(fault_of_order(some<mixed>([&] {
          return mixed(short_text(random), static_cast<std::uint8_t>(random.below(3)), short_text(random));
        })) == "");
  CHECK(tact::encode_key("a\0b"s) == "a\0b"s);
  CHECK(tact::encode_key(std::string_view("ab")) == "ab");
  CHECK(tact::encode_key(std::pair<std::string_view, bool>("a\0b"sv, true)) == "a\0\1b\0\0\1"s);
}
TEST_CASE("encode_key: structs, arrays, optionals and times are in their order", "[codec]") {
  TACT_SEEDED(seed);
  values random(seed);
  CHECK(fault_of_order(some<place>([&] {
          std::optional<double> height;
          if (random.below(2) == 0) height = static_cast<double>(random.below(3)) - 1;
          return place{short_text(random), static_cast<std::int32_t>(random.below(3)) - 1, height};
        })) == "");
  using three = std::array<std::int16_t, 3>;
  CHECK(fault_of_order(some<three>([&] {
          const auto n = [&] { return static_cast<std::int16_t>(random.below(3) - 1); };
          return three{n(), n(), n()};
        })) == "");
  using clock = std::chrono::system_clock;
  CHECK(fault_of_order(some<clock::time_point>(
            [&] { return clock::time_point(clock::duration(random.number<std::int64_t>())); })) == "");
  CHECK(fault_of_order(
            some<std::chrono::seconds>([&] { return std::chrono::seconds(random.number<std::int64_t>()); })) == "");
}

TEST_CASE("decode_key: bytes of no key are refused with their place", "[codec]") {
  const auto fault = [](const std::string& bytes) { return fault_of([&] { (void)tact::decode_key<place>(bytes); }); };
  const std::string good = tact::encode_key(place{"a\0b"s, 7, 2.5});
  for (std::size_t n = 0; n < good.size(); ++n) {
    REQUIRE_THROWS_AS(tact::decode_key<place>(std::string_view(good).substr(0, n)), tact::decode_error);
  }
  CHECK(fault(good + "x") == "key place: expected its end, found 1 bytes at byte " + std::to_string(good.size()));
  CHECK(fault("abc") == "key place: expected a text that ends with two zeros, found 3 bytes at byte 0");
  CHECK(fault("a\0\2"s) == "key place: expected a text that ends with two zeros, found 3 bytes at byte 0");
  CHECK(fault("a\0\xa4"s) == "key place: expected a text that ends with two zeros, found 3 bytes at byte 0");
  CHECK(fault("a\0\0abc"s) == "key place: expected a number, found 3 bytes at byte 3");
  CHECK(fault("a\0\0abcd\2"s) == "key place: expected 0 or 1, found 1 bytes at byte 7");
  CHECK(fault("a\0\0abcd\1\xff\xff\xff\xff\xff\xff\xff\xff"s) ==
        "key place: expected a number that has a place in the order, found 8 bytes at byte 8");
}

}  // namespace

}  // namespace key_test
