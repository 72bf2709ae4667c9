// What tact::hash_map, tact::hash_set and their transients have in common.
#include "tact/detail/begin.hpp"  // first
#pragma once

#include <concepts>
#include <cstddef>
#include <cstdint>
#include <functional>
#include <iterator>
#include <memory>
#include <utility>

#include "tact/data/detail/combination.hpp"
#include "tact/data/detail/hash_difference.hpp"
#include "tact/data/detail/hash_trie.hpp"
#include "tact/data/difference.hpp"

namespace tact::detail {

// The seed of hash tables that get their first entry now. Chance has chosen it for this process, so nothing outside can
// know which keys get equal hashes; in a simulation it is always the same one, so that its runs repeat.
[[nodiscard]] std::uint64_t hash_seed() noexcept;

// Of the product of two numbers of 64 bits, both halves: each bit depends on all bits of the hash. Source: wyhash, by
// Wang Yi.
[[nodiscard]] inline mixed_hash mix_hash(std::uint64_t hash, std::uint64_t seed) noexcept {
  __extension__ using wide = unsigned __int128;
  const wide product = static_cast<wide>(hash ^ seed) * 0xda942042e4dd58b5;
  return static_cast<std::uint64_t>(product) ^ static_cast<std::uint64_t>(product >> 64);
}

template <class Entry, class Key, class Hash, class Equal, class KeyOf, class Same>
struct hash_rules {
  using entry = Entry;
  using key = Key;
  using hasher = Hash;
  using key_equal = Equal;
  static constexpr bool equal_is_that_of_keys =
      std::same_as<Equal, std::equal_to<>> || std::same_as<Equal, std::equal_to<Key>>;
  [[nodiscard]] static const Key& key_of(const Entry& e) noexcept { return KeyOf()(e); }
  template <class A, class B>
  [[nodiscard]] static bool equal(const A& a, const B& b) {
    return Equal()(a, b);
  }
  template <class Q>
  [[nodiscard]] static mixed_hash hash(const Q& k, std::uint64_t seed) {
    return mix_hash(Hash()(k), seed);
  }
  // Two entries whose keys are equal.
  [[nodiscard]] static bool same(const Entry& a, const Entry& b) { return Same()(a, b); }
};

// A type of which neither Hash nor Equal need make a key.
template <class Q, class Rules>
concept key_like = requires {
  typename Rules::hasher::is_transparent;
  typename Rules::key_equal::is_transparent;
} && !std::same_as<Q, typename Rules::key>;

template <class Rules>
class hash_iterator {
  using trie = hash_trie<Rules>;

 public:
  using iterator_category = std::forward_iterator_tag;
  using value_type = typename Rules::entry;
  using difference_type = std::ptrdiff_t;
  using reference = const value_type&;
  using pointer = const value_type*;

  hash_iterator() = default;
  // For the tables.
  hash_iterator(trie_link root, typename trie::place at) noexcept : root_(root), at_(at) {}

  reference operator*() const noexcept { return at_.at->get(); }
  pointer operator->() const noexcept { return std::addressof(at_.at->get()); }
  hash_iterator& operator++() {
    at_ = trie::after(root_, at_);
    return *this;
  }
  hash_iterator operator++(int) {
    hash_iterator old = *this;
    ++*this;
    return old;
  }
  friend bool operator==(const hash_iterator& a, const hash_iterator& b) noexcept { return a.at_ == b.at_; }

 private:
  trie_link root_{};
  typename trie::place at_{};
};

// What can be read. Thread safety: any number of threads at once.
template <class Rules>
class hash_table {
 public:
  using key_type = typename Rules::key;
  using value_type = typename Rules::entry;
  using size_type = std::size_t;
  using difference_type = std::ptrdiff_t;
  using hasher = typename Rules::hasher;
  using key_equal = typename Rules::key_equal;
  using reference = const value_type&;
  using const_reference = const value_type&;
  using iterator = hash_iterator<Rules>;
  using const_iterator = iterator;

  [[nodiscard]] bool empty() const noexcept { return trie_.size() == 0; }
  [[nodiscard]] size_type size() const noexcept { return trie_.size(); }

  // In an order that says nothing, and is another one in the next process. An iterator is valid until the table from
  // which it is is changed, moved or destroyed.
  [[nodiscard]] iterator begin() const noexcept { return at_place(trie_.first()); }
  [[nodiscard]] iterator end() const noexcept { return at_place({}); }
  [[nodiscard]] iterator cbegin() const noexcept { return begin(); }
  [[nodiscard]] iterator cend() const noexcept { return end(); }

  // Hash and Equal take the key as it is if both of them have a type is_transparent; else it is made a key_type.
  [[nodiscard]] bool contains(const key_type& key) const { return trie_.slot_of(key) != nullptr; }
  template <key_like<Rules> Q>
  [[nodiscard]] bool contains(const Q& key) const {
    return trie_.slot_of(key) != nullptr;
  }
  [[nodiscard]] iterator find(const key_type& key) const { return at_place(trie_.place_of(key)); }
  template <key_like<Rules> Q>
  [[nodiscard]] iterator find(const Q& key) const {
    return at_place(trie_.place_of(key));
  }

 protected:
  using trie = hash_trie<Rules>;
  using slot = typename trie::slot;

  hash_table() = default;
  explicit hash_table(trie t) noexcept : trie_(std::move(t)) {}
  [[nodiscard]] iterator at_place(typename trie::place p) const noexcept { return iterator(trie_.root(), p); }

  template <class Yields, class Make>
  bool put_entry(const key_type& key, Yields yields, Make make) {
    if (empty()) trie_.take_seed(hash_seed());
    return trie_.put(key, yields, make);
  }
  // All takes time for what differs, not for what is shared.
  [[nodiscard]] bool has_entries_of(const hash_table& other) const {
    if (size() != other.size()) return false;
    bool equal = true;
    for_each_difference(trie_, other.trie_, [&](const slot*, const slot*) { return equal = false; });
    return equal;
  }
  template <class F>
  void differ_from(const hash_table& from, F& f) const {
    for_each_difference(from.trie_, trie_, [&](const slot* before, const slot* after) {
      f(difference<value_type>{before == nullptr ? nullptr : std::addressof(before->get()),
                               after == nullptr ? nullptr : std::addressof(after->get())});
      return true;
    });
  }
  [[nodiscard]] combination<trie> with(const hash_table& other) const noexcept { return {trie_, other.trie_}; }

  trie trie_;
};

}  // namespace tact::detail

#include "tact/detail/end.hpp"  // last
