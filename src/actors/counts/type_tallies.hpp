// Counters of rare events, one row for each type of actor.
#pragma once

#include <deque>
#include <mutex>
#include <new>

#include "sync/owned_counter.hpp"
#include "tact/detail/core.hpp"

namespace tact::actors {

// A row is made when its type turns up, and stays. Thread safety: `of` by the owner; for_each by any thread.
class type_tallies {
 public:
  struct row {
    const detail::behavior_type* type = nullptr;  // null: for all types that turned up while memory was short
    sync::owned_counter collisions;
    sync::owned_counter went_home;
    sync::owned_counter came_back;
  };

  type_tallies() : rows_(1) {}

  [[nodiscard]] row& of(const detail::behavior_type& type) noexcept {
    for (row& r : rows_) {
      if (r.type == &type) return r;
    }
    try {
      const std::lock_guard lock(mutex_);
      row& added = rows_.emplace_back();
      added.type = &type;
      return added;
    } catch (const std::bad_alloc&) {
      return rows_.front();
    }
  }

  template <class F>
  void for_each(F f) const {
    const std::lock_guard lock(mutex_);
    for (const row& r : rows_) f(r);
  }

 private:
  mutable std::mutex mutex_;  // guards the growth of rows_
  std::deque<row> rows_;
};

}  // namespace tact::actors
