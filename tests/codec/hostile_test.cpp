// What an enemy sends takes little memory and a stack that is bounded, whatever it says of its sizes.
#include <pthread.h>

#include <algorithm>
#include <array>
#include <atomic>
#include <cstdint>
#include <cstdlib>
#include <functional>
#include <memory>
#include <new>
#include <optional>
#include <stdexcept>
#include <string>
#include <string_view>
#include <variant>
#include <vector>

#include "codec/everything.hpp"
#include "codec/faults.hpp"
#include "support/catch.hpp"
#include "support/engine_fixture.hpp"
#include "tact/codec/codec.hpp"
#include "tact/codec/detail/byte_order.hpp"

namespace {

// Bytes that operator new has given on this thread. Under the sanitizers, which bring their own, nothing is counted.
thread_local std::uint64_t bytes_taken = 0;

}  // namespace

#if !defined(TACT_ASAN) && !defined(TACT_TSAN)
void* operator new(std::size_t bytes) {
  bytes_taken += bytes;
  if (void* const p = std::malloc(bytes)) return p;
  throw std::bad_alloc();
}
void operator delete(void* p) noexcept { std::free(p); }
void operator delete(void* p, std::size_t) noexcept { std::free(p); }
#endif

namespace hostile_test {

namespace {

using namespace tact::codec_tests;
using Catch::Matchers::Contains;

std::string count(std::uint64_t n) {
  std::string out;
  tact::detail::coding::append_count(out, n);
  return out;
}
template <class T>
std::string with_fingerprint(const std::string& body) {
  return tact::encode_compact(T{}).substr(0, 8) + body;
}
// Memory that is taken to refuse such bytes.
template <class T>
std::uint64_t memory_to_refuse(const std::string& body) {
  const std::string bytes = with_fingerprint<T>(body);
  (void)tact::shape_of<T>();
  const std::uint64_t before = bytes_taken;
  CHECK_THROWS_AS(tact::decode_compact<T>(bytes, tact::shape_of<T>()), tact::decode_error);
  return bytes_taken - before;
}

TEST_CASE("decode: a size that is not there takes no memory", "[codec]") {
  const std::uint64_t sizes[] = {1000, 1U << 20, UINT32_MAX, UINT64_MAX / 8, UINT64_MAX / 8 + 2, UINT64_MAX};
  for (const std::uint64_t n : sizes) {
    CHECK(memory_to_refuse<std::string>(count(n)) < 10'000);
    CHECK(memory_to_refuse<std::vector<std::int64_t>>(count(n)) < 10'000);
    CHECK(memory_to_refuse<std::vector<std::string>>(count(n)) < 10'000);
    CHECK(memory_to_refuse<std::vector<nothing>>(count(n)) < 10'000);
    CHECK((memory_to_refuse<std::map<int, int>>(count(n)) < 10'000));
  }
}

struct nested {
  std::vector<nested> inside;
};
TEST_CASE("decode: sizes inside sizes take memory as bytes arrive, not as they say", "[codec]") {
  // 73 KB of which each byte may be the size of one more list, as in msgpackr#200.
  std::string body;
  for (int i = 0; i < 20; ++i) body += count(50'000);
  body.resize(73'000, '\0');
  CHECK(memory_to_refuse<nested>(body) < 10'000'000);
}

TEST_CASE("decode: items that take no bytes elsewhere take one here, and are counted", "[codec]") {
  const std::vector<nothing> many(1000);
  CHECK(tact::encode_compact(many).size() >= 1000);
  const std::string bytes = tact::encode(many);
  CHECK_THAT(fault_of([&] { (void)tact::decode<std::vector<nothing>>(bytes, {.items = 999}); }),
             Contains("expected no more entries in all than codec_limits::items allows, found a container of 1000"));
}

TEST_CASE("decode: the limit of items is one for all containers", "[codec]") {
  const std::vector<std::vector<std::string>> value(10, std::vector<std::string>(10));
  const std::string bytes = tact::encode(value);
  CHECK_NOTHROW(tact::decode<std::vector<std::vector<std::string>>>(bytes, {.items = 110}));
  CHECK_THAT(fault_of([&] { (void)tact::decode<std::vector<std::vector<std::string>>>(bytes, {.items = 109}); }),
             Contains("list<list<text>>[9]"));
}

// Runs on a thread whose stack has 64 KiB, of which the thread itself takes a part.
void on_small_stack(std::function<void()> f) {
  pthread_attr_t attributes;
  REQUIRE(pthread_attr_init(&attributes) == 0);
#if defined(TACT_ASAN) || defined(TACT_TSAN)
  constexpr std::size_t bytes = 512 << 10;  // sanitizers make frames larger
#else
  constexpr std::size_t bytes = 64 << 10;
#endif
  REQUIRE(pthread_attr_setstacksize(&attributes, bytes) == 0);
  pthread_t thread{};
  const auto run = [](void* what) -> void* {
    (*static_cast<std::function<void()>*>(what))();
    return nullptr;
  };
  REQUIRE(pthread_create(&thread, &attributes, run, &f) == 0);
  REQUIRE(pthread_join(thread, nullptr) == 0);
  REQUIRE(pthread_attr_destroy(&attributes) == 0);
}
struct link {
  std::unique_ptr<link> next;
};
struct longer_link {
  std::int32_t number = 1;
  std::unique_ptr<longer_link> next;
};
TEST_CASE("decode: nesting beyond the limit is refused on a small stack", "[codec]") {
  const std::string deep = with_fingerprint<link>(std::string(100'000, '\1'));
  const std::string lists = with_fingerprint<nested>(std::string(100'000, '\1'));
  std::string fault;
  std::string other;
  std::string changed;
  const tact::shape& writer = tact::shape_of<link>();
  (void)tact::shape_of<longer_link>();
  on_small_stack([&] { fault = fault_of([&] { (void)tact::decode_compact<link>(deep, tact::shape_of<link>()); }); });
  on_small_stack(
      [&] { other = fault_of([&] { (void)tact::decode_compact<nested>(lists, tact::shape_of<nested>()); }); });
  on_small_stack([&] { changed = fault_of([&] { (void)tact::decode_compact<longer_link>(deep, writer); }); });
  CHECK_THAT(fault, Contains(".next.next: is nested deeper than codec_limits::depth allows"));
  CHECK_THAT(other, Contains(".inside[0].inside[0]: is nested deeper than codec_limits::depth allows"));
  CHECK_THAT(changed, Contains(".next.next: is nested deeper than codec_limits::depth allows"));
}
TEST_CASE("encode: nesting beyond the limit is refused on a small stack", "[codec]") {
  link first;
  std::vector<link*> way{&first};
  for (int i = 0; i < 10'000; ++i) {
    way.back()->next = std::make_unique<link>();
    way.push_back(way.back()->next.get());
  }
  bool is_refused = false;
  (void)tact::shape_of<link>();
  on_small_stack([&] {
    try {
      (void)tact::encode(first);
    } catch (const std::length_error&) {
      is_refused = true;
    }
  });
  CHECK(is_refused);
  // The destructors of the chain itself would go as deep.
  for (; way.size() > 1; way.pop_back()) way[way.size() - 2]->next.reset();
}

// -- shapes

std::string fault_of_shape(const std::string& description) {
  return fault_of([&] { tact::shape{description}; });
}
std::string name(const std::string& text) { return count(text.size()) + text; }

TEST_CASE("shape: each fault of a description is named", "[codec]") {
  using namespace std::string_literals;
  CHECK_THAT(fault_of_shape(""), Contains("shape: expected the description of a type, but it ends in the midst"));
  CHECK_THAT(fault_of_shape("\4"), Contains("where a number of parts is expected"));
  CHECK_THAT(fault_of_shape("\4\0x"s), Contains("bytes follow the last part"));
  CHECK_THAT(fault_of_shape("\x0F\0"s), Contains("its root is no part"));
  CHECK_THAT(fault_of_shape("\x10\0"s), Contains("its root is no part"));
  CHECK_THAT(fault_of_shape("\x10\1"s), Contains("it ends before its last part"));
  CHECK_THAT(fault_of_shape("\x10\1\x63"s), Contains("a part is of no kind that this version knows"));
  CHECK_THAT(fault_of_shape("\x10\1\1\x11"s), Contains("it names a part that is not there"));
  CHECK_THAT(fault_of_shape("\x10\1\1\x0C"s), Contains("it names a part that is not there"));
  CHECK_THAT(fault_of_shape("\x10\1\x08"s + name("r") + "\1\2" + name("a") + "\1" + name("a") + "\1"),
             Contains("two members of a record have the same name"));
  CHECK_THAT(fault_of_shape("\x10\1\x08\5abc"s), Contains("a name goes beyond its end"));
  CHECK_THAT(fault_of_shape("\x10\1\x0A\0\1\4"s), Contains("a ratio is zero"));
  CHECK_THAT(fault_of_shape("\x10\1\x0A\1\1\x0B"s), Contains("a duration counts by no number"));
  CHECK_THAT(fault_of_shape("\x10\1\x0B\4"s), Contains("a time is no duration"));
  CHECK_THAT(fault_of_shape("\x10" + count(1025)), Contains("too large a number where a number of parts is expected"));
  CHECK_THAT(fault_of_shape("\x10\1\x07" + count(1025)), Contains("too large a number where a number of members"));
  CHECK_THAT(fault_of_shape(std::string(70'000, '\1')), Contains("it has more than 64 KiB"));
}

TEST_CASE("shape: a description is what it was made of, cut off anywhere it is refused", "[codec]") {
  const tact::shape& own = tact::shape_of<everything>();
  const tact::shape parsed(own.description());
  CHECK(parsed == own);
  CHECK(parsed.fingerprint() == own.fingerprint());
  CHECK(parsed.text() == own.text());
  for (std::size_t n = 0; n < own.description().size(); ++n) {
    REQUIRE_THROWS_AS(tact::shape(own.description().substr(0, n)), tact::decode_error);
  }
}

template <class T>
std::string fault_by_shape(const std::string& description, const std::string& body) {
  const std::string bytes = "\1" + name(description) + body;
  return fault_of([&] { (void)tact::decode<T>(bytes); });
}
struct pair_of {
  std::int32_t a = 0;
};
TEST_CASE("decode: shapes without an end are refused by their depth, on a small stack", "[codec]") {
  using namespace std::string_literals;
  // A record with a member of its own type, which this program does not have.
  const std::string endless = "\x10\1\x08"s + name("pair_of") + "\1\2" + name("a") + "\3" + name("x") + "\x10";
  std::string fault;
  on_small_stack([&] { fault = fault_by_shape<pair_of>(endless, std::string(10'000, '\0')); });
  CHECK_THAT(fault, Contains("pair_of.x.x.x"));
  CHECK_THAT(fault, Contains("is nested deeper than codec_limits::depth allows"));
  // An image of itself.
  CHECK_THAT(fault_by_shape<std::int32_t>("\x10\1\x09"s + name("i") + "\1\x10", "abcd"), Contains("written as itself"));
}
TEST_CASE("decode: an array of the writer is as long as its bytes", "[codec]") {
  using namespace std::string_literals;
  const std::string huge = "\x10\1\4"s + count(UINT64_MAX) + "\3";
  CHECK_THAT(fault_by_shape<std::vector<std::int64_t>>(huge, "abcd"),
             Contains("expected an array of 18446744073709551615"));
  const std::string member =
      "\x10\2\x08"s + name("pair_of") + "\1\2" + name("a") + "\3" + name("x") + "\x11\4" + count(UINT64_MAX) + "\3";
  CHECK_THAT(fault_by_shape<pair_of>(member, std::string(4 + 10, '\0')),
             Contains("pair_of.x[2]: expected int32 of 4 bytes"));
}
TEST_CASE("decode: members that an enemy leaves out take no more memory than the limit of bytes", "[codec]") {
  struct large {
    std::int32_t a = 0;
    std::string text = std::string(100'000, 'x');
  };
  using namespace std::string_literals;
  const std::string list = "\x11\2\x08"s + name("large") + "\1\1" + name("a") + "\1" + "\1\x10";
  const std::string bytes = "\1" + name(list) + count(10'000) + std::string(10'000, '\0');
  const std::uint64_t before = bytes_taken;
  CHECK_THAT(fault_of([&] { (void)tact::decode<std::vector<large>>(bytes, {.bytes = 1'000'000}); }),
             Contains("becomes larger than codec_limits::bytes allows"));
  CHECK(bytes_taken - before < 20'000'000);
}

}  // namespace

}  // namespace hostile_test
