// Flattening, indexes and narrowing of protocols.
#include "messages.hpp"
#include "support/catch.hpp"

namespace protocol_test {

using tact::detail::index_of;
using tact::detail::list;
using tact::detail::messages_of;
using tact::detail::narrows_to;
using tact::detail::not_included;

namespace {

template <int>
struct numbered {};
template <int... I>
tact::protocol<numbered<I>...> numbers(std::integer_sequence<int, I...>);

struct later;
struct keeps_ref_to_later {
  tact::ref<later> who;
};
struct later : tact::protocol<keeps_ref_to_later> {};

}  // namespace

TEST_CASE("protocol: included protocols are flattened in their own order", "[api]") {
  STATIC_REQUIRE(std::is_same_v<messages_of<bank::branch>, list<long, bank::deposit, tact::request<bank::balance>,
                                                                std::string, bank::open, bank::close, double>>);
  STATIC_REQUIRE(messages_of<bank::region>::size == 8);
}

TEST_CASE("protocol: an included run is contiguous, also at the second level", "[api]") {
  STATIC_REQUIRE(index_of<bank::branch, bank::account> == 1);
  STATIC_REQUIRE(index_of<bank::branch, bank::door> == 4);
  STATIC_REQUIRE(index_of<bank::region, bank::branch> == 1);
  STATIC_REQUIRE(index_of<bank::region, bank::door> == 5);
  STATIC_REQUIRE(index_of<bank::region, bank::close> ==
                 index_of<bank::region, bank::door> + index_of<bank::door, bank::close>);
}

TEST_CASE("protocol: narrowing goes to messages and included protocols, never back", "[api]") {
  STATIC_REQUIRE(narrows_to<bank::region, bank::account>);
  STATIC_REQUIRE(narrows_to<bank::region, double>);
  STATIC_REQUIRE_FALSE(narrows_to<bank::account, bank::branch>);
  STATIC_REQUIRE_FALSE(narrows_to<bank::deposit, bank::account>);
  STATIC_REQUIRE(index_of<bank::account, bank::open> == not_included);
}

TEST_CASE("protocol: a message alone is a protocol of one", "[api]") {
  STATIC_REQUIRE(std::is_same_v<messages_of<long>, list<long>>);
  STATIC_REQUIRE(index_of<long, long> == 0);
}

TEST_CASE("protocol: 64 messages are allowed", "[api]") {
  using most = decltype(numbers(std::make_integer_sequence<int, 64>{}));
  STATIC_REQUIRE(sizeof(most) == 1);
  STATIC_REQUIRE(index_of<most, numbered<63>> == 63);
}

TEST_CASE("protocol: a message may keep a ref to the protocol that contains it", "[api]") {
  STATIC_REQUIRE(sizeof(keeps_ref_to_later) == 8);
  STATIC_REQUIRE(narrows_to<later, keeps_ref_to_later>);
}

}  // namespace protocol_test
