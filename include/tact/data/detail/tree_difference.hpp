// Walks two trees at once, past all that they share.
#include "tact/detail/begin.hpp"  // first
#pragma once

#include <algorithm>
#include <array>
#include <cstddef>
#include <memory>

#include "tact/data/detail/ordered_tree.hpp"

namespace tact::detail {

// Where a walk is: at a subtree of which nothing was visited, or at an entry. Thread safety: that of an int.
template <class Rules>
class tree_walk {
 public:
  using tree = ordered_tree<Rules>;
  using node = typename tree::node;
  using slot = typename tree::slot;

  explicit tree_walk(const tree& of) noexcept : now_(of.root()) {}

  [[nodiscard]] bool is_over() const noexcept { return now_ == nullptr; }
  // REQUIRES of all others: it is not over.
  [[nodiscard]] unsigned height() const noexcept { return now_->height; }
  [[nodiscard]] bool is_same(const tree_walk& o) const noexcept { return now_ == o.now_ && at_ == o.at_; }
  // REQUIRES: height is 0.
  [[nodiscard]] const slot& get() const noexcept { return tree::leaf(now_)->items()[at_]; }
  // To the first child. REQUIRES: height is not 0.
  void descend() noexcept {
    const auto* const n = tree::inner(now_);
    above_[depth_++] = {n, 0};
    now_ = n->children()[0];
  }
  // Past this subtree, or past what is left of this leaf.
  void skip() noexcept {
    at_ = 0;
    for (; depth_ != 0; --depth_) {
      step& s = above_[depth_ - 1];
      if (++s.child != s.of->count) {
        now_ = s.of->children()[s.child];
        return;
      }
    }
    now_ = nullptr;
  }
  // Past this entry.
  void advance() noexcept {
    if (++at_ == now_->count) skip();
  }

 private:
  struct step {
    const typename tree::inner_node* of = nullptr;
    unsigned child = 0;
  };
  std::array<step, tree_nodes<Rules>::most_levels> above_{};
  unsigned depth_ = 0;
  const node* now_;
  unsigned at_ = 0;  // the entry
};

// Calls f(before, after) with pointers to slots for each key for which the trees have different entries, in the order
// of the keys, until f returns false; null: there is none. Nodes that both have are not looked into.
template <class Rules, class F>
void for_each_difference(const ordered_tree<Rules>& from, const ordered_tree<Rules>& to, F f) {
  using slot = typename ordered_tree<Rules>::slot;
  constexpr const slot* none = nullptr;
  tree_walk<Rules> a(from);
  tree_walk<Rules> b(to);
  while (!a.is_over() && !b.is_over()) {
    if (a.is_same(b)) {
      a.skip();
      b.skip();
      continue;
    }
    const unsigned height = std::max(a.height(), b.height());
    if (height != 0) {
      const bool goes_down = b.height() == height;
      if (a.height() == height) a.descend();
      if (goes_down) b.descend();
      continue;
    }
    const slot* const x = std::addressof(a.get());
    const slot* const y = std::addressof(b.get());
    const auto& kx = Rules::key_of(x->get());
    const auto& ky = Rules::key_of(y->get());
    const bool is_less = Rules::less(kx, ky);
    const bool is_greater = !is_less && Rules::less(ky, kx);
    const bool differ = is_less || is_greater || !(x->is_same(*y) || Rules::same(x->get(), y->get()));
    if (differ && !f(is_greater ? none : x, is_less ? none : y)) return;
    if (!is_greater) a.advance();
    if (!is_less) b.advance();
  }
  // One of the two is over.
  const auto rest = [](tree_walk<Rules>& w, auto tell) {
    while (!w.is_over()) {
      if (w.height() != 0) {
        w.descend();
        continue;
      }
      if (!tell(w.get())) return;
      w.advance();
    }
  };
  rest(a, [&](const slot& x) { return f(std::addressof(x), none); });
  rest(b, [&](const slot& y) { return f(none, std::addressof(y)); });
}

// Calls f with each slot, in the order of the keys.
template <class Rules, class F>
void for_each_slot(const ordered_tree<Rules>& of, F f) {
  using slot = typename ordered_tree<Rules>::slot;
  for_each_difference(of, ordered_tree<Rules>(), [&](const slot* there, const slot*) {
    f(*there);
    return true;
  });
}

}  // namespace tact::detail

#include "tact/detail/end.hpp"  // last
