// persistent_list: numbered items in the order of their numbers; a change makes another list, which shares with the old
// one nearly all that both have.
#pragma once

#include <cstdint>
#include <utility>

#include "tact/detail/counted.hpp"

namespace tact::detail {

// A list that never changes, so that a behaviour can keep it. A copy copies one pointer. push and erase copy a path of
// the tree in which the items lie: about twice the logarithm of their number, expected. The tree is a treap whose
// priorities are computed from the numbers, so that the same items always lie in it the same way, whichever came first.
// Thread safety: as a shared pointer.
template <class T>
class persistent_list {
 public:
  [[nodiscard]] bool empty() const noexcept { return !root_; }
  // Adds an item. REQUIRES: the number is larger than each one in the list.
  [[nodiscard]] persistent_list push(std::uint64_t number, T item) const {
    return persistent_list(join(root_, node::make(number, std::move(item))));
  }
  // The list without the item of that number; an equal list if there is none.
  [[nodiscard]] persistent_list erase(std::uint64_t number) const {
    return find(number) == nullptr ? *this : persistent_list(without(root_, number));
  }
  // The list with another item of that number. REQUIRES: there is one.
  [[nodiscard]] persistent_list replace(std::uint64_t number, T item) const {
    return persistent_list(replaced(root_, number, item));
  }
  // Null if there is no item of that number. The pointer is valid as long as a list that has the item.
  [[nodiscard]] const T* find(std::uint64_t number) const noexcept {
    const node* at = &root_;
    while (*at && (*at)->number != number) at = number < (*at)->number ? &(*at)->before : &(*at)->behind;
    return *at ? &(*at)->item : nullptr;
  }
  // Calls f(number, item) for each item, in the order of their numbers.
  template <class F>
  void for_each(const F& f) const {
    visit(root_, f);
  }

 private:
  struct place;
  using node = counted<place>;
  struct place {
    place(std::uint64_t n, T i) : number(n), item(std::move(i)) {}
    place(const place& other, node b, node a)
        : number(other.number), item(other.item), before(std::move(b)), behind(std::move(a)) {}

    std::uint64_t number;
    T item;
    node before{};
    node behind{};
  };

  persistent_list(node root) noexcept : root_(std::move(root)) {}  // NOLINT: implicit, for the functions above

  // The finalizer of splitmix64: it gives different numbers different priorities.
  static std::uint64_t priority(std::uint64_t n) noexcept {
    n = (n ^ (n >> 30)) * 0xbf58476d1ce4e5b9;
    n = (n ^ (n >> 27)) * 0x94d049bb133111eb;
    return n ^ (n >> 31);
  }
  // REQUIRES: each number in `a` is smaller than each in `b`.
  static node join(const node& a, const node& b) {
    if (!a) return b;
    if (!b) return a;
    if (priority(a->number) > priority(b->number)) return node::make(*a, a->before, join(a->behind, b));
    return node::make(*b, join(a, b->before), b->behind);
  }
  // REQUIRES of the next two: the number is in `n`.
  static node replaced(const node& n, std::uint64_t number, T& item) {
    if (number < n->number) return node::make(*n, replaced(n->before, number, item), n->behind);
    if (number > n->number) return node::make(*n, n->before, replaced(n->behind, number, item));
    node made = node::make(number, std::move(item));
    made->before = n->before;
    made->behind = n->behind;
    return made;
  }
  static node without(const node& n, std::uint64_t number) {
    if (number == n->number) return join(n->before, n->behind);
    if (number < n->number) return node::make(*n, without(n->before, number), n->behind);
    return node::make(*n, n->before, without(n->behind, number));
  }
  template <class F>
  static void visit(const node& n, const F& f) {
    if (!n) return;
    visit(n->before, f);
    f(n->number, n->item);
    visit(n->behind, f);
  }

 public:
  persistent_list() noexcept = default;

 private:
  node root_;
};

}  // namespace tact::detail
