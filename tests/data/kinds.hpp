// Kinds of entries: those that lie in the nodes, and those that the nodes share. All are made from numbers.
#pragma once

#include <array>
#include <cstdint>
#include <functional>
#include <map>
#include <memory>
#include <string>
#include <utility>

#include "tact/data/map.hpp"

namespace tact::data_tests {

// What a table of each kind has; `model` says the same by numbers.
template <class K, class V, class Less = std::less<>>
struct kind {
  using table = map<K, V, Less>;
  using model = std::map<int, int, Less>;
  // Two values of one number are equal.
  static constexpr bool has_equal_values = true;
};

struct of_ints : kind<int, int> {
  static constexpr bool lies_in_node = true;
  static int key(int n) { return n; }
  static int value(int n) { return n; }
  static int number_of(int k) { return k; }
};
struct in_other_order : kind<int, int, std::greater<>> {
  static constexpr bool lies_in_node = true;
  static int key(int n) { return n; }
  static int value(int n) { return n; }
  static int number_of(int k) { return k; }
};
using two_words = std::pair<std::int64_t, std::int64_t>;
struct of_pairs : kind<two_words, std::int64_t> {
  static constexpr bool lies_in_node = true;
  static two_words key(int n) { return {n / 7, n % 7}; }
  static std::int64_t value(int n) { return n; }
  static int number_of(const two_words& k) { return static_cast<int>(k.first * 7 + k.second); }
  static int number_of(std::int64_t v) { return static_cast<int>(v); }
};
struct point {
  double x, y;
};
struct without_equality : kind<std::int64_t, point> {
  static constexpr bool lies_in_node = true;
  static std::int64_t key(int n) { return n; }
  static point value(int n) { return {n + 0.5, -1.0}; }
  static int number_of(std::int64_t k) { return static_cast<int>(k); }
  static int number_of(const point& p) { return static_cast<int>(p.x - 0.5); }
};
// As many digits for each, so the order is that of the numbers.
inline std::string text_of(int n) {
  const std::string digits = std::to_string(n);
  return std::string(12 - digits.size(), '0') + digits + ", and more than a short string has room for";
}
struct of_strings : kind<std::string, std::string> {
  static constexpr bool lies_in_node = false;
  static std::string key(int n) { return text_of(n); }
  static std::string value(int n) { return text_of(n); }
  static int number_of(const std::string& k) { return std::stoi(k.substr(0, 12)); }
};
struct that_only_move : kind<int, std::unique_ptr<int>> {
  static constexpr bool lies_in_node = false;
  static constexpr bool has_equal_values = false;
  static int key(int n) { return n; }
  static std::unique_ptr<int> value(int n) { return std::make_unique<int>(n); }
  static int number_of(int k) { return k; }
  static int number_of(const std::unique_ptr<int>& v) { return *v; }
};
template <std::size_t Words, std::size_t Alignment = 8>
struct alignas(Alignment) words {
  std::array<std::int64_t, Words> all;
  friend bool operator==(const words&, const words&) = default;
};
template <std::size_t Words, std::size_t Alignment = 8>
struct of_words : kind<int, words<Words, Alignment>> {
  static constexpr bool lies_in_node = false;
  static int key(int n) { return n; }
  static words<Words, Alignment> value(int n) {
    words<Words, Alignment> w;
    w.all.fill(n);
    return w;
  }
  static int number_of(int k) { return k; }
  static int number_of(const words<Words, Alignment>& w) { return static_cast<int>(w.all.back()); }
};
using of_40_bytes = of_words<4>;
using of_200_bytes = of_words<24>;
using over_aligned = of_words<8, 64>;

#define TACT_ALL_KINDS                                                                                        \
  of_ints, in_other_order, of_pairs, without_equality, of_strings, that_only_move, of_40_bytes, of_200_bytes, \
      over_aligned

}  // namespace tact::data_tests
