// What an older program has written is read by one whose types have changed; or it is said why not.
#include <array>
#include <chrono>
#include <cmath>
#include <cstddef>
#include <cstdint>
#include <deque>
#include <limits>
#include <map>
#include <optional>
#include <set>
#include <stdexcept>
#include <string>
#include <utility>
#include <variant>
#include <vector>

#include "codec/faults.hpp"
#include "support/catch.hpp"
#include "tact/codec/codec.hpp"
#include "tact/data/map.hpp"

namespace migration_test {

struct entry {
  std::int64_t amount = 0;
  std::string what;
  bool operator==(const entry&) const = default;
};

namespace v1 {
struct account {
  std::string owner;
  std::int64_t balance = 0;
  std::string note;
  std::vector<entry> history;
};
}  // namespace v1
namespace added {
struct account {
  std::int32_t branch = 7;
  std::vector<std::string> tags{"new"};
  std::string owner;
  std::int64_t balance = 0;
  std::string note;
  std::vector<entry> history;
};
}  // namespace added
namespace fewer {
struct account {
  std::vector<entry> history;
  std::string owner;
};
}  // namespace fewer
namespace new_names {
struct account {
  std::string holder;
  std::int64_t amount = 0;
  std::vector<entry> history;
};
}  // namespace new_names
namespace undeclared {
struct account {
  std::string owner;
  std::int64_t amount = 5;
};
}  // namespace undeclared
namespace replaced {
struct account {
  std::string owner;
  std::int64_t amount = 5;
};
}  // namespace replaced
namespace other_types {
struct entry {
  std::int32_t amount = 0;
  std::optional<std::string> what;
};
struct account {
  std::vector<char> owner;
  double balance = 0;
  std::deque<entry> history;
};
}  // namespace other_types
namespace bad {
struct entry {
  std::string amount;
};
struct account {
  std::string owner;
  std::vector<entry> history;
};
}  // namespace bad
namespace strange {
struct account {
  bool open = true;
};
}  // namespace strange

// Three versions of a type whose members do not say how one becomes the next.
struct name_of_1 {
  std::string full;
};
struct name_of_2 {
  std::string first;
  std::string last;
};
struct name_of_3 {
  std::vector<std::string> parts;
  std::uint32_t letters = 0;
};

}  // namespace migration_test

template <>
struct tact::codec<migration_test::new_names::account> {
  static constexpr tact::renamed renamed[] = {{"owner", "holder"}, {"balance", "amount"}};
};
template <>
struct tact::codec<migration_test::replaced::account> {
  static constexpr std::string_view removed[] = {"balance"};
};
template <>
struct tact::codec<migration_test::name_of_1> {
  static constexpr std::string_view name = "name";
};
template <>
struct tact::codec<migration_test::name_of_2> {
  static constexpr std::string_view name = "name";
  static constexpr unsigned version = 2;
  static migration_test::name_of_2 upgrade(const migration_test::name_of_1& old) {
    const std::size_t space = old.full.find(' ');
    if (space == std::string::npos) throw std::invalid_argument("a name has two parts");
    return {old.full.substr(0, space), old.full.substr(space + 1)};
  }
};
template <>
struct tact::codec<migration_test::name_of_3> {
  static constexpr std::string_view name = "name";
  static constexpr unsigned version = 3;
  static migration_test::name_of_3 upgrade(migration_test::name_of_2 old) {
    const auto letters = static_cast<std::uint32_t>(old.first.size() + old.last.size());
    return {{std::move(old.first), std::move(old.last)}, letters};
  }
};

namespace migration_test {

namespace {

using namespace tact::codec_tests;
using namespace std::chrono_literals;
using Catch::Matchers::Contains;

template <class To, class From>
To become(const From& value) {
  const To described = tact::decode<To>(tact::encode(value));
  const tact::shape writer(tact::shape_of<From>().description());
  const To compact = tact::decode_compact<To>(tact::encode_compact(value), writer);
  if (tact::encode(described) != tact::encode(compact)) throw std::logic_error("two ways to read, two values");
  return described;
}
// What is said, or "read" and the new value in text.
template <class To, class From>
std::string fault_of_change(const From& value) {
  return fault_of([&] { (void)become<To>(value); });
}

const v1::account ada{"Ada", 12, "vip", {{1, "first"}, {-2, "second"}}};

TEST_CASE("migration: members that are new have the value that a new object has", "[codec]") {
  const auto a = become<added::account>(ada);
  CHECK(a.branch == 7);
  CHECK(a.tags == std::vector<std::string>{"new"});
  CHECK(a.owner == "Ada");
  CHECK(a.balance == 12);
  CHECK(a.note == "vip");
  CHECK(a.history == ada.history);
}

TEST_CASE("migration: members that have gone are passed over, and the order is of no account", "[codec]") {
  const auto a = become<fewer::account>(ada);
  CHECK(a.history == ada.history);
  CHECK(a.owner == "Ada");
}

TEST_CASE("migration: renamed members keep their values", "[codec]") {
  const auto a = become<new_names::account>(ada);
  CHECK(a.holder == "Ada");
  CHECK(a.amount == 12);
}

TEST_CASE("migration: a member with another name is refused until the program says what it is", "[codec]") {
  CHECK(fault_of_change<undeclared::account>(ada) ==
        "account: expected the member 'amount', found 'balance' of the same type int64; tact::codec<account> must say "
        "whether that is `renamed` or `removed`");
  CHECK(become<replaced::account>(ada).amount == 5);
}

TEST_CASE("migration: types of members change where each value is kept", "[codec]") {
  const auto a = become<other_types::account>(ada);
  CHECK(std::string(a.owner.begin(), a.owner.end()) == "Ada");
  CHECK(a.balance == 12);
  REQUIRE(a.history.size() == 2);
  CHECK(a.history[1].amount == -2);
  CHECK(a.history[1].what == "second");
}

TEST_CASE("migration: a value that the new type does not have is named with its place", "[codec]") {
  v1::account rich = ada;
  rich.history[1].amount = 300000000000;
  const std::string fault = fault_of_change<other_types::account>(rich);
  CHECK_THAT(fault, Contains("account.history[1].amount: expected int32, found the int64 300000000000, which does not "
                             "fit at byte "));
  const std::string bytes = tact::encode(rich);
  const std::size_t at = bytes.find(std::string("\x00\xB8\x64\xD9\x45\x00\x00\x00", 8));
  REQUIRE(at != std::string::npos);
  CHECK(fault.ends_with("at byte " + std::to_string(at + 8)));
}

TEST_CASE("migration: types that cannot become each other are refused before a value is read", "[codec]") {
  v1::account empty;
  CHECK(fault_of_change<bad::account>(empty) ==
        "account.history[].amount: expected text, found int64, which it cannot be made of");
  CHECK(fault_of_change<strange::account>(empty) == "account: has no member in common with the account that was found");
  CHECK(fault_of_change<std::string>(empty) == "text: expected text, found account, which it cannot be made of");
}

template <class To, class From>
bool keeps(From value) {
  return static_cast<From>(become<To>(value)) == value;
}
template <class To, class From>
bool refuses(From value) {
  return fault_of_change<To>(value).find("which does not fit") != std::string::npos;
}
TEST_CASE("migration: numbers become numbers of another kind, or are refused", "[codec]") {
  constexpr std::int64_t least = std::numeric_limits<std::int64_t>::min();
  constexpr std::uint64_t most = std::numeric_limits<std::uint64_t>::max();
  CHECK(keeps<std::int64_t>(std::int32_t{-5}));
  CHECK(keeps<std::int8_t>(std::int64_t{-128}));
  CHECK(refuses<std::int8_t>(std::int64_t{-129}));
  CHECK(keeps<std::uint64_t>(std::numeric_limits<std::int64_t>::max()));
  CHECK(refuses<std::uint64_t>(std::int64_t{-1}));
  CHECK(refuses<std::int64_t>(most));
  CHECK(keeps<std::uint8_t>(true));
  CHECK(keeps<bool>(std::int32_t{1}));
  CHECK(refuses<bool>(std::int32_t{2}));
  CHECK(keeps<double>(std::int64_t{1} << 60));
  CHECK(keeps<double>(least));
  CHECK(refuses<double>((std::int64_t{1} << 60) + 1));
  CHECK(refuses<double>(most));
  CHECK(refuses<float>(std::int32_t{16777217}));
  CHECK(keeps<float>(std::int32_t{16777216}));
  CHECK(keeps<std::int64_t>(-9223372036854775808.0));
  CHECK(refuses<std::int64_t>(9223372036854775808.0));
  CHECK(keeps<std::uint64_t>(9223372036854775808.0));
  CHECK(refuses<std::uint64_t>(18446744073709551616.0));
  CHECK(refuses<std::int32_t>(0.5));
  CHECK(refuses<std::int32_t>(std::numeric_limits<double>::infinity()));
  CHECK(refuses<std::int32_t>(std::numeric_limits<double>::quiet_NaN()));
  CHECK(keeps<float>(0.25));
  CHECK(refuses<float>(0.1));
  CHECK(refuses<float>(1e300));
  CHECK(keeps<float>(-std::numeric_limits<double>::infinity()));
  CHECK(std::isnan(become<float>(std::numeric_limits<double>::quiet_NaN())));
  CHECK(keeps<double>(0.1f));
}

enum class narrow : std::int8_t { one = 1 };
enum class wide : std::int32_t { one = 1, many = 1000 };
TEST_CASE("migration: enumerations are known by their values", "[codec]") {
  CHECK(become<wide>(narrow::one) == wide::one);
  CHECK(become<narrow>(wide::one) == narrow::one);
  CHECK(refuses<narrow>(wide::many));
}

TEST_CASE("migration: containers become others, if no entry is lost", "[codec]") {
  using words = std::vector<std::string>;
  CHECK(become<std::set<std::string>>(words{"b", "a"}) == std::set<std::string>{"a", "b"});
  CHECK_THAT(fault_of_change<std::set<std::string>>(words{"b", "a", "b"}),
             Contains("set<text>[2]: has a key that an entry before it has"));
  CHECK(become<words>(std::set<std::string>{"b", "a"}) == words{"a", "b"});
  CHECK(become<std::vector<std::int64_t>>(std::array<std::int32_t, 2>{3, -4}) == std::vector<std::int64_t>{3, -4});
  CHECK(become<std::vector<std::byte>>(std::string("ab")) == std::vector{std::byte{'a'}, std::byte{'b'}});
  CHECK(become<std::string>(std::vector<std::uint8_t>{'a', 'b'}) == "ab");
  CHECK(become<std::map<std::int64_t, std::optional<bool>>>(std::map<std::int8_t, bool>{{1, true}}) ==
        std::map<std::int64_t, std::optional<bool>>{{1, true}});
  CHECK(become<std::pair<std::int64_t, double>>(std::pair<std::int32_t, float>{1, 0.5f}) == std::pair{1L, 0.5});
  CHECK(tact::shape_of<std::map<std::string, int>>() == tact::shape_of<tact::map<std::string, int>>());
  CHECK_THAT(fault_of_change<words>(std::map<std::string, int>{}),
             Contains("expected list<text>, found map<text, int32>"));
  using two = std::array<int, 2>;
  CHECK_THAT(fault_of_change<two>(std::array<int, 3>{}), Contains("expected array<int32, 2>, found array<int32, 3>"));
  CHECK_THAT((fault_of_change<std::pair<int, int>>(std::tuple<int, int, int>{})),
             Contains("expected tuple<int32, int32>"));
}

TEST_CASE("migration: a value becomes an optional one, and not the other way", "[codec]") {
  CHECK(become<std::optional<std::int64_t>>(std::int32_t{3}) == 3);
  CHECK(become<std::optional<std::int64_t>>(std::optional<std::int32_t>{}) == std::nullopt);
  CHECK_THAT(fault_of_change<int>(std::optional<int>{1}), Contains("int32: expected int32, found optional<int32>"));
}

TEST_CASE("migration: alternatives of a variant are known by their types", "[codec]") {
  using before = std::variant<int, std::string, entry>;
  using after = std::variant<entry, bool, std::string>;
  CHECK(std::get<2>(become<after>(before("text"))) == "text");
  CHECK(std::get<0>(become<after>(before(entry{1, "x"}))) == entry{1, "x"});
  CHECK_THAT(fault_of_change<after>(before(7)), Contains("found the alternative int32"));
  using twice = std::variant<int, int>;
  CHECK(become<std::variant<bool, int, int>>(twice(std::in_place_index<1>, 4)).index() == 2);
}

TEST_CASE("migration: durations and times keep their length when their unit changes", "[codec]") {
  CHECK(become<std::chrono::milliseconds>(3s) == 3000ms);
  CHECK(become<std::chrono::seconds>(3000ms) == 3s);
  CHECK_THAT(fault_of_change<std::chrono::seconds>(3001ms), Contains("found the int64 3001, which does not fit"));
  CHECK(refuses<std::chrono::nanoseconds>(std::chrono::hours(1L << 50)));
  CHECK(become<std::chrono::duration<double>>(1500ms).count() == 1.5);
  CHECK(become<std::chrono::hours>(std::chrono::duration<double>(7200)) == 2h);
  using seconds = std::chrono::time_point<std::chrono::system_clock, std::chrono::seconds>;
  const std::chrono::system_clock::time_point at(5s);
  CHECK(become<seconds>(at) == at);
  CHECK_THAT(fault_of_change<seconds>(at + 1ns), Contains("does not fit"));
}

TEST_CASE("migration: a function makes a version of the one before it, from version to version", "[codec]") {
  const std::vector<name_of_1> old{{"Ada Lovelace"}, {"Alan Turing"}};
  const auto two = become<std::vector<name_of_2>>(old);
  CHECK(two[1].last == "Turing");
  const auto three = become<std::vector<name_of_3>>(old);
  CHECK(three[0].parts == std::vector<std::string>{"Ada", "Lovelace"});
  CHECK(three[0].letters == 11);
  CHECK_THAT(fault_of_change<std::vector<name_of_3>>(std::vector<name_of_1>{{"Ada L"}, {"Ada"}}),
             Contains("list<name>[1]: cannot be upgraded: a name has two parts"));
  CHECK_THAT(fault_of_change<name_of_1>(name_of_3{}),
             Contains("name: expected version 1 or an older one, found version 3"));
}

TEST_CASE("migration: a type that is written as another one is read from it", "[codec]") {
  CHECK(become<path>(std::string("a")).text() == "a");
  CHECK(become<std::string>(path("a")) == "a");
  CHECK_THAT(fault_of_change<std::vector<path>>(std::vector<std::string>{"a", "b\nc"}),
             Contains("list<path>[1]: a path has one line"));
}

TEST_CASE("migration: bytes of a shape that is not known are refused", "[codec]") {
  const std::string bytes = tact::encode_compact(ada);
  const auto unknown = [](std::uint64_t) -> const tact::shape* { return nullptr; };
  CHECK_THAT(fault_of([&] { (void)tact::decode_compact<added::account>(bytes, unknown); }),
             Contains("account: expected a shape that is known, found the fingerprint " +
                      std::to_string(tact::shape_of<v1::account>().fingerprint())));
  CHECK_THAT(fault_of([&] { (void)tact::decode_compact<added::account>(bytes, tact::shape_of<int>()); }),
             Contains("expected a shape that is known"));
  CHECK(tact::fingerprint_in(bytes) == tact::shape_of<v1::account>().fingerprint());
}

template <std::size_t... I>
bool are_read(std::index_sequence<I...>) {
  const auto is_read = []<std::size_t N>(std::integral_constant<std::size_t, N>) {
    return become<std::vector<std::int64_t>>(std::array<std::int8_t, N>{1}).size() == N;
  };
  return (is_read(std::integral_constant<std::size_t, I + 1>{}) && ...);
}
TEST_CASE("migration: more shapes of one type are read than are kept in mind", "[codec]") {
  for (int round = 0; round < 3; ++round) CHECK(are_read(std::make_index_sequence<20>{}));
}

}  // namespace

}  // namespace migration_test
