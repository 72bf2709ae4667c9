// hash_trie: entries that lie in leaves by the bits of their hashes; a change makes new nodes on the way to its leaf.
#include "tact/detail/begin.hpp"  // first
#pragma once

#include <algorithm>
#include <bit>
#include <cstddef>
#include <cstdint>
#include <memory>
#include <new>
#include <utility>

#include "tact/data/detail/hash_nodes.hpp"

namespace tact::detail {

// An inner node has 2 to 16 children, as many as it needs so that each leaf has room: a leaf is child 2^k times, side
// by side, and when it is full it is split into two that are child half as often. Only where the widest node is not
// wide enough there is another one below. So a look takes few steps, and no node is larger than a block. Where all bits
// of the hashes are equal, a bucket lies. Rules has: types `entry` and `key`; static functions key_of(entry),
// equal(key, key) and hash(key, seed). A change with a link that nothing shares changes the nodes in place. When a
// function throws, the trie holds the same entries as before. Thread safety: that of an int; different tries may share
// nodes. Source of the idea: Fagin, Nievergelt, Pippenger and Strong, "Extendible hashing" (1979).
template <class Rules>
class hash_trie : private hash_nodes<Rules> {
 public:
  using rules = Rules;
  using nodes = hash_nodes<Rules>;
  using nodes::bucket_at;
  using nodes::find_in;
  using nodes::inner;
  using nodes::leaf;
  using typename nodes::bucket;
  using typename nodes::entry;
  using typename nodes::key;
  using typename nodes::leaf_node;
  using typename nodes::slot;

  struct place {
    trie_link node{};          // a leaf or a bucket
    const slot* at = nullptr;  // null: behind the last entry
    mixed_hash h = 0;          // one that leads to the node
    friend bool operator==(const place& a, const place& b) noexcept { return a.at == b.at; }
  };

  explicit hash_trie(std::uint64_t seed = 0) noexcept : seed_(seed) {}
  hash_trie(const hash_trie& o) noexcept : root_(o.root_), size_(o.size_), seed_(o.seed_) {
    if (root_) root_.node().share();
  }
  hash_trie(hash_trie&& o) noexcept
      : root_(std::exchange(o.root_, {})), size_(std::exchange(o.size_, 0)), seed_(o.seed_) {}
  hash_trie& operator=(hash_trie o) noexcept {
    std::swap(root_, o.root_);
    std::swap(size_, o.size_);
    std::swap(seed_, o.seed_);
    return *this;
  }
  ~hash_trie() { let_go(root_); }

  [[nodiscard]] std::size_t size() const noexcept { return size_; }
  // The same nodes, so certainly the same entries.
  [[nodiscard]] bool is_same(const hash_trie& o) const noexcept { return root_ == o.root_; }
  [[nodiscard]] trie_link root() const noexcept { return root_; }
  [[nodiscard]] std::uint64_t seed() const noexcept { return seed_; }
  [[nodiscard]] hash_trie without_entries() const noexcept { return hash_trie(seed_); }
  // REQUIRES: there is no entry.
  void take_seed(std::uint64_t seed) noexcept { seed_ = seed; }

  // Null if there is none.
  template <class Q>
  [[nodiscard]] const slot* slot_of(const Q& k) const {
    return place_of(k).at;
  }
  template <class Q>
  [[nodiscard]] place place_of(const Q& k) const {
    return root_ ? place_of(k, Rules::hash(k, seed_)) : place();
  }
  // The entries by the order of their hashes, as far as they lie in different leaves.
  [[nodiscard]] place first() const noexcept { return first_from(root_, 0); }
  // REQUIRES: `p` is the place of an entry in the trie with that root. Throws what a comparison throws, if there are
  // more entries with its hash than a leaf has room for.
  [[nodiscard]] static place after(trie_link root, place p) {
    if (p.node.is_bucket()) {
      p.at = bucket_at(p.node)->entries.after(p.at);
      if (p.at != nullptr) return p;
    } else if (++p.at != leaf(p.node)->items() + leaf(p.node)->count) {
      return p;
    }
    const mixed_hash next = step(root, p.h).next;
    return next == 0 ? place() : first_from(root, next);
  }

  // -- changes

  // Puts the slot that `make` returns, which has the key k. If there is an entry with an equal key: in its place, if
  // yields(entry); else nothing changes. Returns whether there was none.
  template <class Yields, class Make>
  bool put(const key& k, Yields yields, Make make) {
    const mixed_hash h = Rules::hash(k, seed_);
    const place there = place_of(k, h);
    if (there.at == nullptr) {
      insert(k, h, make);
      ++size_;
      return true;
    }
    if (!yields(there.at->get())) return false;
    way to(root_, h);
    to.descend();
    if (there.node.is_bucket()) {
      sole_bucket(to)->entries.replace(there.at, k, make);
    } else {
      const std::ptrdiff_t i = there.at - leaf(there.node)->items();
      leaf_node* const l = sole_leaf(to, 0);
      replace_slot(l->items()[i], make());
    }
    return false;
  }
  // Puts an entry of another trie, which is shared if it is not copied like bytes.
  void put(const slot& of) {
    put_shared(of, [&](const entry& there) { return std::addressof(there) != std::addressof(of.get()); });
  }
  void put_if_new(const slot& of) {
    put_shared(of, [](const entry&) { return false; });
  }

  // Returns whether there was one. The key may be that of the entry itself.
  template <class Q>
  bool erase(const Q& k) {
    if (!root_) return false;
    const mixed_hash h = Rules::hash(k, seed_);
    const place there = place_of(k, h);
    if (there.at == nullptr) return false;
    way to(root_, h);
    to.descend();
    if (there.node.is_bucket()) {
      sole_bucket(to)->entries.erase(there.at);
    } else {
      erase_in_leaf(to, static_cast<unsigned>(there.at - leaf(there.node)->items()));
    }
    --size_;
    shrink(to);
    return true;
  }

 private:
  using nodes::add;
  using nodes::add_all;
  using nodes::free_leaf;
  using nodes::inner_bytes;
  using nodes::leaf_most;
  using nodes::let_go;
  using nodes::link;
  using nodes::new_inner;
  using nodes::new_leaf;
  using nodes::pass_on;
  using nodes::run_of;
  using nodes::tag_of;
  using typename nodes::holder;
  using typename nodes::inner_node;
  using typename nodes::run;

  // -- search

  template <class Q>
  [[nodiscard]] place place_of(const Q& k, mixed_hash h) const {
    trie_link p = root_;
    mixed_hash left = h;
    while (!p.is_leaf()) {
      if (p.is_bucket()) [[unlikely]]
        return {p, bucket_at(p)->entries.find(k), h};
      const unsigned fan = p.fan();
      p = inner(p)->children()[left >> (hash_bits - fan)];
      left <<= fan;
    }
    return {p, p ? find_in(*leaf(p), h, k) : nullptr, h};
  }
  // The leaf or bucket to which a hash leads, or null; and the least hash that leads behind it, 0: there is none.
  struct steps {
    trie_link node;
    mixed_hash next;
  };
  [[nodiscard]] static steps step(trie_link root, mixed_hash h) noexcept {
    trie_link n = root;
    unsigned used = 0;
    unsigned count = 1;
    while (n.is_inner()) {
      const unsigned fan = n.fan();
      const unsigned i = static_cast<unsigned>(h << used >> (hash_bits - fan));
      const trie_link above = n;
      n = inner(n)->children()[i];
      used += fan;
      if (n.is_leaf()) count = run_of(above, i).count;
    }
    const unsigned width = hash_bits - used + static_cast<unsigned>(std::countr_zero(count));
    return {n, width >= hash_bits ? 0 : ((h >> width) + 1) << width};
  }
  // The first entry to which that hash or one behind it leads.
  [[nodiscard]] static place first_from(trie_link root, mixed_hash h) noexcept {
    if (!root) return {};
    do {
      const steps s = step(root, h);
      if (s.node) return {s.node, s.node.is_leaf() ? leaf(s.node)->items() : first_in(s.node), h};
      h = s.next;
    } while (h != 0);
    return {};
  }
  [[nodiscard]] static const slot* first_in(trie_link b) noexcept { return bucket_at(b)->entries.first(); }

  // -- changes

  // The way from the root to the leaf or bucket of a hash, or to null. All inner nodes on it are sole.
  struct way {
    way(trie_link& root, mixed_hash hash) noexcept : at(&root), h(hash), left(hash) {}
    void descend() {
      while (at->is_inner()) {
        nodes::make_sole(*at);
        above = at;
        const unsigned fan = at->fan();
        used += fan;
        index = static_cast<unsigned>(left >> (hash_bits - fan));
        at = inner(*at)->children() + index;
        left <<= fan;
      }
    }
    // Puts a node where the way ends, and returns the one that was there.
    trie_link exchange(trie_link by) noexcept {
      const trie_link old = *at;
      if (above == nullptr) {
        *at = by;
      } else {
        const run r = run_of(*above, index);
        std::fill_n(inner(*above)->children() + r.first, r.count, by);
      }
      return old;
    }

    trie_link* at;
    trie_link* above = nullptr;  // of it *at is child `index`; null: the way ends at the root
    unsigned index = 0;
    unsigned used = 0;  // bits of the hash
    mixed_hash h;
    mixed_hash left;
  };

  // The leaf at the end of the way, with room for so many more. REQUIRES: there is one.
  static leaf_node* sole_leaf(way& to, unsigned more) {
    leaf_node* const old = leaf(*to.at);
    if (old->is_sole() && old->count + more <= old->room) return old;
    // In place, many more come one by one.
    const std::size_t spare = old->is_sole() ? more * old->count / 4 : 0;
    leaf_node* const l = new_leaf(std::min<std::size_t>(leaf_most, old->count + more + spare));
    add_all(l, old);
    pass_on(to.exchange(link(l)));
    return l;
  }
  static bucket* sole_bucket(way& to) {
    if (to.at->node().is_sole()) return bucket_at(*to.at);
    bucket* const b = box<bucket>().release();
    b->entries = bucket_at(*to.at)->entries;
    let_go(to.exchange({b, trie_link::bucket_kind}));
    return b;
  }
  template <class Yields>
  void put_shared(const slot& of, Yields yields) {
    put(Rules::key_of(of.get()), yields, [&] {
      of.share();
      return of;
    });
  }
  // REQUIRES: no entry has that key.
  template <class Make>
  void insert(const key& k, mixed_hash h, Make make) {
    way to(root_, h);
    for (to.descend(); to.at->is_leaf() && *to.at && leaf(*to.at)->count == leaf_most; to.descend()) split(to);
    if (to.at->is_bucket()) {
      sole_bucket(to)->entries.add(k, make);
    } else if (*to.at) {
      leaf_node* const l = sole_leaf(to, 1);
      add(l, make(), tag_of(h));
    } else {
      holder fresh(link(new_leaf(1)));
      add(leaf(fresh.p), make(), tag_of(h));
      to.exchange(fresh.release());
    }
  }

  // The leaf at the end of the way is full: takes a step towards two leaves, and goes back to the root.
  void split(way& to) {
    if (to.above == nullptr) {
      put_above(*to.at);
    } else if (const run r = run_of(*to.above, to.index); r.count != 1) {
      split_leaf(to, r);
    } else if (to.used == hash_bits) {
      become_bucket(to);
    } else if (to.above->fan() == nodes::fan_most) {
      put_above(*to.at);
    } else {
      widen(*to.above);
    }
    to = way(root_, to.h);
  }
  static void put_above(trie_link& p) {
    inner_node* const n = new_inner(1);
    std::uninitialized_fill_n(n->children(), 2, p);
    p = link(n, 1);
  }
  static void widen(trie_link& p) {
    const unsigned fan = p.fan() + 1;
    inner_node* const old = inner(p);
    inner_node* const n = new_inner(fan);
    for (unsigned i = 0; i != 1U << fan; ++i) std::construct_at(n->children() + i, old->children()[i / 2]);
    p = link(n, fan);
    free_block(old, inner_bytes(fan - 1));
  }
  void split_leaf(way& to, run r) {
    leaf_node* const full = leaf(*to.at);
    const unsigned bit = hash_bits - 1 - to.used + static_cast<unsigned>(std::countr_zero(r.count));
    std::uint32_t is_high = 0;
    for (unsigned i = 0; i != full->count; ++i) {
      const mixed_hash h = Rules::hash(Rules::key_of(full->items()[i].get()), seed_);
      is_high |= static_cast<std::uint32_t>(h >> bit & 1) << i;
    }
    const unsigned ones = static_cast<unsigned>(std::popcount(is_high));
    leaf_node* const low = ones == full->count ? nullptr : new_leaf(full->count - ones);
    leaf_node* high = nullptr;
    try {
      high = ones == 0 ? nullptr : new_leaf(ones);
    } catch (...) {
      if (low != nullptr) free_leaf(low);
      throw;
    }
    for (unsigned i = 0; i != full->count; ++i)
      add((is_high >> i & 1) != 0 ? high : low, full->items()[i], full->tags[i]);
    trie_link* const c = inner(*to.above)->children() + r.first;
    std::fill_n(c, r.count / 2, low == nullptr ? trie_link() : link(low));
    std::fill_n(c + r.count / 2, r.count / 2, high == nullptr ? trie_link() : link(high));
    pass_on(link(full));
  }
  void become_bucket(way& to) {
    const leaf_node* const l = leaf(*to.at);
    bucket* const b = box<bucket>().release();
    holder kept({b, trie_link::bucket_kind});
    for (unsigned i = 0; i != l->count; ++i) {
      const slot& s = l->items()[i];
      b->entries.add(Rules::key_of(s.get()), [&] {
        s.share();
        return s;
      });
    }
    let_go(to.exchange(kept.release()));
  }

  static void erase_in_leaf(way& to, unsigned i) {
    if (leaf(*to.at)->count == 1) return let_go(to.exchange({}));
    leaf_node* const l = sole_leaf(to, 0);
    const slot old = l->items()[i];
    const unsigned last = l->count - 1u;
    if (i != last) ::new (static_cast<void*>(l->items() + i)) slot(l->items()[last]);
    l->tags[i] = l->tags[last];
    --l->count;
    old.let_go();
  }
  // Behind an erasure at the end of the way: leaves side by side that have few entries become one. Where there is no
  // memory for that, or a comparison throws, they stay.
  void shrink(way& to) noexcept {
    try {
      if (to.at->is_bucket() && !become_leaf(to)) return;
      while (to.above != nullptr && merge(to)) {
        if (run_of(*to.above, to.index).count != 1U << to.above->fan()) continue;
        const trie_link only = *to.at;
        if (only) only.node().share();
        let_go(std::exchange(*to.above, only));
        to = way(root_, to.h);
        to.descend();
      }
    } catch (...) {
    }
  }
  static bool become_leaf(way& to) {
    const auto& entries = bucket_at(*to.at)->entries;
    if (entries.size() > leaf_most / 2) return false;
    holder made(entries.size() == 0 ? trie_link() : link(new_leaf(entries.size())));
    entries.all([&](const slot& s) {
      s.share();
      add(leaf(made.p), s, tag_of(to.h));
      return true;
    });
    let_go(to.exchange(made.release()));
    return true;
  }
  // The leaf and the one beside it. False: they stay two.
  static bool merge(way& to) {
    trie_link* const c = inner(*to.above)->children();
    const run mine = run_of(*to.above, to.index);
    if (mine.count == 1U << to.above->fan()) return true;
    const unsigned other = mine.first ^ mine.count;
    const trie_link a = c[mine.first];
    const trie_link b = c[other];
    if (!b.is_leaf() || !nodes::are_all(c + other, mine.count, b)) return false;
    const std::size_t sum = (a ? leaf(a)->count : 0u) + (b ? leaf(b)->count : 0u);
    if (sum > leaf_most / 2) return false;
    trie_link both = a ? a : b;
    if (a && b) {
      leaf_node* const l = new_leaf(sum);
      add_all(l, leaf(a));
      add_all(l, leaf(b));
      both = link(l);
    }
    std::fill_n(c + std::min(mine.first, other), 2 * mine.count, both);
    if (a && b) {
      pass_on(a);
      pass_on(b);
    }
    return true;
  }

  trie_link root_;
  std::size_t size_ = 0;
  std::uint64_t seed_;
};

}  // namespace tact::detail

#include "tact/detail/end.hpp"  // last
