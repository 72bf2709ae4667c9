// persistent_queue: a queue that never changes; push and pop make another one, which shares with it what both have.
#pragma once

#include <utility>

#include "tact/detail/counted.hpp"

namespace tact::detail {

// First in, first out. A copy copies two pointers. push and pop take constant time on average: when the list of the
// first items is at its end, that of the last items is turned round to take its place.
// Thread safety: as a shared pointer.
template <class T>
class persistent_queue {
 public:
  // REQUIRES of front and pop: not empty.
  [[nodiscard]] bool empty() const noexcept { return !first_; }
  [[nodiscard]] const T& front() const noexcept { return first_->item; }
  [[nodiscard]] persistent_queue push(T item) const {
    persistent_queue longer = *this;
    (empty() ? longer.first_ : longer.last_) = node::make(std::move(item), empty() ? node() : last_);
    return longer;
  }
  [[nodiscard]] persistent_queue pop() const {
    persistent_queue shorter = *this;
    shorter.first_ = first_->next;
    if (!shorter.first_) {
      for (node n = std::exchange(shorter.last_, node()); n; n = n->next) {
        shorter.first_ = node::make(n->item, shorter.first_);
      }
    }
    return shorter;
  }
  // Calls f with each item, in no promised order, and allocates nothing.
  template <class F>
  void visit(F f) const {
    for (const node* n = &first_; *n; n = &(*n)->next) f((*n)->item);
    for (const node* n = &last_; *n; n = &(*n)->next) f((*n)->item);
  }

 private:
  struct link;
  using node = counted<link>;
  struct link {
    link(T i, node n) noexcept : item(std::move(i)), next(std::move(n)) {}
    link(const link&) = delete;
    link& operator=(const link&) = delete;
    // Destroys the links one after the other: left to the members, that would need a stack as deep as the queue is
    // long.
    ~link() {
      node rest = std::move(next);
      while (rest.is_sole()) rest = node(std::move(rest->next));
    }

    T item;
    node next;
  };

  node first_;  // the first items, in order
  node last_;   // the items behind those, newest first
};

}  // namespace tact::detail
