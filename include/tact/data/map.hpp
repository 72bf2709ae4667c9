// tact::map: a sorted table that never changes; a change makes another one, which shares with it what both have.
#include "tact/detail/begin.hpp"  // first
#pragma once

#include <concepts>
#include <functional>
#include <initializer_list>
#include <iterator>
#include <memory>
#include <stdexcept>
#include <type_traits>
#include <utility>

#include "tact/data/detail/ordered_table.hpp"
#include "tact/data/detail/same_value.hpp"

namespace tact {

template <class K, class V, class Less = std::less<>>
class map;

namespace detail {

struct first_of_pair {
  template <class P>
  [[nodiscard]] const typename P::first_type& operator()(const P& p) const noexcept {
    return p.first;
  }
};
struct same_second {
  template <class P>
  [[nodiscard]] bool operator()(const P& a, const P& b) const {
    return is_same_value(a.second, b.second);
  }
};
template <class K, class V, class Less>
using map_rules = ordered_rules<std::pair<const K, V>, K, Less, first_of_pair, same_second>;

template <class K, class V, class Less>
class map_table : public ordered_table<map_rules<K, V, Less>> {
  using base = ordered_table<map_rules<K, V, Less>>;

 public:
  using mapped_type = V;
  using key_compare = Less;

  // Throws std::out_of_range if there is none.
  template <class Q>
  [[nodiscard]] const V& at(const Q& key) const {
    const auto* const found = this->tree_.find(key);
    if (found == nullptr) throw std::out_of_range("tact::map: at() was called with a key that it does not have");
    return found->second;
  }

 protected:
  using base::base;
  bool put_if_new(K&& key, V&& value) {
    return this->tree_.put(
        key, [](const auto&) { return false; }, [&] { return base::slot::make(std::move(key), std::move(value)); });
  }
  bool put(K&& key, V&& value) {
    return this->tree_.put(
        key, [&](const auto& there) { return !is_same_value(there.second, value); },
        [&] { return base::slot::make(std::move(key), std::move(value)); });
  }
};

}  // namespace detail

// A table that is changed in place: for many changes one after the other. It may share nodes with maps, which stay as
// they are: a node is copied when it is changed first. Otherwise as tact::map. Source of the idea: Clojure.
template <class K, class V, class Less = std::less<>>
class transient_map : public detail::map_table<K, V, Less> {
  using base = detail::map_table<K, V, Less>;

 public:
  transient_map() = default;

  // Returns false, and changes nothing, if there is an entry with that key.
  bool insert(K key, V value) { return this->put_if_new(std::move(key), std::move(value)); }
  // Returns false if there was an entry with that key; its value is replaced.
  bool insert_or_assign(K key, V value) { return this->put(std::move(key), std::move(value)); }
  // Returns false if there is no entry with that key.
  template <class Q>
  bool erase(const Q& key) {
    return this->tree_.erase(key);
  }
  void clear() noexcept { this->tree_ = {}; }

  // These entries for ever. Takes one addition; of an rvalue none.
  [[nodiscard]] map<K, V, Less> persistent() const& { return map<K, V, Less>(this->tree_); }
  [[nodiscard]] map<K, V, Less> persistent() && { return map<K, V, Less>(std::move(this->tree_)); }

 private:
  friend class map<K, V, Less>;
  explicit transient_map(typename base::tree t) noexcept : base(std::move(t)) {}
};

// const tact::map<std::string, int> ages{{"Ada", 36}, {"Alan", 41}};
// const auto later = ages.insert_or_assign("Ada", 37).erase("Alan");  // `ages` is as before
//
// A value: a copy takes one addition, however large the table is, and is independent of the original. A change takes
// some log(size) steps, and leaves the table on which it is called as it was. Called on an rvalue of which there is no
// copy it works in place (m = std::move(m).erase(key)), as all changes of a transient do:
//
// tact::transient_map<std::string, int> all;
// for (const auto& [name, age] : source) all.insert(name, age);
// const tact::map<std::string, int> ages = std::move(all).persistent();
//
// REQUIRES: Less has no state, and is a strict weak order. Entries that are copied like bytes and take 32 bytes at most
// lie in the nodes; each other entry is made once, and shared, so it need not be copyable. If a function of the user
// throws, or there is no memory, all is as it was.
// Thread safety: const functions may be called by any number of threads at once, and different tables are independent,
// whatever they share: any thread may keep an old table while others go on.
// Memory: blocks of the library. Destruction takes a stack of constant depth. Costs beside std::map:
// docs/data/tables.md. Source of the idea: Driscoll, Sarnak, Sleator and Tarjan, "Making data structures persistent"
// (1989).
template <class K, class V, class Less>
class map : public detail::map_table<K, V, Less> {
  using base = detail::map_table<K, V, Less>;

 public:
  using transient_type = transient_map<K, V, Less>;

  map() = default;
  // Of several entries with equal keys the first is taken.
  map(std::initializer_list<typename base::value_type> entries) : map(entries.begin(), entries.end()) {}
  template <std::input_iterator It, std::sentinel_for<It> End>
  map(It first, End last) {
    for (; first != last; ++first) {
      auto&& e = *first;
      this->put_if_new(K(std::forward<decltype(e)>(e).first), V(std::forward<decltype(e)>(e).second));
    }
  }

  // With this entry, if there is none with that key; else the same table.
  [[nodiscard]] map insert(K key, V value) const& { return map(*this).insert(std::move(key), std::move(value)); }
  [[nodiscard]] map insert(K key, V value) && {
    this->put_if_new(std::move(key), std::move(value));
    return std::move(*this);
  }
  // With this entry, in the place of one with that key. If that has an equal value, the same table.
  [[nodiscard]] map insert_or_assign(K key, V value) const& {
    return map(*this).insert_or_assign(std::move(key), std::move(value));
  }
  [[nodiscard]] map insert_or_assign(K key, V value) && {
    this->put(std::move(key), std::move(value));
    return std::move(*this);
  }
  // Without the entry with that key. If there is none, the same table.
  template <class Q>
  [[nodiscard]] map erase(const Q& key) const& {
    return map(*this).erase(key);
  }
  template <class Q>
  [[nodiscard]] map erase(const Q& key) && {
    this->tree_.erase(key);
    return std::move(*this);
  }
  // Without the entries for which f(entry) is true; f is called with each of them once, in their order. If it is true
  // for none, the same table. Takes size() steps, and compares no keys.
  template <class F>
  [[nodiscard]] map erase_if(F f) const {
    return map(this->filtered(f));
  }
  [[nodiscard]] transient_type transient() const& { return transient_type(this->tree_); }
  [[nodiscard]] transient_type transient() && { return transient_type(std::move(this->tree_)); }

  // One is a copy of the other, or was made from it by changes that have changed nothing. Takes a nanosecond. False
  // says nothing about the entries; == compares them.
  [[nodiscard]] bool is_same_as(const map& other) const noexcept { return this->tree_.is_same(other.tree_); }
  friend bool operator==(const map& a, const map& b)
    requires std::equality_comparable<V>
  {
    return a.has_entries_of(b);
  }

 private:
  friend transient_type;
  template <class A, class B, class C, class F>
  friend void diff(const map<A, B, C>& before, const map<A, B, C>& after, F f);
  template <class A, class B, class C>
  friend map<A, B, C> union_of(const map<A, B, C>& a, const map<A, B, C>& b);
  template <class A, class B, class C>
  friend map<A, B, C> intersection_of(const map<A, B, C>& a, const map<A, B, C>& b);
  template <class A, class B, class C>
  friend map<A, B, C> difference_of(const map<A, B, C>& a, const map<A, B, C>& b);

  explicit map(typename base::tree t) noexcept : base(std::move(t)) {}
};

// Calls f(const tact::difference<value_type>&) for each key for which the tables have different entries, in the order
// of the keys. Values that cannot be compared by ==, nor copied like bytes, are different unless the tables share them.
// This and the next three take time for what differs, and none for what the tables share.
template <class K, class V, class Less, class F>
void diff(const map<K, V, Less>& before, const map<K, V, Less>& after, F f) {
  after.differ_from(before, f);
}
// The entries of both; where both have a key, that of `a`.
template <class K, class V, class Less>
[[nodiscard]] map<K, V, Less> union_of(const map<K, V, Less>& a, const map<K, V, Less>& b) {
  return map<K, V, Less>(a.united_with(b));
}
// The entries of `a` whose keys `b` has, too.
template <class K, class V, class Less>
[[nodiscard]] map<K, V, Less> intersection_of(const map<K, V, Less>& a, const map<K, V, Less>& b) {
  return map<K, V, Less>(a.common_with(b));
}
// The entries of `a` whose keys `b` has not.
template <class K, class V, class Less>
[[nodiscard]] map<K, V, Less> difference_of(const map<K, V, Less>& a, const map<K, V, Less>& b) {
  return map<K, V, Less>(a.without(b));
}

}  // namespace tact

#include "tact/detail/end.hpp"  // last
