// A queue that never changes, for behaviours that keep messages for later: push and rest make another one.
#pragma once

#include <memory>
#include <utility>

namespace bench {

// First in, first out; to copy it is to copy two pointers. What came last is turned round when all before it is gone,
// so each item is linked twice at most. Thread safety: as a shared pointer. Not for queues so long that a recursion
// over them is too deep: that is how they are destroyed.
template <class T>
class immutable_queue {
 public:
  immutable_queue() = default;

  // REQUIRES of front and rest: not empty.
  [[nodiscard]] bool empty() const { return !first_; }
  [[nodiscard]] const T& front() const { return first_->item; }
  [[nodiscard]] immutable_queue push(T item) const {
    return empty() ? immutable_queue(link(std::move(item), {}), {})
                   : immutable_queue(first_, link(std::move(item), last_));
  }
  [[nodiscard]] immutable_queue rest() const {
    if (first_->next) return {first_->next, last_};
    list turned;
    for (list l = last_; l; l = l->next) turned = link(l->item, std::move(turned));
    return {std::move(turned), {}};
  }

 private:
  struct node;
  using list = std::shared_ptr<const node>;
  struct node {
    T item;
    list next;
  };

  immutable_queue(list first, list last) : first_(std::move(first)), last_(std::move(last)) {}
  static list link(T item, list next) { return std::make_shared<const node>(node{std::move(item), std::move(next)}); }

  list first_;  // in order
  list last_;   // what came behind those, newest first
};

}  // namespace bench
