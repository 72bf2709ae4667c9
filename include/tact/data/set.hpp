// tact::set: sorted keys that never change; a change makes another set, which shares with it what both have.
#include "tact/detail/begin.hpp"  // first
#pragma once

#include <functional>
#include <initializer_list>
#include <iterator>
#include <utility>

#include "tact/data/detail/ordered_table.hpp"

namespace tact {

template <class K, class Less = std::less<>>
class set;

namespace detail {

struct key_itself {
  template <class K>
  [[nodiscard]] const K& operator()(const K& k) const noexcept {
    return k;
  }
};
struct always_same {
  template <class K>
  [[nodiscard]] bool operator()(const K&, const K&) const noexcept {
    return true;
  }
};
template <class K, class Less>
using set_rules = ordered_rules<K, K, Less, key_itself, always_same>;

template <class K, class Less>
class set_table : public ordered_table<set_rules<K, Less>> {
  using base = ordered_table<set_rules<K, Less>>;

 public:
  using key_compare = Less;

 protected:
  using base::base;
  bool put(K&& key) {
    return this->tree_.put(
        key, [](const K&) { return false; }, [&] { return base::slot::make(std::move(key)); });
  }
};

}  // namespace detail

// A set that is changed in place: see tact::transient_map.
template <class K, class Less = std::less<>>
class transient_set : public detail::set_table<K, Less> {
  using base = detail::set_table<K, Less>;

 public:
  transient_set() = default;

  // Returns false, and changes nothing, if the key is there.
  bool insert(K key) { return this->put(std::move(key)); }
  // Returns false if it is not there.
  template <class Q>
  bool erase(const Q& key) {
    return this->tree_.erase(key);
  }
  void clear() noexcept { this->tree_ = {}; }

  // These keys for ever. Takes one addition; of an rvalue none.
  [[nodiscard]] set<K, Less> persistent() const& { return set<K, Less>(this->tree_); }
  [[nodiscard]] set<K, Less> persistent() && { return set<K, Less>(std::move(this->tree_)); }

 private:
  friend class set<K, Less>;
  explicit transient_set(typename base::tree t) noexcept : base(std::move(t)) {}
};

// const tact::set<std::string> guests{"Ada", "Alan"};
// const auto others = guests.insert("Grace").erase("Alan");  // `guests` is as before
//
// All that is said of tact::map holds; an entry is a key.
template <class K, class Less>
class set : public detail::set_table<K, Less> {
  using base = detail::set_table<K, Less>;

 public:
  using transient_type = transient_set<K, Less>;

  set() = default;
  set(std::initializer_list<K> keys) : set(keys.begin(), keys.end()) {}
  template <std::input_iterator It, std::sentinel_for<It> End>
  set(It first, End last) {
    for (; first != last; ++first) this->put(K(*first));
  }

  // With this key. If it is there, the same set.
  [[nodiscard]] set insert(K key) const& { return set(*this).insert(std::move(key)); }
  [[nodiscard]] set insert(K key) && {
    this->put(std::move(key));
    return std::move(*this);
  }
  // Without this key. If it is not there, the same set.
  template <class Q>
  [[nodiscard]] set erase(const Q& key) const& {
    return set(*this).erase(key);
  }
  template <class Q>
  [[nodiscard]] set erase(const Q& key) && {
    this->tree_.erase(key);
    return std::move(*this);
  }
  // Without the keys for which f(key) is true; f is called with each of them once, in their order. If it is true for
  // none, the same set. Takes size() steps, and compares no keys.
  template <class F>
  [[nodiscard]] set erase_if(F f) const {
    return set(this->filtered(f));
  }
  [[nodiscard]] transient_type transient() const& { return transient_type(this->tree_); }
  [[nodiscard]] transient_type transient() && { return transient_type(std::move(this->tree_)); }

  // As for tact::map.
  [[nodiscard]] bool is_same_as(const set& other) const noexcept { return this->tree_.is_same(other.tree_); }
  friend bool operator==(const set& a, const set& b) { return a.has_entries_of(b); }

 private:
  friend transient_type;
  template <class A, class B, class F>
  friend void diff(const set<A, B>& before, const set<A, B>& after, F f);
  template <class A, class B>
  friend set<A, B> union_of(const set<A, B>& a, const set<A, B>& b);
  template <class A, class B>
  friend set<A, B> intersection_of(const set<A, B>& a, const set<A, B>& b);
  template <class A, class B>
  friend set<A, B> difference_of(const set<A, B>& a, const set<A, B>& b);

  explicit set(typename base::tree t) noexcept : base(std::move(t)) {}
};

// These four: as for tact::map.
template <class K, class Less, class F>
void diff(const set<K, Less>& before, const set<K, Less>& after, F f) {
  after.differ_from(before, f);
}
template <class K, class Less>
[[nodiscard]] set<K, Less> union_of(const set<K, Less>& a, const set<K, Less>& b) {
  return set<K, Less>(a.united_with(b));
}
template <class K, class Less>
[[nodiscard]] set<K, Less> intersection_of(const set<K, Less>& a, const set<K, Less>& b) {
  return set<K, Less>(a.common_with(b));
}
template <class K, class Less>
[[nodiscard]] set<K, Less> difference_of(const set<K, Less>& a, const set<K, Less>& b) {
  return set<K, Less>(a.without(b));
}

}  // namespace tact

#include "tact/detail/end.hpp"  // last
