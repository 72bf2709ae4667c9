// Names of types, sizes of requests, and what the core is told of a message type.
#include <array>
#include <memory>

#include "messages.hpp"
#include "support/catch.hpp"

namespace message_type_test {

using tact::detail::message_type_of;
using tact::detail::type_name;

namespace {

struct local {};
template <class T>
struct outer {
  struct inner {};
};
struct large {
  std::array<char, 81> bytes;
};
struct moves_throwing {
  moves_throwing(const moves_throwing&) {}
};
struct alignas(32) aligned {};

}  // namespace

TEST_CASE("type_name: has no namespaces, at any depth", "[api]") {
  CHECK(type_name<bank::deposit> == "deposit");
  CHECK(type_name<tact::request<bank::balance>> == "request<balance>");
  CHECK(type_name<outer<tact::request<bank::balance>>> == "outer<request<balance>>");
  CHECK(type_name<outer<bank::deposit>::inner> == "inner");
  CHECK(type_name<local> == "local");
  CHECK(type_name<int> == "int");
  CHECK(type_name<const bank::deposit> == "const deposit");
}

TEST_CASE("type_name: of a type inside a function is that type's", "[api]") {
  struct inside {};
  CHECK(type_name<inside> == "inside");
  CHECK(type_name<outer<inside>> == "outer<inside>");
}

TEST_CASE("request: adds 8 bytes to its body, none for an empty one", "[api]") {
  STATIC_REQUIRE(sizeof(tact::request<bank::balance>) == 8);
  STATIC_REQUIRE(sizeof(tact::request<bank::transfer>) == 16);
  STATIC_REQUIRE(std::is_same_v<tact::request<bank::transfer>::reply, tact::done>);
}

TEST_CASE("message_type: what moves without throwing lies in the queue", "[api]") {
  STATIC_REQUIRE_FALSE(message_type_of<bank::deposit>.indirect);
  STATIC_REQUIRE_FALSE(message_type_of<std::string>.indirect);
  STATIC_REQUIRE_FALSE(message_type_of<std::unique_ptr<int>>.indirect);
  STATIC_REQUIRE(message_type_of<std::string>.payload_bytes == sizeof(std::string));
}

TEST_CASE("message_type: the rest is boxed", "[api]") {
  STATIC_REQUIRE(message_type_of<large>.indirect);
  STATIC_REQUIRE(message_type_of<moves_throwing>.indirect);
  STATIC_REQUIRE(message_type_of<aligned>.indirect);
  STATIC_REQUIRE(message_type_of<large>.payload_bytes == sizeof(void*));
}

TEST_CASE("message_type: bytes are copied and nothing is called when that is enough", "[api]") {
  CHECK(message_type_of<bank::deposit>.relocate == nullptr);
  CHECK(message_type_of<bank::deposit>.destroy == nullptr);
  CHECK(message_type_of<std::string>.relocate != nullptr);
  CHECK(message_type_of<std::string>.destroy != nullptr);
}

TEST_CASE("message_type: names the customer of a request, and knows failures", "[api]") {
  CHECK(message_type_of<bank::deposit>.customer == nullptr);
  const tact::request<bank::balance> m{tact::detail::access::make_ref<long>(0x40), {}};
  CHECK(message_type_of<tact::request<bank::balance>>.customer(&m) == 0x40);
  STATIC_REQUIRE(message_type_of<tact::failure>.role == tact::detail::message_type::failure_notice);
}

}  // namespace message_type_test
