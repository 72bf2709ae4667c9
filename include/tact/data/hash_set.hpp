// tact::hash_set: keys without an order that never change; a change makes another set, which shares with it what both
// have.
#include "tact/detail/begin.hpp"  // first
#pragma once

#include <functional>
#include <initializer_list>
#include <iterator>
#include <utility>

#include "tact/data/detail/hash_table.hpp"
#include "tact/data/set.hpp"

namespace tact {

template <class K, class Hash = std::hash<K>, class Equal = std::equal_to<>>
class hash_set;

namespace detail {

template <class K, class Hash, class Equal>
using hash_set_rules = hash_rules<K, K, Hash, Equal, key_itself, always_same>;

template <class K, class Hash, class Equal>
class hash_set_table : public hash_table<hash_set_rules<K, Hash, Equal>> {
  using base = hash_table<hash_set_rules<K, Hash, Equal>>;

 protected:
  using base::base;
  bool put(K&& key) {
    return this->put_entry(
        key, [](const K&) { return false; }, [&] { return base::slot::make(std::move(key)); });
  }
};

}  // namespace detail

// A hash_set that is changed in place: see tact::transient_map.
template <class K, class Hash = std::hash<K>, class Equal = std::equal_to<>>
class transient_hash_set : public detail::hash_set_table<K, Hash, Equal> {
  using base = detail::hash_set_table<K, Hash, Equal>;

 public:
  transient_hash_set() = default;

  // Returns false, and changes nothing, if the key is there.
  bool insert(K key) { return this->put(std::move(key)); }
  // Returns false if it is not there.
  bool erase(const K& key) { return this->trie_.erase(key); }
  template <detail::key_like<detail::hash_set_rules<K, Hash, Equal>> Q>
  bool erase(const Q& key) {
    return this->trie_.erase(key);
  }
  void clear() noexcept { this->trie_ = typename base::trie(); }

  // These keys for ever. Takes one addition; of an rvalue none.
  [[nodiscard]] hash_set<K, Hash, Equal> persistent() const& { return hash_set<K, Hash, Equal>(this->trie_); }
  [[nodiscard]] hash_set<K, Hash, Equal> persistent() && { return hash_set<K, Hash, Equal>(std::move(this->trie_)); }

 private:
  friend class hash_set<K, Hash, Equal>;
  explicit transient_hash_set(typename base::trie t) noexcept : base(std::move(t)) {}
};

// const tact::hash_set<std::string> guests{"Ada", "Alan"};
// const auto others = guests.insert("Grace").erase("Alan");  // `guests` is as before
//
// All that is said of tact::hash_map holds; an entry is a key.
template <class K, class Hash, class Equal>
class hash_set : public detail::hash_set_table<K, Hash, Equal> {
  using base = detail::hash_set_table<K, Hash, Equal>;

 public:
  using transient_type = transient_hash_set<K, Hash, Equal>;

  hash_set() = default;
  hash_set(std::initializer_list<K> keys) : hash_set(keys.begin(), keys.end()) {}
  template <std::input_iterator It, std::sentinel_for<It> End>
  hash_set(It first, End last) {
    for (; first != last; ++first) this->put(K(*first));
  }

  // With this key. If it is there, the same set.
  [[nodiscard]] hash_set insert(K key) const& { return hash_set(*this).insert(std::move(key)); }
  [[nodiscard]] hash_set insert(K key) && {
    this->put(std::move(key));
    return std::move(*this);
  }
  // Without this key. If it is not there, the same set.
  [[nodiscard]] hash_set erase(const K& key) const& { return hash_set(*this).erase(key); }
  [[nodiscard]] hash_set erase(const K& key) && {
    this->trie_.erase(key);
    return std::move(*this);
  }
  template <detail::key_like<detail::hash_set_rules<K, Hash, Equal>> Q>
  [[nodiscard]] hash_set erase(const Q& key) const& {
    return hash_set(*this).erase(key);
  }
  template <detail::key_like<detail::hash_set_rules<K, Hash, Equal>> Q>
  [[nodiscard]] hash_set erase(const Q& key) && {
    this->trie_.erase(key);
    return std::move(*this);
  }
  [[nodiscard]] transient_type transient() const& { return transient_type(this->trie_); }
  [[nodiscard]] transient_type transient() && { return transient_type(std::move(this->trie_)); }

  // As for tact::map.
  [[nodiscard]] bool is_same_as(const hash_set& other) const noexcept { return this->trie_.is_same(other.trie_); }
  friend bool operator==(const hash_set& a, const hash_set& b) { return a.has_entries_of(b); }

 private:
  friend transient_type;
  template <class A, class B, class C, class F>
  friend void diff(const hash_set<A, B, C>& before, const hash_set<A, B, C>& after, F f);
  template <class A, class B, class C>
  friend hash_set<A, B, C> union_of(const hash_set<A, B, C>& a, const hash_set<A, B, C>& b);
  template <class A, class B, class C>
  friend hash_set<A, B, C> intersection_of(const hash_set<A, B, C>& a, const hash_set<A, B, C>& b);
  template <class A, class B, class C>
  friend hash_set<A, B, C> difference_of(const hash_set<A, B, C>& a, const hash_set<A, B, C>& b);

  explicit hash_set(typename base::trie t) noexcept : base(std::move(t)) {}
};

// These four: as for tact::hash_map.
template <class K, class Hash, class Equal, class F>
void diff(const hash_set<K, Hash, Equal>& before, const hash_set<K, Hash, Equal>& after, F f) {
  after.differ_from(before, f);
}
template <class K, class Hash, class Equal>
[[nodiscard]] hash_set<K, Hash, Equal> union_of(const hash_set<K, Hash, Equal>& a, const hash_set<K, Hash, Equal>& b) {
  return hash_set<K, Hash, Equal>(a.with(b).all());
}
template <class K, class Hash, class Equal>
[[nodiscard]] hash_set<K, Hash, Equal> intersection_of(const hash_set<K, Hash, Equal>& a,
                                                       const hash_set<K, Hash, Equal>& b) {
  return hash_set<K, Hash, Equal>(a.with(b).common());
}
template <class K, class Hash, class Equal>
[[nodiscard]] hash_set<K, Hash, Equal> difference_of(const hash_set<K, Hash, Equal>& a,
                                                     const hash_set<K, Hash, Equal>& b) {
  return hash_set<K, Hash, Equal>(a.with(b).rest());
}

}  // namespace tact

#include "tact/detail/end.hpp"  // last
