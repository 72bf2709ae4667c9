// The way from the root of an ordered_tree to the leaf of a key.
#include "tact/detail/begin.hpp"  // first
#pragma once

#include <array>
#include <cstddef>
#include <memory>

#include "tact/data/detail/tree_search.hpp"

namespace tact::detail {

// A change goes it once to look, where it may find that there is nothing to change, and once to change. The second time
// it need not compare the keys again, up to a node whose children it has changed. Thread safety: that of an int.
template <class Rules>
class tree_way {
  using search = tree_search<Rules>;
  using node = typename search::node;
  using inner_node = typename search::inner_node;
  using leaf_node = typename search::leaf_node;

 public:
  tree_way() noexcept {}  // leaves above_ as it is

  // The entry with the key k; null: there is none. Remembers the way. REQUIRES: there is a root.
  template <class Q>
  [[nodiscard]] const typename Rules::entry* look(const node* root, const Q& k) {
    const node* n = root;
    while (n->height != 0) {
      const unsigned i = search::child_for(search::inner(n), k);
      turns_[n->height] = static_cast<unsigned char>(i);
      n = search::inner(n)->children()[i];
    }
    const leaf_node* const l = search::leaf(n);
    const unsigned at = search::first_not_less(l, k);
    turns_[0] = static_cast<unsigned char>(at);
    is_known_ = true;
    return search::has_at(l, at, k) ? std::addressof(l->items()[at].get()) : nullptr;
  }
  void forget() noexcept { is_known_ = false; }

  // The child of n to which k belongs, and the place of k in the leaf.
  template <class Q>
  [[nodiscard]] unsigned turn(const inner_node* n, const Q& k) const {
    return is_known_ ? turns_[n->height] : search::child_for(n, k);
  }
  template <class Q>
  [[nodiscard]] unsigned turn(const leaf_node* l, const Q& k) const {
    return is_known_ ? turns_[0] : search::first_not_less(l, k);
  }

  // From the sole node n to its child i.
  [[nodiscard]] node** go_down(inner_node* n, unsigned i) noexcept {
    above_[count_++] = n;
    if (i != 0) before_ = n->seps() + i - 1;
    return n->children() + i;
  }
  // The leaf at which it ends has got so many entries more; that at `at` is another one.
  void tell_above(const leaf_node* l, unsigned at, std::ptrdiff_t more) noexcept {
    for (unsigned i = 0; i != count_; ++i) above_[i]->below += static_cast<std::size_t>(more);
    if constexpr (!lies_in_node<typename Rules::entry>)
      if (at == 0 && before_ != nullptr && l->count != 0) *before_ = search::separator_of(l->items()[0]);
  }

 private:
  static_assert(search::leaf_most < 256 && search::inner_most < 256);

  std::array<unsigned char, search::most_levels> turns_{};  // by the heights of the nodes
  bool is_known_ = false;
  std::array<inner_node*, search::most_levels> above_;
  unsigned count_ = 0;
  typename search::separator* before_ = nullptr;  // on the left of the leaf; null: it is the first leaf
};

}  // namespace tact::detail

#include "tact/detail/end.hpp"  // last
