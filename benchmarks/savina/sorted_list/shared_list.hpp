// The sorted list that does not change: `with` gives a new one.
#pragma once

#include <atomic>
#include <utility>

#include "savina/sorted_list/workload.hpp"

namespace bench {

// An immutable list, as in Lisp: `with` copies what comes before the new element, and shares the rest. A copy of the
// list is its first element, counted; to look at it counts nothing. Not of shared pointers: the end of one would end
// the next, as deep on the stack as the list is long.
class shared_list {
 public:
  shared_list() = default;
  shared_list(const shared_list& other) noexcept : first_(hold(other.first_)) {}
  shared_list(shared_list&& other) noexcept : first_(std::exchange(other.first_, nullptr)) {}
  shared_list& operator=(shared_list other) noexcept {
    std::swap(first_, other.first_);
    return *this;
  }
  ~shared_list() { release(first_); }

  // Before the first greater one.
  [[nodiscard]] shared_list with(std::int32_t value) const {
    shared_list made;
    node** end = &made.first_;
    node* at = first_;
    for (; at != nullptr && at->value <= value; at = at->next) end = append(end, at->value);
    *append(end, value) = hold(at);
    return made;
  }
  // Does not make use of the order.
  [[nodiscard]] bool contains(std::int32_t value) const {
    const node* at = first_;
    while (at != nullptr && at->value != value) at = at->next;
    return at != nullptr;
  }
  [[nodiscard]] std::int32_t size() const {
    std::int32_t length = 0;
    for (const node* at = first_; at != nullptr; at = at->next) ++length;
    return length;
  }
  [[nodiscard]] list_contents contents() const {
    list_contents all;
    for (const node* at = first_; at != nullptr; at = at->next) all.push_back(at->value);
    return all;
  }
  // The numbers from 0 on.
  [[nodiscard]] static shared_list of_first(std::uint64_t numbers) {
    shared_list made;
    while (numbers != 0) made.first_ = new node{static_cast<std::int32_t>(--numbers), made.first_};
    return made;
  }

 private:
  struct node {
    std::int32_t value;
    node* next = nullptr;
    std::atomic<std::uint32_t> owners = 1;
  };

  static node* hold(node* one) noexcept {
    if (one != nullptr) one->owners.fetch_add(1, std::memory_order_relaxed);
    return one;
  }
  // Frees those in front that no other list has.
  static void release(node* one) noexcept {
    while (one != nullptr && one->owners.fetch_sub(1, std::memory_order_acq_rel) == 1) {
      delete std::exchange(one, one->next);
    }
  }
  static node** append(node** end, std::int32_t value) {
    *end = new node{value};
    return &(*end)->next;
  }

  node* first_ = nullptr;
};

}  // namespace bench
