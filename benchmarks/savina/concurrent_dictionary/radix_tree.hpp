// The dictionary of a functional programmer: an immutable map from keys below 2^19, as a radix tree.
#pragma once

#include <array>
#include <memory>

#include "savina/concurrent_dictionary/workload.hpp"

namespace bench {

inline constexpr unsigned radix_page_bits = 7;
inline constexpr unsigned radix_digit_bits = 3;
inline constexpr unsigned radix_levels = 4;

template <unsigned Level>
struct radix_node {
  std::array<std::shared_ptr<const radix_node<Level - 1>>, 1u << radix_digit_bits> below;
};
template <>
struct radix_node<0> {
  radix_node() { values.fill(no_value); }
  std::array<std::int32_t, 1u << radix_page_bits> values;
};

// `with` gives a new tree, which shares all but one path with the old one: it copies a page of 128 values and four
// nodes of eight, whatever the size. `find` counts no references, so several threads that read share nothing that
// changes.
class radix_tree {
 public:
  radix_tree() = default;

  [[nodiscard]] std::int32_t find(std::int32_t key) const { return find_in(root_.get(), static_cast<unsigned>(key)); }
  [[nodiscard]] radix_tree with(dictionary_entry e) const {
    return radix_tree(with_in(root_.get(), static_cast<unsigned>(e.key), e.value));
  }
  [[nodiscard]] dictionary_contents contents() const {
    dictionary_contents all;
    list(root_.get(), 0, all);
    return all;
  }

 private:
  template <unsigned Level>
  using link = std::shared_ptr<const radix_node<Level>>;

  explicit radix_tree(link<radix_levels> root) : root_(std::move(root)) {}

  // Which of the places in a node of this level.
  template <unsigned Level>
  static unsigned digit(unsigned key) {
    return key >> (radix_page_bits + (Level - 1) * radix_digit_bits) & ((1u << radix_digit_bits) - 1);
  }
  static unsigned place(unsigned key) { return key & ((1u << radix_page_bits) - 1); }

  template <unsigned Level>
  static std::int32_t find_in(const radix_node<Level>* at, unsigned key) {
    if (at == nullptr) return no_value;
    if constexpr (Level == 0) {
      return at->values[place(key)];
    } else {
      return find_in(at->below[digit<Level>(key)].get(), key);
    }
  }

  template <unsigned Level>
  static link<Level> with_in(const radix_node<Level>* at, unsigned key, std::int32_t value) {
    using node = radix_node<Level>;
    const auto made = at == nullptr ? std::make_shared<node>() : std::make_shared<node>(*at);
    if constexpr (Level == 0) {
      made->values[place(key)] = value;
    } else {
      auto& below = made->below[digit<Level>(key)];
      below = with_in(below.get(), key, value);
    }
    return made;
  }

  // `prefix`: the digits above.
  template <unsigned Level>
  static void list(const radix_node<Level>* at, unsigned prefix, dictionary_contents& all) {
    if (at == nullptr) return;
    if constexpr (Level == 0) {
      for (unsigned i = 0; i < at->values.size(); ++i) {
        const auto key = static_cast<std::int32_t>(prefix << radix_page_bits | i);
        if (at->values[i] != no_value) all.push_back({key, at->values[i]});
      }
    } else {
      for (unsigned i = 0; i < at->below.size(); ++i) list(at->below[i].get(), prefix << radix_digit_bits | i, all);
    }
  }

  link<radix_levels> root_;
};

}  // namespace bench
