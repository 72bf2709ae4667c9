// What is true of the trie of each hash table, whatever was done with it.
#pragma once

#include <algorithm>
#include <bit>
#include <cstddef>
#include <string>

#include "tact/data/hash_map.hpp"

namespace tact::data_tests {

template <class Rules>
class trie_check {
  using nodes = detail::hash_nodes<Rules>;
  using link = detail::trie_link;

 public:
  // What is wrong with the trie; empty: nothing.
  static std::string fault_of(const detail::hash_trie<Rules>& trie) {
    trie_check check(trie.seed());
    if (trie.root()) check.look_at(trie.root(), 0, 0);
    if (check.entries_ != trie.size()) check.fault_ = "the size is not the number of the entries";
    if (!trie.root() != (trie.size() == 0)) check.fault_ = "there is a node without an entry";
    return check.fault_;
  }

 private:
  explicit trie_check(std::uint64_t seed) : seed_(seed) {}

  // The hashes that lead to `n` begin with the first `used` bits of `first`.
  void look_at(link n, std::uint64_t first, unsigned used) {
    if (n.is_leaf()) {
      const auto& l = *nodes::leaf(n);
      if (l.count == 0) fault_ = "a leaf has no entry";
      if (l.count > l.room || l.count > nodes::leaf_most) fault_ = "a leaf has more than it has room for";
      for (unsigned i = 0; i != l.count; ++i) {
        if (l.tags[i] != static_cast<unsigned char>(hash_of(l.items()[i]))) fault_ = "a tag is not that of its entry";
        look_at_entry(l.items()[i], first, used);
      }
    } else if (n.is_bucket()) {
      if (used != detail::hash_bits) fault_ = "a bucket lies where hashes may differ";
      const auto& all = nodes::bucket_at(n)->entries;
      if (all.size() == 0) fault_ = "a bucket has no entry";
      for (const auto* s = all.first(); s != nullptr; s = all.after(s)) look_at_entry(*s, first, used);
    } else {
      look_at_children(n, first, used);
    }
  }
  void look_at_children(link n, std::uint64_t first, unsigned used) {
    const unsigned fan = n.fan();
    if (fan > nodes::fan_most || used + fan > detail::hash_bits) fault_ = "a node is too wide";
    const link* const c = nodes::inner(n)->children();
    for (unsigned i = 0, count = 0; i != 1u << fan; i += count) {
      count = nodes::run_of(n, i).count;
      if (nodes::run_of(n, i).first != i) fault_ = "a run of children lies askew";
      const auto more = static_cast<unsigned>(std::countr_zero(count));
      const std::uint64_t begin = first | (std::uint64_t{i} << (detail::hash_bits - used - fan));
      if (c[i]) look_at(c[i], begin, used + fan - more);
      if (count != 1 && c[i] && !c[i].is_leaf()) fault_ = "a node is child twice";
    }
  }
  void look_at_entry(const typename nodes::slot& s, std::uint64_t first, unsigned used) {
    ++entries_;
    if (used != 0 && ((hash_of(s) ^ first) >> (detail::hash_bits - used)) != 0) fault_ = "an entry lies elsewhere";
  }
  std::uint64_t hash_of(const typename nodes::slot& s) const { return Rules::hash(Rules::key_of(s.get()), seed_); }

  std::uint64_t seed_;
  std::string fault_;
  std::size_t entries_ = 0;
};

// The tables keep their tries to themselves; a class that derives from one may name it.
template <class Table>
struct opened_hash : Table {
  static const auto& trie_of(const Table& t) { return t.*(&opened_hash::trie_); }
};
template <class Rules>
std::string fault_of_trie(const detail::hash_trie<Rules>& t) {
  return trie_check<Rules>::fault_of(t);
}
template <class... T>
std::string fault_of(const hash_map<T...>& t) {
  return fault_of_trie(opened_hash<hash_map<T...>>::trie_of(t));
}

}  // namespace tact::data_tests
