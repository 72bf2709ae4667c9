// Bytes that are none of a value are refused with their place; whatever they are, nothing else happens.
#include <array>
#include <cstdint>
#include <map>
#include <memory>
#include <optional>
#include <stdexcept>
#include <string>
#include <string_view>
#include <tuple>
#include <variant>
#include <vector>

#include "codec/everything.hpp"
#include "codec/faults.hpp"
#include "support/catch.hpp"
#include "support/seed.hpp"
#include "tact/codec/codec.hpp"

namespace fault_test {

namespace {

using namespace tact::codec_tests;
using namespace std::string_literals;
using Catch::Matchers::Contains;
using Catch::Matchers::StartsWith;

struct account {
  std::string owner;
  std::vector<item> history;
  bool open = true;
};

// Of the bytes of a value behind the fingerprint, eight of which are in front.
template <class T>
std::string fault_in(const std::string& body) {
  std::string bytes = tact::encode_compact(T{}).substr(0, 8) + body;
  return fault_of([&] { (void)tact::decode_compact<T>(bytes, tact::shape_of<T>()); });
}

TEST_CASE("decode: each fault is named with the member, what was expected and found, and the byte", "[codec]") {
  CHECK(fault_in<std::int32_t>("abc") == "int32: expected int32 of 4 bytes, found the end after 3 at byte 8");
  CHECK(fault_in<std::int32_t>("abcde") == "int32: expected the end of the value, found 1 more bytes at byte 12");
  CHECK(fault_in<bool>("\2") == "bool: expected bool, which is 0 or 1, found 2 at byte 8");
  CHECK(fault_in<std::string>("\5ab") == "text: expected text of 5 bytes, found the end after 2 at byte 9");
  CHECK(fault_in<std::string>("") == "text: expected the size of text, found the end at byte 8");
  CHECK(fault_in<std::string>("\x80\x80") == "text: expected the size of text, found the end at byte 8");
  CHECK(fault_in<std::string>("\x80\0"s) == "text: expected the size of text, found a malformed number at byte 8");
  CHECK(fault_in<std::string>(std::string(9, '\xff') + "\2") ==
        "text: expected the size of text, found a malformed number at byte 8");
  CHECK(fault_in<std::vector<std::int64_t>>("\2" + std::string(15, 'x')) ==
        "list<int64>: expected list of 2 entries, found only 15 bytes at byte 8");
  CHECK(fault_in<std::optional<bool>>("\3") ==
        "optional<bool>: expected the flag of an optional, which is 0 or 1, found 3 at byte 8");
  CHECK(fault_in<std::variant<bool, char>>("\2") ==
        "variant<bool, uint8>: expected one of 2 alternatives, found the number 2 at byte 8");
  CHECK(fault_in<nothing>("\1") == "nothing: expected an empty value, which is 0, found 1 at byte 8");
  CHECK(fault_in<std::array<int, 0>>("\1") ==
        "array<int32, 0>: expected an empty array, which is 0, found 1 at byte 8");
  CHECK(fault_in<account>("\3Ada\1abcdefgh\5x") ==
        "account.history[0].what: expected text of 5 bytes, found the end after 1 at byte 22");
  CHECK(fault_in<account>("\3Ada\0\2"s) == "account.open: expected bool, which is 0 or 1, found 2 at byte 13");
  CHECK(fault_in<std::map<std::string, bool>>("\2\1a\1\1a\1"s) ==
        "map<text, bool>[1]: has a key that an entry before it has at byte 12");
  CHECK(fault_in<std::map<std::string, bool>>("\1\1a\2"s) ==
        "map<text, bool>[0].value: expected bool, which is 0 or 1, found 2 at byte 11");
  CHECK(fault_in<std::map<path, bool>>("\1\1\n\1"s) == "map<path, bool>[0].key: a path has one line at byte 9");
  CHECK(fault_in<std::tuple<bool, bool>>("\1\2") ==
        "tuple<bool, bool>[1]: expected bool, which is 0 or 1, found 2 at byte 9");
}

TEST_CASE("decode: what stands in front of the value is looked at", "[codec]") {
  const auto fault = [](const std::string& bytes) { return fault_of([&] { (void)tact::decode<account>(bytes); }); };
  CHECK(fault("") == "account: expected bytes that tact::encode has written, found others at byte 0");
  CHECK(fault("\2") == "account: expected bytes that tact::encode has written, found others at byte 0");
  CHECK(fault("\1") == "account: expected the size of the shape, found none at byte 1");
  CHECK(fault("\1\5ab") == "account: expected a shape of 5 bytes, found the end after 2 at byte 2");
  CHECK_THAT(fault("\1\2\x0F\0"s), StartsWith("shape: expected the description of a type, but "));
  CHECK(fault_of([] { (void)tact::decode_compact<account>("abc", tact::shape_of<account>()); }) ==
        "account: expected the fingerprint of a shape, found the end after 3 at byte 0");
}

TEST_CASE("decode_error: knows the path and the byte", "[codec]") {
  const std::string bytes = tact::encode(account{"Ada", {{1, "x"}}, true});
  try {
    (void)tact::decode<account>(std::string_view(bytes).substr(0, bytes.size() - 1));
    FAIL("bytes were read that are cut off");
  } catch (const tact::decode_error& e) {
    CHECK(e.path() == "account.open");
    CHECK(e.offset() == bytes.size() - 1);
  }
}

TEST_CASE("decode: bytes that are cut off anywhere are refused", "[codec]") {
  TACT_SEEDED(seed);
  const std::string bytes = tact::encode(values(seed).all());
  for (std::size_t n = 0; n < bytes.size(); ++n) {
    // Memory of exactly this size: AddressSanitizer sees each read behind it.
    const std::vector<char> cut(bytes.begin(), bytes.begin() + static_cast<std::ptrdiff_t>(n));
    REQUIRE_THROWS_AS(tact::decode<everything>({cut.data(), cut.size()}), tact::decode_error);
  }
}

TEST_CASE("decode: bytes with one that is another give a value or an error", "[codec]") {
  TACT_SEEDED(seed);
  values random(seed);
  const std::string bytes = tact::encode(random.all());
  int read = 0;
  for (std::size_t n = 0; n < bytes.size(); ++n) {
    std::string other = bytes;
    other[n] = static_cast<char>(static_cast<unsigned char>(other[n]) ^ (1U << random.below(8)));
    try {
      const everything e = tact::decode<everything>(other);
      const std::string again = tact::encode(e);
      REQUIRE(tact::decode<everything>(again) == e);
      ++read;
    } catch (const tact::decode_error&) {
    }
  }
  CHECK(read > 0);
}

TEST_CASE("encode: what throws leaves the buffer as it was", "[codec]") {
  std::string bytes = "before";
  std::vector<std::vector<std::string>> deep{{"one"}};
  CHECK_THROWS_WITH(tact::encode_into(bytes, deep, {.depth = 1}),
                    "tact::encode: list<list<text>>: values are nested deeper than codec_limits::depth allows");
  CHECK_THROWS_WITH(
      tact::encode_compact_into(bytes, deep, {.items = 1}),
      "tact::encode: list<list<text>>: containers have more entries in all than codec_limits::items allows");
  CHECK_THROWS_WITH(tact::encode_into(bytes, deep, {.bytes = 10}),
                    "tact::encode: list<list<text>>: has more bytes than codec_limits::bytes allows");
  CHECK(bytes == "before");
}

}  // namespace

}  // namespace fault_test
