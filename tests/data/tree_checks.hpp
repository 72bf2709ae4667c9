// What is true of the tree of each table, whatever was done with it.
#pragma once

#include <cstddef>
#include <string>

#include "tact/data/map.hpp"
#include "tact/data/set.hpp"

namespace tact::data_tests {

template <class Rules>
class tree_check {
  using nodes = detail::tree_nodes<Rules>;
  using node = typename nodes::node;
  using key = typename Rules::key;

 public:
  // What is wrong with the tree; empty: nothing.
  static std::string fault_of(const detail::ordered_tree<Rules>& tree) {
    tree_check check;
    if (tree.root() == nullptr) return tree.size() == 0 ? "" : "a tree without nodes says that it has entries";
    check.look_at(tree.root(), nullptr, nullptr, true);
    if (check.entries_ != tree.size()) check.fault_ = "the size is not the number of the entries";
    return check.fault_;
  }

  // Of a table: whether the places of its entries are what a walk finds. Every entry of a small one is looked at.
  template <class Table>
  static std::string fault_of_places(const Table& t) {
    const std::size_t step = 1 + t.size() / 50;
    auto at = t.begin();
    for (std::size_t i = 0; i != t.size(); ++i, ++at) {
      if (i % step != 0 && i + 1 != t.size()) continue;
      if (t.index_of(at) != i) return "index_of";
      if (t.rank(Rules::key_of(*at)) != i) return "rank";
      if (t.nth(i) != at) return "nth";
    }
    if (t.index_of(t.end()) != t.size()) return "index_of the end";
    return t.nth(t.size()) == t.end() && t.nth(t.size() + 1) == t.end() ? "" : "nth behind the end";
  }

 private:
  // The keys below `n` are not less than `from`, and less than `to`; null: no bound.
  void look_at(const node* n, const key* from, const key* to, bool is_root) {
    const std::size_t most = n->height == 0 ? nodes::leaf_most : nodes::inner_most;
    if (n->count > n->room || n->count > most) fault_ = "a node has more than it has room for";
    if (n->height == 0) {
      if (n->count == 0) fault_ = "a leaf has no entry";
      return look_at_entries(nodes::leaf(n), from, to);
    }
    // A root with one child is left by a change that failed.
    if (n->count < (is_root ? 1 : 2)) fault_ = "a node has one child";
    const auto* const inner = nodes::inner(n);
    const std::size_t before = entries_;
    for (unsigned i = 0; i != n->count; ++i) {
      const node* const child = inner->children()[i];
      if (child->height + 1 != n->height) fault_ = "the leaves are not equally deep";
      look_at(child, i == 0 ? from : &nodes::sep_key(inner->seps()[i - 1]),
              i + 1u == n->count ? to : &nodes::sep_key(inner->seps()[i]), false);
      if (i != 0 && !is_first_below(child, inner->seps()[i - 1]))
        fault_ = "a separator is not the first key on its right";
    }
    if (inner->below != entries_ - before) fault_ = "a node does not know how many entries are below it";
  }
  // A separator has no link to the entry at which it points, so that has to be the one that is there.
  static bool is_first_below(const node* n, const typename nodes::separator& s) {
    if constexpr (detail::lies_in_node<typename Rules::entry>) {
      return true;
    } else {
      while (n->height != 0) n = nodes::inner(n)->children()[0];
      return s == &Rules::key_of(nodes::leaf(n)->items()[0].get());
    }
  }
  void look_at_entries(const typename nodes::leaf_node* leaf, const key* from, const key* to) {
    entries_ += leaf->count;
    for (unsigned i = 0; i != leaf->count; ++i) {
      const key& k = Rules::key_of(leaf->items()[i].get());
      if (i != 0 && !Rules::less(Rules::key_of(leaf->items()[i - 1].get()), k))
        fault_ = "the keys of a leaf are not in order";
      if (from != nullptr && Rules::less(k, *from)) fault_ = "a key is less than the separator on its left";
      if (to != nullptr && !Rules::less(k, *to)) fault_ = "a key is not less than the separator on its right";
    }
  }

  std::string fault_;
  std::size_t entries_ = 0;
};

// The tables keep their trees to themselves; a class that derives from one may name it.
template <class Table>
struct opened : Table {
  static const auto& tree_of(const Table& t) { return t.*(&opened::tree_); }
};

template <class Rules>
std::string fault_of_tree(const detail::ordered_tree<Rules>& t) {
  return tree_check<Rules>::fault_of(t);
}
template <class Rules>
std::string fault_of_either(const detail::ordered_tree<Rules>& tree, const auto& table) {
  const std::string fault = fault_of_tree(tree);
  return fault.empty() ? tree_check<Rules>::fault_of_places(table) : fault;
}
template <class Table>
std::string fault_of(const Table& t) {
  return fault_of_either(opened<Table>::tree_of(t), t);
}

}  // namespace tact::data_tests
