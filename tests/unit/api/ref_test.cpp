// Size, narrowing, comparison and printing of refs.
#include <sstream>
#include <unordered_set>

#include "messages.hpp"
#include "support/catch.hpp"

namespace ref_test {

using tact::ref;
using tact::detail::access;

namespace {

constexpr tact::detail::port cell = 0x7f3a40;
constexpr tact::detail::port generation = 12;
constexpr tact::detail::port whole = generation << 48 | cell << 6;

}  // namespace

TEST_CASE("ref: is 8 bytes that may be copied as such", "[api]") {
  STATIC_REQUIRE(sizeof(ref<bank::account>) == 8);
  STATIC_REQUIRE(std::is_trivially_copyable_v<ref<bank::account>>);
}

TEST_CASE("ref: narrowing adds a constant to the port", "[api]") {
  const auto r = access::make_ref<bank::region>(whole);
  CHECK(access::port_of(ref<bank::branch>(r)) == whole + 1);
  CHECK(access::port_of(ref<bank::close>(r)) == whole + 6);
  CHECK(access::port_of(ref<bank::close>(ref<bank::door>(ref<bank::branch>(r)))) == whole + 6);
}

TEST_CASE("ref: widening and unrelated conversions do not exist", "[api]") {
  STATIC_REQUIRE(std::is_convertible_v<ref<bank::account>, ref<bank::deposit>>);
  STATIC_REQUIRE_FALSE(std::is_constructible_v<ref<bank::account>, ref<bank::deposit>>);
  STATIC_REQUIRE_FALSE(std::is_constructible_v<ref<bank::door>, ref<bank::account>>);
  STATIC_REQUIRE_FALSE(std::is_constructible_v<ref<bank::account>, tact::detail::port>);
}

TEST_CASE("ref: nobody's stays nobody's when narrowed", "[api]") {
  const ref<bank::region> nobody;
  CHECK_FALSE(nobody);
  CHECK_FALSE(ref<bank::close>(nobody));
  CHECK(ref<bank::close>(nobody) == ref<bank::close>());
}

TEST_CASE("ref: compares and hashes by address", "[api]") {
  const auto a = access::make_ref<bank::account>(whole);
  const auto b = access::make_ref<bank::account>(whole + 64);
  CHECK(a == a);
  CHECK(a != b);
  CHECK(a < b);
  CHECK(ref<bank::deposit>(a) == a);
  const std::unordered_set<ref<bank::account>> known{a, b, a};
  CHECK(known.size() == 2);
  CHECK(known.contains(b));
}

TEST_CASE("ref: prints protocol, cell and generation", "[api]") {
  std::ostringstream out;
  out << access::make_ref<bank::account>(whole) << ' ' << ref<long>();
  CHECK(out.str().starts_with("account@7f3a40#12 "));
  CHECK(out.str().ends_with("@nobody"));
}

}  // namespace ref_test
