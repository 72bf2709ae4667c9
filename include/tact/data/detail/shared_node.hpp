// What the nodes of all tables have in common: how many links share them, and how entries lie in them.
#include "tact/detail/begin.hpp"  // first
#pragma once

#include <atomic>
#include <cstdint>
#include <memory>
#include <type_traits>
#include <utility>

#include "tact/detail/message_type.hpp"

namespace tact::detail {

// How many links share a node, which never changes while there are two. A kernel: the schedule explorer runs it with a
// policy of its own. Protocol page: docs/protocols/shared_node.md. Thread safety: share and let_go any thread that has
// a link; the rest as said.
template <class Policy>
class link_count {
 public:
  link_count() = default;
  link_count(const link_count&) = delete;
  link_count& operator=(const link_count&) = delete;

  // relaxed: counter; the caller has a link already, so the node cannot end meanwhile.
  void share() noexcept { links_.fetch_add(1, std::memory_order_relaxed); }
  // The caller has the only link, so it may change the node: no other thread can get one.
  // acquire: observes all that threads did with the node before they let it go. pairs: shared_node.links
  [[nodiscard]] bool is_sole() const noexcept {
    return links_.load(std::memory_order_acquire) == (Policy::takes_two_for_sole() ? 2 : 1);
  }
  // True: that was the last link, and the caller has to end the node.
  // acq_rel: publishes what this thread has read and written in the node; observes that of all others, if it is the
  // last. pairs: shared_node.links
  [[nodiscard]] bool let_go() noexcept {
    if (Policy::lets_go_in_two_steps()) return let_go_in_two_steps();
    return is_sole() || links_.fetch_sub(1, std::memory_order_acq_rel) == 1;
  }

 private:
  // Only for a test, which has to see that it is wrong.
  [[nodiscard]] bool let_go_in_two_steps() noexcept {
    const std::uint32_t links = links_.load();
    links_.store(links - 1);
    return links == 1;
  }

  typename Policy::template atomic<std::uint32_t> links_{1};
};

struct real_links {
  template <class T>
  using atomic = std::atomic<T>;
  // Faults that a test plants.
  static constexpr bool takes_two_for_sole() noexcept { return false; }
  static constexpr bool lets_go_in_two_steps() noexcept { return false; }
};
using shared_node = link_count<real_links>;

// An entry that is copied like bytes and is small lies in its node; then a copy of a node needs no count for each.
template <class Entry>
inline constexpr bool lies_in_node =
    std::is_trivially_copy_constructible_v<Entry> && std::is_trivially_destructible_v<Entry> && sizeof(Entry) <= 32 &&
    alignof(Entry) <= 8;

template <class Entry, bool = lies_in_node<Entry>>
class entry_slot {
 public:
  template <class... Args>
  [[nodiscard]] static entry_slot make(Args&&... args) {
    return entry_slot(0, std::forward<Args>(args)...);
  }
  [[nodiscard]] const Entry& get() const noexcept { return entry_; }
  [[nodiscard]] bool is_same(const entry_slot& o) const noexcept { return this == std::addressof(o); }
  void share() const noexcept {}
  void let_go() const noexcept {}

 private:
  template <class... Args>
  explicit entry_slot(int, Args&&... args) : entry_(std::forward<Args>(args)...) {}

  Entry entry_;
};

// Other entries are shared by the nodes: an entry is copied never.
template <class Entry>
class entry_slot<Entry, false> {
 public:
  template <class... Args>
  [[nodiscard]] static entry_slot make(Args&&... args) {
    return entry_slot(box<shared>(std::forward<Args>(args)...).release());
  }
  [[nodiscard]] const Entry& get() const noexcept { return entry_->entry; }
  [[nodiscard]] bool is_same(const entry_slot& o) const noexcept { return entry_ == o.entry_; }
  void share() const noexcept { entry_->share(); }
  void let_go() const noexcept {
    if (entry_->let_go()) box<shared>::end(entry_);
  }

 private:
  struct shared : shared_node {
    template <class... Args>
    explicit shared(Args&&... args) : entry(std::forward<Args>(args)...) {}
    Entry entry;
  };
  explicit entry_slot(shared* s) noexcept : entry_(s) {}

  shared* entry_;
};

}  // namespace tact::detail

#include "tact/detail/end.hpp"  // last
