// A type with a member of each kind that can be encoded, and random values of it.
#pragma once

#include <array>
#include <chrono>
#include <compare>
#include <cstdint>
#include <limits>
#include <list>
#include <map>
#include <memory>
#include <optional>
#include <set>
#include <stdexcept>
#include <string>
#include <tuple>
#include <unordered_map>
#include <unordered_set>
#include <utility>
#include <variant>
#include <vector>

#include "support/dice.hpp"
#include "tact/codec/declaration.hpp"
#include "tact/data/map.hpp"
#include "tact/data/set.hpp"

namespace tact::codec_tests {

using support::dice;

enum class color : std::int16_t { red, green, blue };
enum switch_position : bool { off, on };

struct nothing {
  bool operator==(const nothing&) const = default;
};
struct item {
  std::int64_t amount = 0;
  std::string what;
  bool operator==(const item&) const = default;
};
struct tree {
  std::int32_t value = 0;
  std::vector<tree> children;
  std::unique_ptr<tree> next;
};
inline bool operator==(const tree& a, const tree& b) {
  const bool same_next = a.next && b.next ? *a.next == *b.next : a.next == b.next;
  return a.value == b.value && a.children == b.children && same_next;
}

// Its members are private.
class money {
 public:
  money() = default;
  explicit money(std::int64_t cents) : cents_(cents) {}
  bool operator==(const money&) const = default;

 private:
  friend struct tact::codec<money>;
  std::int64_t cents_ = 0;
};
// Is no record: it is written as a text.
class path {
 public:
  path() = default;
  explicit path(std::string text) : text_(std::move(text)) {
    if (text_.find('\n') != std::string::npos) throw std::invalid_argument("a path has one line");
  }
  [[nodiscard]] const std::string& text() const noexcept { return text_; }
  auto operator<=>(const path&) const = default;

 private:
  std::string text_;
};

struct everything {
  bool flag = false;
  char letter = 0;
  std::int8_t i8 = 0;
  std::uint8_t u8 = 0;
  std::int16_t i16 = 0;
  std::uint32_t u32 = 0;
  std::int64_t i64 = 0;
  std::uint64_t u64 = 0;
  float f32 = 0;
  double f64 = 0;
  color hue = color::red;
  switch_position position = off;
  std::string text;
  std::vector<std::byte> bytes;
  std::vector<std::int64_t> numbers;
  std::vector<bool> flags;
  std::vector<item> items;
  std::list<std::string> texts;
  std::array<item, 2> two;
  std::optional<item> perhaps;
  std::variant<std::monostate, std::int32_t, std::string, item> one_of;
  std::pair<std::string, double> pair;
  std::tuple<std::int32_t, bool, nothing> tuple;
  std::map<std::string, item> sorted;
  std::unordered_map<std::int32_t, std::string> hashed;
  std::tuple<std::set<std::string>, std::unordered_set<std::int64_t>> sets;
  tact::map<std::int32_t, std::string> table;
  tact::set<std::string> keys;
  std::chrono::milliseconds wait{};
  std::chrono::system_clock::time_point at;
  std::pair<money, path> declared;
  tree recursive;
  bool operator==(const everything&) const = default;
};

class values {
 public:
  explicit values(std::uint64_t seed) : random_(seed) {}

  std::uint32_t below(std::uint32_t n) { return random_.below(n); }

  // Often one at which something ends.
  template <class N>
  N number() {
    constexpr N ends[] = {0, 1, std::numeric_limits<N>::min(), std::numeric_limits<N>::max(), static_cast<N>(-1)};
    return below(2) == 0 ? ends[below(5)] : static_cast<N>(random_.next());
  }
  double floating() { return static_cast<double>(number<std::int64_t>()) / static_cast<double>(1 + below(1000)); }
  std::string text() {
    std::string made;
    for (std::uint32_t n = below(below(4) == 0 ? 300 : 8); n != 0; --n) made.push_back(static_cast<char>(below(256)));
    return made;
  }
  std::string line() {
    std::string made = text();
    for (char& c : made) {
      if (c == '\n') c = ' ';
    }
    return made;
  }
  tact::codec_tests::item item() { return {number<std::int64_t>(), text()}; }
  template <class C, class Make>
  C many(Make make) {
    C all;
    for (std::uint32_t n = below(5); n != 0; --n) all.insert(all.end(), make());
    return all;
  }
  tact::codec_tests::tree tree(unsigned depth) {
    tact::codec_tests::tree made;
    made.value = number<std::int32_t>();
    if (depth == 0) return made;
    for (std::uint32_t n = below(3); n != 0; --n) made.children.push_back(tree(depth - 1));
    if (below(2) == 0) made.next = std::make_unique<tact::codec_tests::tree>(tree(depth - 1));
    return made;
  }
  everything all() {
    everything e;
    fill_numbers(e);
    fill_containers(e);
    return e;
  }

 private:
  void fill_numbers(everything& e) {
    e.flag = below(2) == 0;
    e.letter = static_cast<char>(below(256));
    e.i8 = number<std::int8_t>();
    e.u8 = number<std::uint8_t>();
    e.i16 = number<std::int16_t>();
    e.u32 = number<std::uint32_t>();
    e.i64 = number<std::int64_t>();
    e.u64 = number<std::uint64_t>();
    e.f32 = static_cast<float>(number<std::int16_t>()) / 8;
    e.f64 = floating();
    e.hue = static_cast<color>(number<std::int16_t>());
    e.position = below(2) == 0 ? on : off;
    e.wait = std::chrono::milliseconds(number<std::int64_t>());
    e.at = std::chrono::system_clock::time_point(std::chrono::system_clock::duration(number<std::int64_t>()));
  }
  void fill_containers(everything& e) {
    e.text = text();
    e.bytes = many<std::vector<std::byte>>([&] { return static_cast<std::byte>(below(256)); });
    e.numbers = many<std::vector<std::int64_t>>([&] { return number<std::int64_t>(); });
    e.flags = many<std::vector<bool>>([&] { return below(2) == 0; });
    e.items = many<std::vector<codec_tests::item>>([&] { return item(); });
    e.texts = many<std::list<std::string>>([&] { return text(); });
    e.two = {item(), item()};
    if (below(2) == 0) e.perhaps = item();
    switch (below(4)) {
      case 0:
        e.one_of = number<std::int32_t>();
        break;
      case 1:
        e.one_of = text();
        break;
      case 2:
        e.one_of = item();
        break;
      default:
        break;
    }
    e.pair = {text(), floating()};
    e.tuple = {number<std::int32_t>(), below(2) == 0, {}};
    e.sorted = many<std::map<std::string, codec_tests::item>>([&] { return std::pair(text(), item()); });
    e.hashed =
        many<std::unordered_map<std::int32_t, std::string>>([&] { return std::pair(number<std::int32_t>(), text()); });
    std::get<0>(e.sets) = many<std::set<std::string>>([&] { return text(); });
    std::get<1>(e.sets) = many<std::unordered_set<std::int64_t>>([&] { return number<std::int64_t>(); });
    for (std::uint32_t n = below(40); n != 0; --n) e.table = e.table.insert(number<std::int32_t>(), text());
    for (std::uint32_t n = below(40); n != 0; --n) e.keys = e.keys.insert(text());
    e.declared = {money(number<std::int64_t>()), path(line())};
    e.recursive = tree(4);
  }

  dice random_;
};

}  // namespace tact::codec_tests

template <>
struct tact::codec<tact::codec_tests::money> {
  using members = tact::members<&tact::codec_tests::money::cents_>;
};
template <>
struct tact::codec<tact::codec_tests::path> {
  static std::string save(const tact::codec_tests::path& p) { return p.text(); }
  static tact::codec_tests::path load(std::string text) { return tact::codec_tests::path(std::move(text)); }
};
