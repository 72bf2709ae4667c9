// What is true of the nodes of each tact::vector and tact::queue, whatever was done with it; and kinds of entries.
#pragma once

#include <cstddef>
#include <string>
#include <utility>

#include "data/kinds.hpp"
#include "tact/data/queue.hpp"
#include "tact/data/vector.hpp"

namespace tact::data_tests {

// An entry that lies in its leaf, whose copies are counted.
struct link_to_number {
  explicit link_to_number(int n) noexcept : number(n) { ++alive; }
  link_to_number(const link_to_number& o) noexcept : number(o.number) { ++alive; }
  link_to_number& operator=(const link_to_number&) = default;
  ~link_to_number() { --alive; }
  int number;
  static inline long alive = 0;

  friend bool operator==(const link_to_number&, const link_to_number&) = default;
};
struct of_links {
  static constexpr bool has_equal_values = true;
  static link_to_number value(int n) { return link_to_number(n); }
  static int number_of(const link_to_number& l) { return l.number; }
};
struct of_letters {
  static constexpr bool has_equal_values = true;
  static char value(int n) { return static_cast<char>(n); }
  static int number_of(char c) { return c; }
};
#define TACT_KINDS_OF_ENTRIES \
  of_ints, of_letters, without_equality, of_strings, of_links, that_only_move, of_200_bytes, over_aligned

// The tables keep their nodes to themselves; a class that derives from one may name them.
template <class Table>
class opened_row : Table {
  using nodes = typename Table::nodes;
  using node = typename nodes::node;
  using leaf_node = typename nodes::leaf_node;
  using entry = typename Table::value_type;
  static constexpr std::size_t width = Table::leaf_width;
  static constexpr bool is_exact = !detail::ends_by_itself<entry>;

 public:
  // Empty: nothing is wrong.
  static std::string fault_of(const Table& t) {
    if constexpr (requires { t.*(&opened_row::head_); }) {
      return fault_of_queue(t);
    } else {
      return fault_of_vector(t);
    }
  }
  static bool has_nodes(const Table& t) { return t.*(&opened_row::tail_) || !(t.*(&opened_row::full_)).empty(); }
  static constexpr std::size_t leaf_width = width;

 private:
  static std::string fault_of_vector(const Table& t) {
    const std::size_t size = t.*(&opened_row::size_);
    const auto& tail = t.*(&opened_row::tail_);
    const auto& full = t.*(&opened_row::full_);
    if (size == 0) return has_nodes(t) ? "an empty vector has nodes" : "";
    const std::size_t number = (size - 1) / width;
    if (!holds(tail.leaf(), 0, (size - 1) % width + 1)) return "the tail has other entries than the last ones";
    return fault_of_trie(full.root(), 0, number);
  }
  static std::string fault_of_queue(const Table& t) {
    const std::size_t first = t.*(&opened_row::first_);
    const std::size_t size = t.*(&opened_row::size_);
    const auto& head = t.*(&opened_row::head_);
    const auto& tail = t.*(&opened_row::tail_);
    const auto& full = t.*(&opened_row::full_);
    if (size == 0) return head || has_nodes(t) || first != 0 ? "an empty queue has nodes, or a place" : "";
    const std::size_t last_leaf = (first + size - 1) / width;
    const std::size_t end = (first + size - 1) % width + 1;
    if (!head) {
      if (!full.empty() || last_leaf != 0) return "a queue without a head has more than a tail";
      return holds(tail.leaf(), first, end) ? "" : "the only leaf has other entries than the queue";
    }
    const std::size_t first_leaf = first / width;
    if (first_leaf == last_leaf) return "there is a head, and no entry in the tail";
    if (!holds(head.leaf(), first % width, width)) return "the head has other entries than the first ones";
    if (!holds(tail.leaf(), 0, end)) return "the tail has other entries than the last ones";
    return fault_of_trie(full.root(), first_leaf, last_leaf - 1);
  }
  // Entries that end by themselves may stay at places that are not used.
  static bool holds(const leaf_node* l, std::size_t first, std::size_t end) {
    if (l == nullptr || l->height != 0 || l->end > l->room || l->room > width) return false;
    return is_exact ? l->first == first && l->end == end : l->first <= first && l->end >= end;
  }
  // It should have the leaves from number `from` on and before `to`.
  static std::string fault_of_trie(const node* root, std::size_t from, std::size_t to) {
    if (root == nullptr) return from == to ? "" : "the trie is empty, and should not be";
    if (from == to) return "the trie has nodes, and should be empty";
    const bool has_one_child = root->end == root->first + 1;
    if (root->height != 0 && has_one_child) return "the root has one child";
    std::size_t next = from;
    const std::string fault = fault_of_nodes(root, 0, next);
    return fault.empty() && next != to ? "the trie has other leaves than there should be" : fault;
  }
  // `number`: of the first leaf that the node can have; `next`: of the next leaf that should come.
  static std::string fault_of_nodes(const node* n, std::size_t number, std::size_t& next) {
    if (n->height == 0) {
      if (number != next++) return "a leaf is at the wrong place, or is missing";
      return holds(nodes::leaf(n), 0, width) ? "" : "a leaf of the trie is not full";
    }
    if (n->first >= n->end || n->end > nodes::width) return "a node of the trie has no children";
    for (unsigned i = n->first; i != n->end; ++i) {
      const node* const child = nodes::inner(n)->children[i];
      if (child->height + 1 != n->height) return "the leaves are not equally deep";
      const std::string fault =
          fault_of_nodes(child, number + (std::size_t{i} << (nodes::bits * (n->height - 1u))), next);
      if (!fault.empty()) return fault;
    }
    return "";
  }
};

template <class Table>
std::string fault_of_row(const Table& t) {
  return opened_row<Table>::fault_of(t);
}

}  // namespace tact::data_tests
