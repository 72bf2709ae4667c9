// Walks two hash tries at once, past all that they share.
#include "tact/detail/begin.hpp"  // first
#pragma once

#include <algorithm>
#include <memory>

#include "tact/data/detail/hash_trie.hpp"

namespace tact::detail {

// Thread safety: that of an int.
template <class Rules, class F>
class hash_difference {
 public:
  using trie = hash_trie<Rules>;
  using slot = typename trie::slot;

  hash_difference(std::uint64_t seed, F& f) noexcept : seed_(seed), f_(f) {}

  // The hashes that lead through the two nodes.
  struct range {
    mixed_hash first = 0;
    mixed_hash last = ~mixed_hash{0};
  };
  // Below two links that the hashes of a range lead to, behind the `used` bits above. False: f has said that it is
  // enough.
  bool between(trie_link a, trie_link b, range in, unsigned used) {
    if (a == b) return true;
    const unsigned fan = std::max(a.fan(), b.fan());
    if (fan == 0) return between_leaves(a, b, in);
    const unsigned below = hash_bits - used - fan;
    for (unsigned i = 0, end = 0; i != 1U << fan; i = end) {
      const trie_link x = child_of(a, i, fan);
      const trie_link y = child_of(b, i, fan);
      for (end = i + 1; end != 1U << fan && child_of(a, end, fan) == x && child_of(b, end, fan) == y;) ++end;
      const range part{in.first + (static_cast<mixed_hash>(i) << below),
                       in.first + ((static_cast<mixed_hash>(end) << below) - 1)};
      if (!between(x, y, part, used + fan)) return false;
    }
    return true;
  }
  // At an entry and the one of the other trie that has its key; null: there is none.
  bool look(const slot& s, const slot* t) {
    return (t != nullptr && (s.is_same(*t) || Rules::same(s.get(), t->get()))) || f_(&s, t);
  }

 private:
  // The child of an inner node that chooses by `fan` bits at most; of a leaf it is the leaf, whatever i is.
  static trie_link child_of(trie_link p, unsigned i, unsigned fan) noexcept {
    return p.is_inner() ? trie::inner(p)->children()[i >> (fan - p.fan())] : p;
  }
  bool between_leaves(trie_link a, trie_link b, range in) {
    if constexpr (trie::bucket::is_sorted) {
      using entries = decltype(trie::bucket::entries);
      if (a.is_bucket() && b.is_bucket())
        return entries::differ(trie::bucket_at(a)->entries, trie::bucket_at(b)->entries, f_);
    }
    const slot* const none = nullptr;
    return visit(a, in, [&](const slot& s, mixed_hash h) { return look(s, find(b, s, h)); }) &&
           visit(b, in, [&](const slot& s, mixed_hash h) { return find(a, s, h) != nullptr || f_(none, &s); });
  }
  [[nodiscard]] static const slot* find(trie_link p, const slot& s, mixed_hash h) {
    const auto& k = Rules::key_of(s.get());
    if (p.is_bucket()) return trie::bucket_at(p)->entries.find(k);
    return p ? trie::find_in(*trie::leaf(p), h, k) : nullptr;
  }
  // The entries in the range.
  template <class G>
  bool visit(trie_link p, range in, G g) {
    if (!p) return true;
    if (p.is_bucket()) return trie::bucket_at(p)->entries.all([&](const slot& s) { return g(s, in.first); });
    const auto* const l = trie::leaf(p);
    for (const slot* s = l->items(); s != l->items() + l->count; ++s) {
      const mixed_hash h = Rules::hash(Rules::key_of(s->get()), seed_);
      if (in.first <= h && h <= in.last && !g(*s, h)) return false;
    }
    return true;
  }

  std::uint64_t seed_;
  F& f_;
};

// Calls f with each slot until it returns false; returns whether it never has.
template <class Rules, class F>
bool all_slots(const hash_trie<Rules>& of, F f) {
  auto p = of.first();
  while (p.at != nullptr && f(*p.at)) p = hash_trie<Rules>::after(of.root(), p);
  return p.at == nullptr;
}
template <class Rules, class F>
void for_each_slot(const hash_trie<Rules>& of, F f) {
  all_slots(of, [&](const auto& s) {
    f(s);
    return true;
  });
}

// Calls f(before, after) with pointers to slots for each key for which the tries have different entries, until f
// returns false; null: there is none. Nodes that both have are not looked into. Tries of different seeds share none, so
// each entry is looked up.
template <class Rules, class F>
void for_each_difference(const hash_trie<Rules>& from, const hash_trie<Rules>& to, F f) {
  using slot = typename hash_trie<Rules>::slot;
  hash_difference<Rules, F> d(from.seed(), f);
  if (from.seed() == to.seed()) {
    d.between(from.root(), to.root(), {}, 0);
    return;
  }
  constexpr const slot* none = nullptr;
  const auto in_from = [&](const slot& s) { return d.look(s, to.slot_of(Rules::key_of(s.get()))); };
  const auto in_to = [&](const slot& s) { return from.slot_of(Rules::key_of(s.get())) != nullptr || f(none, &s); };
  if (all_slots(from, in_from)) all_slots(to, in_to);
}

}  // namespace tact::detail

#include "tact/detail/end.hpp"  // last
