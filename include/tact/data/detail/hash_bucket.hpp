// hash_bucket: the entries of a hash table whose hashes are equal in every bit, where there are too many for a leaf.
#include "tact/detail/begin.hpp"  // first
#pragma once

#include <algorithm>
#include <compare>
#include <concepts>
#include <cstddef>
#include <functional>
#include <memory>
#include <new>
#include <type_traits>
#include <utility>

#include "tact/data/detail/ordered_tree.hpp"
#include "tact/data/detail/shared_node.hpp"
#include "tact/data/detail/tree_difference.hpp"
#include "tact/detail/core.hpp"

namespace tact::detail {

// Of two keys that are not equal, one is less. An order that is weak, or partial as that of double, does not say so.
template <class K>
concept strictly_ordered = std::three_way_comparable<K, std::strong_ordering> ||
                           (std::totally_ordered<K> && !std::three_way_comparable<K, std::partial_ordering>);

template <class Slot>
void replace_slot(Slot& there, const Slot& by) noexcept {
  const Slot old = there;
  ::new (static_cast<void*>(std::addressof(there))) Slot(by);
  old.let_go();
}

// In the order of the keys: all takes O(log n). Thread safety: that of an int.
template <class Rules>
class sorted_entries {
 public:
  using slot = entry_slot<typename Rules::entry>;
  using key = typename Rules::key;

  [[nodiscard]] std::size_t size() const noexcept { return tree_.size(); }
  // These three: null if there is none.
  template <class Q>
  [[nodiscard]] const slot* find(const Q& k) const {
    if constexpr (std::totally_ordered_with<key, Q>) {
      return slot_at(tree_.place_of(k));
    } else {
      const slot* found = nullptr;
      all([&](const slot& s) {
        if (Rules::equal(Rules::key_of(s.get()), k)) found = std::addressof(s);
        return found == nullptr;
      });
      return found;
    }
  }
  [[nodiscard]] const slot* first() const noexcept { return slot_at(tree_.first()); }
  [[nodiscard]] const slot* after(const slot* s) const { return slot_at(tree_.upper_bound(Rules::key_of(s->get()))); }

  // Calls f until it returns false; returns whether it never has.
  template <class F>
  bool all(F f) const {
    auto p = tree_.first();
    while (p.leaf != nullptr && f(p.slot_there())) p = tree::after(tree_.root(), p);
    return p.leaf == nullptr;
  }
  // Calls f as for_each_difference does; returns whether it never has returned false.
  template <class F>
  static bool differ(const sorted_entries& from, const sorted_entries& to, F f) {
    bool goes_on = true;
    for_each_difference(from.tree_, to.tree_, [&](const slot* x, const slot* y) { return goes_on = f(x, y); });
    return goes_on;
  }

  // REQUIRES: no entry has that key.
  template <class Make>
  void add(const key& k, Make make) {
    tree_.put(
        k, [](const auto&) { return false; }, make);
  }
  // REQUIRES of both: the slot is one of these. `k`: its key, which does not lie in it.
  template <class Make>
  void replace(const slot*, const key& k, Make make) {
    tree_.put(
        k, [](const auto&) { return true; }, make);
  }
  void erase(const slot* s) { tree_.erase(Rules::key_of(s->get())); }

 private:
  struct order {
    using entry = typename Rules::entry;
    using key = typename Rules::key;
    [[nodiscard]] static const key& key_of(const entry& e) noexcept { return Rules::key_of(e); }
    template <class A, class B>
    [[nodiscard]] static bool less(const A& a, const B& b) {
      return std::less<>()(a, b);
    }
    [[nodiscard]] static bool same(const entry& a, const entry& b) { return Rules::same(a, b); }
  };
  using tree = ordered_tree<order>;
  [[nodiscard]] static const slot* slot_at(const typename tree::place& p) noexcept {
    return p.leaf == nullptr ? nullptr : std::addressof(p.slot_there());
  }

  tree tree_;
};

// Side by side, for keys without an order: a look takes O(n), and a change beside an old version copies all. Thread
// safety: that of an int.
template <class Rules>
class unsorted_entries {
 public:
  using slot = entry_slot<typename Rules::entry>;
  using key = typename Rules::key;

  unsorted_entries() noexcept = default;
  unsorted_entries(const unsorted_entries& o) noexcept : all_(o.all_) {
    if (all_ != nullptr) all_->share();
  }
  unsorted_entries& operator=(unsorted_entries o) noexcept {
    std::swap(all_, o.all_);
    return *this;
  }
  ~unsorted_entries() {
    if (all_ != nullptr) let_go(all_);
  }

  [[nodiscard]] std::size_t size() const noexcept { return all_ == nullptr ? 0 : all_->count; }
  // These three: null if there is none.
  template <class Q>
  [[nodiscard]] const slot* find(const Q& k) const {
    for (const slot* s = first(); s != nullptr; s = after(s))
      if (Rules::equal(Rules::key_of(s->get()), k)) return s;
    return nullptr;
  }
  [[nodiscard]] const slot* first() const noexcept { return size() == 0 ? nullptr : all_->items(); }
  [[nodiscard]] const slot* after(const slot* s) const noexcept {
    return s + 1 == all_->items() + all_->count ? nullptr : s + 1;
  }

  // Calls f until it returns false; returns whether it never has.
  template <class F>
  bool all(F f) const {
    const slot* s = first();
    while (s != nullptr && f(*s)) s = after(s);
    return s == nullptr;
  }

  // REQUIRES: no entry has that key.
  template <class Make>
  void add(const key&, Make make) {
    make_sole(1);
    ::new (static_cast<void*>(all_->items() + all_->count)) slot(make());
    ++all_->count;
  }
  // REQUIRES of both: the slot is one of these.
  template <class Make>
  void replace(const slot* s, const key&, Make make) {
    const std::ptrdiff_t i = s - all_->items();
    make_sole(0);
    replace_slot(all_->items()[i], make());
  }
  void erase(const slot* s) {
    const std::ptrdiff_t i = s - all_->items();
    make_sole(0);
    const slot old = all_->items()[i];
    const slot last = all_->items()[--all_->count];
    ::new (static_cast<void*>(all_->items() + i)) slot(last);
    old.let_go();
  }

 private:
  struct alignas(8) array : shared_node {
    explicit array(std::size_t r) noexcept : room(r) {}
    [[nodiscard]] slot* items() noexcept { return reinterpret_cast<slot*>(this + 1); }
    std::size_t count = 0;
    const std::size_t room;
  };
  static constexpr std::size_t bytes_of(std::size_t room) noexcept { return sizeof(array) + room * sizeof(slot); }
  static void free(array* a) noexcept { free_block(a, bytes_of(a->room)); }
  static void let_go(array* a) noexcept {
    if (!a->let_go()) return;
    for (std::size_t i = 0; i != a->count; ++i) a->items()[i].let_go();
    free(a);
  }

  // Nothing shares the array then, and it has room for so many more.
  void make_sole(std::size_t more) {
    const std::size_t count = size();
    if (all_ != nullptr && all_->is_sole() && count + more <= all_->room) return;
    const std::size_t room = std::max<std::size_t>(8, more == 0 ? count : 2 * count);
    array* const old = std::exchange(all_, ::new (allocate_block(bytes_of(room))) array(room));
    if (old == nullptr) return;
    std::uninitialized_copy_n(old->items(), count, all_->items());
    all_->count = count;
    if (old->is_sole()) return free(old);
    for (std::size_t i = 0; i != count; ++i) old->items()[i].share();
    let_go(old);
  }

  array* all_ = nullptr;
};

template <class Rules>
struct hash_bucket : shared_node {
  static constexpr bool is_sorted = Rules::equal_is_that_of_keys && strictly_ordered<typename Rules::key>;
  std::conditional_t<is_sorted, sorted_entries<Rules>, unsorted_entries<Rules>> entries;
};

}  // namespace tact::detail

#include "tact/detail/end.hpp"  // last
