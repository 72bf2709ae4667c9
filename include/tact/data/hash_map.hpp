// tact::hash_map: a table without an order that never changes; a change makes another one, which shares with it what
// both have.
#include "tact/detail/begin.hpp"  // first
#pragma once

#include <concepts>
#include <functional>
#include <initializer_list>
#include <iterator>
#include <stdexcept>
#include <utility>

#include "tact/data/detail/hash_table.hpp"
#include "tact/data/detail/same_value.hpp"
#include "tact/data/map.hpp"

namespace tact {

template <class K, class V, class Hash = std::hash<K>, class Equal = std::equal_to<>>
class hash_map;

namespace detail {

template <class K, class V, class Hash, class Equal>
using hash_map_rules = hash_rules<std::pair<const K, V>, K, Hash, Equal, first_of_pair, same_second>;

template <class K, class V, class Hash, class Equal>
class hash_map_table : public hash_table<hash_map_rules<K, V, Hash, Equal>> {
  using rules = hash_map_rules<K, V, Hash, Equal>;
  using base = hash_table<rules>;

 public:
  using mapped_type = V;

  // Throws std::out_of_range if there is none.
  [[nodiscard]] const V& at(const K& key) const { return value_in(this->trie_.slot_of(key)); }
  template <key_like<rules> Q>
  [[nodiscard]] const V& at(const Q& key) const {
    return value_in(this->trie_.slot_of(key));
  }

 protected:
  using base::base;
  bool put_if_new(K&& key, V&& value) {
    return this->put_entry(
        key, [](const auto&) { return false; }, [&] { return base::slot::make(std::move(key), std::move(value)); });
  }
  bool put(K&& key, V&& value) {
    return this->put_entry(
        key, [&](const auto& there) { return !is_same_value(there.second, value); },
        [&] { return base::slot::make(std::move(key), std::move(value)); });
  }

 private:
  static const V& value_in(const typename base::slot* found) {
    if (found == nullptr) throw std::out_of_range("tact::hash_map: at() was called with a key that it does not have");
    return found->get().second;
  }
};

}  // namespace detail

// A hash_map that is changed in place: see tact::transient_map.
template <class K, class V, class Hash = std::hash<K>, class Equal = std::equal_to<>>
class transient_hash_map : public detail::hash_map_table<K, V, Hash, Equal> {
  using base = detail::hash_map_table<K, V, Hash, Equal>;

 public:
  transient_hash_map() = default;

  // Returns false, and changes nothing, if there is an entry with that key.
  bool insert(K key, V value) { return this->put_if_new(std::move(key), std::move(value)); }
  // Returns false if there was an entry with that key; its value is replaced.
  bool insert_or_assign(K key, V value) { return this->put(std::move(key), std::move(value)); }
  // Returns false if there is no entry with that key.
  bool erase(const K& key) { return this->trie_.erase(key); }
  template <detail::key_like<detail::hash_map_rules<K, V, Hash, Equal>> Q>
  bool erase(const Q& key) {
    return this->trie_.erase(key);
  }
  void clear() noexcept { this->trie_ = typename base::trie(); }

  // These entries for ever. Takes one addition; of an rvalue none.
  [[nodiscard]] hash_map<K, V, Hash, Equal> persistent() const& { return hash_map<K, V, Hash, Equal>(this->trie_); }
  [[nodiscard]] hash_map<K, V, Hash, Equal> persistent() && {
    return hash_map<K, V, Hash, Equal>(std::move(this->trie_));
  }

 private:
  friend class hash_map<K, V, Hash, Equal>;
  explicit transient_hash_map(typename base::trie t) noexcept : base(std::move(t)) {}
};

// const tact::hash_map<std::string, int> ages{{"Ada", 36}, {"Alan", 41}};
// const auto later = ages.insert_or_assign("Ada", 37).erase("Alan");  // `ages` is as before
//
// Finds faster than tact::map and takes less memory, but has no order. All else that is said there holds.
//
// REQUIRES: Hash and Equal have no state, and what Equal takes for equal has equal hashes. Hash need not be good: its
// result is mixed with a number that nothing outside the process knows. Keys of which all bits of the hashes are equal
// are found in O(log n), if Equal is std::equal_to and the keys have a strict order: <=> of std::strong_ordering, or
// all of <, >, <= and >=. Other keys with equal hashes are looked through one by one. Costs beside std::unordered_map:
// docs/data/tables.md.
template <class K, class V, class Hash, class Equal>
class hash_map : public detail::hash_map_table<K, V, Hash, Equal> {
  using base = detail::hash_map_table<K, V, Hash, Equal>;
  using rules = detail::hash_map_rules<K, V, Hash, Equal>;

 public:
  using transient_type = transient_hash_map<K, V, Hash, Equal>;

  hash_map() = default;
  // Of several entries with equal keys the first is taken.
  hash_map(std::initializer_list<typename base::value_type> entries) : hash_map(entries.begin(), entries.end()) {}
  template <std::input_iterator It, std::sentinel_for<It> End>
  hash_map(It first, End last) {
    for (; first != last; ++first) {
      auto&& e = *first;
      this->put_if_new(K(std::forward<decltype(e)>(e).first), V(std::forward<decltype(e)>(e).second));
    }
  }

  // With this entry, if there is none with that key; else the same table.
  [[nodiscard]] hash_map insert(K key, V value) const& {
    return hash_map(*this).insert(std::move(key), std::move(value));
  }
  [[nodiscard]] hash_map insert(K key, V value) && {
    this->put_if_new(std::move(key), std::move(value));
    return std::move(*this);
  }
  // With this entry, in the place of one with that key. If that has an equal value, the same table.
  [[nodiscard]] hash_map insert_or_assign(K key, V value) const& {
    return hash_map(*this).insert_or_assign(std::move(key), std::move(value));
  }
  [[nodiscard]] hash_map insert_or_assign(K key, V value) && {
    this->put(std::move(key), std::move(value));
    return std::move(*this);
  }
  // Without the entry with that key. If there is none, the same table.
  [[nodiscard]] hash_map erase(const K& key) const& { return hash_map(*this).erase(key); }
  [[nodiscard]] hash_map erase(const K& key) && {
    this->trie_.erase(key);
    return std::move(*this);
  }
  template <detail::key_like<rules> Q>
  [[nodiscard]] hash_map erase(const Q& key) const& {
    return hash_map(*this).erase(key);
  }
  template <detail::key_like<rules> Q>
  [[nodiscard]] hash_map erase(const Q& key) && {
    this->trie_.erase(key);
    return std::move(*this);
  }
  [[nodiscard]] transient_type transient() const& { return transient_type(this->trie_); }
  [[nodiscard]] transient_type transient() && { return transient_type(std::move(this->trie_)); }

  // As for tact::map.
  [[nodiscard]] bool is_same_as(const hash_map& other) const noexcept { return this->trie_.is_same(other.trie_); }
  friend bool operator==(const hash_map& a, const hash_map& b)
    requires std::equality_comparable<V>
  {
    return a.has_entries_of(b);
  }

 private:
  friend transient_type;
  template <class A, class B, class C, class D, class F>
  friend void diff(const hash_map<A, B, C, D>& before, const hash_map<A, B, C, D>& after, F f);
  template <class A, class B, class C, class D>
  friend hash_map<A, B, C, D> union_of(const hash_map<A, B, C, D>& a, const hash_map<A, B, C, D>& b);
  template <class A, class B, class C, class D>
  friend hash_map<A, B, C, D> intersection_of(const hash_map<A, B, C, D>& a, const hash_map<A, B, C, D>& b);
  template <class A, class B, class C, class D>
  friend hash_map<A, B, C, D> difference_of(const hash_map<A, B, C, D>& a, const hash_map<A, B, C, D>& b);

  explicit hash_map(typename base::trie t) noexcept : base(std::move(t)) {}
};

// These four, and ==: as for tact::map, but in no order. Of two tables of which one got its first entry in a
// tact::simulation, and the other one outside, each entry is looked up.
template <class K, class V, class Hash, class Equal, class F>
void diff(const hash_map<K, V, Hash, Equal>& before, const hash_map<K, V, Hash, Equal>& after, F f) {
  after.differ_from(before, f);
}
template <class K, class V, class Hash, class Equal>
[[nodiscard]] hash_map<K, V, Hash, Equal> union_of(const hash_map<K, V, Hash, Equal>& a,
                                                   const hash_map<K, V, Hash, Equal>& b) {
  return hash_map<K, V, Hash, Equal>(a.with(b).all());
}
template <class K, class V, class Hash, class Equal>
[[nodiscard]] hash_map<K, V, Hash, Equal> intersection_of(const hash_map<K, V, Hash, Equal>& a,
                                                          const hash_map<K, V, Hash, Equal>& b) {
  return hash_map<K, V, Hash, Equal>(a.with(b).common());
}
template <class K, class V, class Hash, class Equal>
[[nodiscard]] hash_map<K, V, Hash, Equal> difference_of(const hash_map<K, V, Hash, Equal>& a,
                                                        const hash_map<K, V, Hash, Equal>& b) {
  return hash_map<K, V, Hash, Equal>(a.with(b).rest());
}

}  // namespace tact

#include "tact/detail/end.hpp"  // last
