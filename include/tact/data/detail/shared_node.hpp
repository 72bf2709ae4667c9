// What the nodes of all tables have in common: how many links share them, and how entries lie in them.
#pragma once

#include <atomic>
#include <cstddef>
#include <cstdint>
#include <memory>
#include <new>
#include <type_traits>
#include <utility>

#include "tact/detail/core.hpp"

namespace tact::detail {

// A node never changes while two links share it. Thread safety: share and let_go any thread; the rest as said.
struct shared_node {
  shared_node() = default;
  shared_node(const shared_node&) = delete;
  shared_node& operator=(const shared_node&) = delete;

  // relaxed: counter; the caller has a link already, so the node cannot end meanwhile.
  void share() noexcept { users_.fetch_add(1, std::memory_order_relaxed); }
  // The caller has the only link, so it may change the node: no other thread can get one.
  // acquire: observes all that threads did with the node before they let it go. pairs: shared_node.users
  [[nodiscard]] bool is_sole() const noexcept { return users_.load(std::memory_order_acquire) == 1; }
  // True: that was the last link, and the caller has to end the node.
  // acq_rel: publishes what this thread has read and written in the node; observes that of all others, if it is the
  // last. pairs: shared_node.users
  [[nodiscard]] bool let_go() noexcept { return is_sole() || users_.fetch_sub(1, std::memory_order_acq_rel) == 1; }

 private:
  std::atomic<std::uint32_t> users_{1};
};

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
  [[nodiscard]] bool is_same(const entry_slot& o) const noexcept { return this == &o; }
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
    void* const block = allocate_block(sizeof(shared));
    try {
      return entry_slot(::new (block) shared(std::forward<Args>(args)...));
    } catch (...) {
      free_block(block, sizeof(shared));
      throw;
    }
  }
  [[nodiscard]] const Entry& get() const noexcept { return entry_->entry; }
  [[nodiscard]] bool is_same(const entry_slot& o) const noexcept { return entry_ == o.entry_; }
  void share() const noexcept { entry_->share(); }
  void let_go() const noexcept {
    if (!entry_->let_go()) return;
    std::destroy_at(entry_);
    free_block(entry_, sizeof(shared));
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
