// ordered_tree: entries in the order of their keys, in a tree of wide nodes; a change makes new nodes on the way to its
// leaf, and shares all others with the tree as it was.
#include "tact/detail/begin.hpp"  // first
#pragma once

#include <algorithm>
#include <cstddef>
#include <memory>
#include <new>
#include <type_traits>
#include <utility>

#include "tact/data/detail/tree_search.hpp"
#include "tact/data/detail/tree_way.hpp"

namespace tact::detail {

// A B+ tree: the entries lie in leaves, all as deep as each other. Rules has: types `entry` and `key`; static functions
// key_of(entry) and less(key, key). A change with a link that nothing shares changes the nodes in place. When a
// function throws, the tree holds the same entries as before.
// Thread safety: that of an int; different trees may share nodes.
template <class Rules>
class ordered_tree : private tree_search<Rules> {
 public:
  using search = tree_search<Rules>;
  using search::after;
  using search::before;
  using search::inner;
  using search::leaf;
  using typename search::entry;
  using typename search::inner_node;
  using typename search::key;
  using typename search::leaf_node;
  using typename search::node;
  using typename search::place;
  using typename search::separator;
  using typename search::slot;

  ordered_tree() noexcept = default;
  ordered_tree(const ordered_tree& o) noexcept : root_(o.root_), size_(o.size_) {
    if (root_ != nullptr) root_->share();
  }
  ordered_tree(ordered_tree&& o) noexcept : root_(std::exchange(o.root_, nullptr)), size_(std::exchange(o.size_, 0)) {}
  ordered_tree& operator=(ordered_tree o) noexcept {
    std::swap(root_, o.root_);
    std::swap(size_, o.size_);
    return *this;
  }
  ~ordered_tree() {
    if (root_ != nullptr) let_go(root_);
  }

  [[nodiscard]] std::size_t size() const noexcept { return size_; }
  // The same nodes, so certainly the same entries.
  [[nodiscard]] bool is_same(const ordered_tree& o) const noexcept { return root_ == o.root_; }
  [[nodiscard]] const node* root() const noexcept { return root_; }

  // Null if there is none.
  template <class Q>
  [[nodiscard]] const entry* find(const Q& k) const {
    const place p = place_of(k);
    return p.leaf == nullptr ? nullptr : std::addressof(p.get());
  }
  // Behind the last entry if there is none.
  template <class Q>
  [[nodiscard]] place place_of(const Q& k) const {
    if (root_ == nullptr) return {};
    const leaf_node* const l = leaf_for(k);
    const unsigned at = first_not_less(l, k);
    return search::has_at(l, at, k) ? place{l, at} : place{};
  }
  // The first entry whose key is not less.
  template <class Q>
  [[nodiscard]] place lower_bound(const Q& k) const {
    return search::first_not_less_below(root_, k);
  }
  // The first entry whose key is greater.
  template <class Q>
  [[nodiscard]] place upper_bound(const Q& k) const {
    return search::first_greater_below(root_, k);
  }
  // REQUIRES: i < size()
  [[nodiscard]] place nth(std::size_t i) const noexcept { return search::nth_below(root_, i); }
  // How many entries have a key that is less.
  template <class Q>
  [[nodiscard]] std::size_t rank(const Q& k) const {
    return search::rank_below(root_, k);
  }
  [[nodiscard]] place first() const noexcept {
    if (root_ == nullptr) return {};
    const node* n = root_;
    while (n->height != 0) n = inner(n)->children()[0];
    return {leaf(n), 0};
  }

  // -- changes

  // Puts the slot that `make` returns, which has the key k. If there is an entry with an equal key: in its place, if
  // yields(entry); else nothing changes. Returns whether there was none.
  template <class Q, class Yields, class Make>
  bool put(const Q& k, Yields yields, Make make) {
    if (root_ == nullptr) {
      leaf_node* const l = new_leaf(1);
      holder kept{l};
      ::new (static_cast<void*>(l->items())) slot(make());
      l->count = 1;
      root_ = kept.release();
      size_ = 1;
      return true;
    }
    tree_way<Rules> way;
    if (!root_->is_sole()) {
      const entry* const there = way.look(root_, k);
      if (there != nullptr && !yields(*there)) return false;
    }
    if (is_full(root_)) {
      grow();
      way.forget();
    }
    node** at = &root_;
    for (;;) {
      make_sole(*at);
      if ((*at)->height == 0) break;
      inner_node* const n = inner(*at);
      unsigned i = way.turn(n, k);
      if (is_full(n->children()[i])) {
        split(n, i, k);
        way.forget();
        if (!Rules::less(k, sep_key(n->seps()[i]))) ++i;
      }
      at = way.go_down(n, i);
    }
    leaf_node* l = leaf(*at);
    const unsigned i = way.turn(l, k);
    if (search::has_at(l, i, k)) {
      if (!yields(l->items()[i].get())) return false;
      replace(l->items()[i], make());
      way.tell_above(l, i, 0);
      return false;
    }
    slot fresh = make();
    if (l->count == l->room) {
      try {
        l = resized(*at);
      } catch (...) {
        fresh.let_go();
        throw;
      }
    }
    insert_at(l->items(), l->count, i, fresh);
    ++l->count;
    ++size_;
    way.tell_above(l, i, 1);
    return true;
  }

  // Puts an entry of another tree, which is shared if it is not copied like bytes.
  void put(const slot& of) {
    put_shared(of, [&](const entry& there) { return std::addressof(there) != std::addressof(of.get()); });
  }
  void put_if_new(const slot& of) {
    put_shared(of, [](const entry&) { return false; });
  }

  // Returns whether there was one. The key may be that of the entry itself.
  template <class Q>
  bool erase(const Q& of) {
    if (root_ == nullptr) return false;
    tree_way<Rules> way;
    const entry* const there = way.look(root_, of);
    if (there == nullptr) return false;
    // `of` may lie in the node of its entry, which may end before the entry is found again. An entry that does not
    // lie in the node lasts as long as the tree has it.
    const kept_key k = Rules::key_of(*there);
    node** at = &root_;
    for (;;) {
      make_sole(*at);
      if ((*at)->height == 0) break;
      inner_node* const n = inner(*at);
      unsigned i = way.turn(n, k);
      if (n->children()[i]->count <= low_count(n->children()[i])) {
        i = fill(n, i, k);
        way.forget();
      }
      at = way.go_down(n, i);
    }
    leaf_node* const l = leaf(*at);
    const unsigned i = way.turn(l, k);
    l->items()[i].let_go();
    erase_at(l->items(), l->count, i);
    --l->count;
    --size_;
    way.tell_above(l, i, -1);
    while (root_ != nullptr && root_->height != 0 && root_->count == 1) {
      node* const only = inner(root_)->children()[0];
      only->share();
      let_go(std::exchange(root_, only));
    }
    if (size_ == 0) let_go(std::exchange(root_, nullptr));
    return true;
  }

 private:
  using kept_key = std::conditional_t<lies_in_node<entry>, key, const key&>;
  using search::child_for;
  using search::erase_at;
  using search::first_not_less;
  using search::insert_at;
  using search::is_full;
  using search::let_go;
  using search::low_count;
  using search::make_sole;
  using search::new_inner;
  using search::new_leaf;
  using search::replace;
  using search::resized;
  using search::sep_key;
  using search::separator_of;
  using search::take_slots;
  using typename search::holder;

  template <class Q>
  [[nodiscard]] const leaf_node* leaf_for(const Q& k) const {
    const node* n = root_;
    while (n->height != 0) n = inner(n)->children()[child_for(inner(n), k)];
    return leaf(n);
  }

  template <class Yields>
  void put_shared(const slot& of, Yields yields) {
    put(Rules::key_of(of.get()), yields, [&] {
      of.share();
      return of;
    });
  }

  // -- growing and shrinking

  void grow() {
    inner_node* const above = new_inner(root_->height + 1u);
    above->children()[0] = root_;
    above->count = 1;
    above->below = size_;
    root_ = above;
  }
  // Copies what lies in `from` from child `first` on, and counts it.
  static void take_children(inner_node* to, const inner_node* from, unsigned first, unsigned count) noexcept {
    for (unsigned i = first; i != first + count; ++i) {
      if (i != first) put_separator(to, from->seps()[i - 1]);
      put_child(to, from->children()[i]);
    }
  }
  static void put_child(inner_node* to, node* child) noexcept {
    child->share();
    to->children()[to->count++] = child;
    to->below += search::entries_of(child);
  }
  static void put_separator(inner_node* to, const separator& s) noexcept {
    ::new (static_cast<void*>(to->seps() + to->count - 1)) separator(s);
  }
  static void take_entries(leaf_node* to, const leaf_node* from, unsigned first, unsigned count) noexcept {
    for (unsigned i = first; i != first + count; ++i) from->items()[i].share();
    take_slots(to, from->items() + first, count);
  }

  // The node n is sole and has room for one child more; its child i is full. k: the key that is to be put.
  template <class Q>
  static void split(inner_node* n, unsigned i, const Q& k) {
    node* const full = n->children()[i];
    if (full->height == 0) {
      const unsigned count = full->count;
      // Keys that come in their order leave full leaves behind.
      const bool goes_on = i + 1u == n->count && Rules::less(Rules::key_of(leaf(full)->items()[count - 1].get()), k);
      const unsigned left = goes_on ? count - 1 : count / 2;
      holder low(new_leaf(left));
      leaf_node* const high = new_leaf(std::max(count - left, count / 2));
      take_entries(leaf(low.n), leaf(full), 0, left);
      take_entries(high, leaf(full), left, count - left);
      insert_child(n, i, low.release(), high, separator_of(high->items()[0]));
    } else {
      const unsigned left = full->count / 2;
      holder low(new_inner(full->height));
      inner_node* const high = new_inner(full->height);
      take_children(inner(low.n), inner(full), 0, left);
      take_children(high, inner(full), left, full->count - left);
      insert_child(n, i, low.release(), high, inner(full)->seps()[left - 1]);
    }
    let_go(full);
  }
  static void insert_child(inner_node* n, unsigned i, node* low, node* high, const separator& between) noexcept {
    insert_at(n->children(), n->count, i + 1, high);
    insert_at(n->seps(), n->count - 1u, i, between);
    n->children()[i] = low;
    ++n->count;
  }

  // Child i of the sole node n has few entries or children: it gets some of its neighbour's, or they become one.
  // Returns the child to which the key k belongs.
  template <class Q>
  static unsigned fill(inner_node* n, unsigned i, const Q& k) {
    if (n->count == 1) return i;
    const unsigned a = i == 0 ? 0 : i - 1;
    node* const low = n->children()[a];
    node* const high = n->children()[a + 1];
    const unsigned sum = low->count + high->count;
    const std::size_t most = search::most_in(low);
    const unsigned first = sum <= most * 3 / 4 ? sum : sum / 2;  // so many go to the left one
    if (low->height == 0) {
      holder l(new_leaf(first));
      holder r(first == sum ? nullptr : new_leaf(sum - first));
      take_entries(leaf(l.n), leaf(low), 0, std::min<unsigned>(low->count, first));
      if (first > low->count) take_entries(leaf(l.n), leaf(high), 0, first - low->count);
      if (r.n != nullptr) {
        if (first < low->count) take_entries(leaf(r.n), leaf(low), first, low->count - first);
        const unsigned taken = first > low->count ? first - low->count : 0;
        take_entries(leaf(r.n), leaf(high), taken, high->count - taken);
        ::new (static_cast<void*>(n->seps() + a)) separator(separator_of(leaf(r.n)->items()[0]));
      }
      n->children()[a] = l.release();
      n->children()[a + 1] = r.release();
    } else {
      fill_inner(n, a, inner(low), inner(high), first);
    }
    if (n->children()[a + 1] == nullptr) remove_child(n, a + 1);
    let_go(low);
    let_go(high);
    return child_for(n, k);
  }
  static void fill_inner(inner_node* n, unsigned a, const inner_node* low, const inner_node* high, unsigned first) {
    const unsigned sum = low->count + high->count;
    holder l(new_inner(low->height));
    holder r(first == sum ? nullptr : new_inner(low->height));
    // The children of both in their order, with the separators between them.
    const auto child = [&](unsigned i) {
      return i < low->count ? low->children()[i] : high->children()[i - low->count];
    };
    const auto sep_before = [&](unsigned i) -> const separator& {
      return i < low->count ? low->seps()[i - 1] : i == low->count ? n->seps()[a] : high->seps()[i - low->count - 1];
    };
    for (unsigned i = 0; i != sum; ++i) {
      inner_node* const to = inner(i < first ? l.n : r.n);
      if (to->count != 0) put_separator(to, sep_before(i));
      put_child(to, child(i));
    }
    if (r.n != nullptr) {
      const separator between = sep_before(first);
      ::new (static_cast<void*>(n->seps() + a)) separator(between);
    }
    n->children()[a] = l.release();
    n->children()[a + 1] = r.release();
  }
  static void remove_child(inner_node* n, unsigned i) noexcept {
    erase_at(n->children(), n->count, i);
    erase_at(n->seps(), n->count - 1u, i - 1);
    --n->count;
  }

  node* root_ = nullptr;
  std::size_t size_ = 0;
};

}  // namespace tact::detail

#include "tact/detail/end.hpp"  // last
