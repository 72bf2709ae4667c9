// A change of a registry's table that may still be taken back.
#pragma once

#include <atomic>
#include <memory>
#include <utility>

#include "tact/patterns/detail/name_table.hpp"

namespace tact::detail {

// A change of the table by a run that may still fail: then it is taken back when what the run staged is destroyed.
struct name_change {
  name_change(std::shared_ptr<name_table> t, shared_name n) : table(std::move(t)), name(std::move(n)) {}
  name_change(const name_change&) = delete;
  name_change& operator=(const name_change&) = delete;
  ~name_change() {
    if (kept || !is_made) return;
    try {
      table->change(name, before, [&](const binding& now) { return now.number == next.number; });
    } catch (...) {
      // Memory is exhausted, so the change stays.
    }
  }
  template <class May>
  bool make(const binding& to, const May& may) {
    next = to;
    before = table->change(name, next, may);
    is_made = may(before);
    return is_made;
  }

  const std::shared_ptr<name_table> table;
  const shared_name name;
  binding next{};
  binding before{};
  bool is_made = false;
  std::atomic<bool> kept{false};
};

}  // namespace tact::detail
