// What one thread has measured of the handlers it ran: a row for each type of actor.
#pragma once

#include <cstdint>
#include <deque>
#include <mutex>
#include <string>

#include "inspect/tick_histogram.hpp"
#include "sync/owned_counter.hpp"
#include "tact/detail/core.hpp"

namespace tact::inspect {

// A row is made when its type turns up, and stays. Thread safety: `of` and what it returns by the owner; for_each by
// any thread.
class type_meters {
 public:
  struct row {
    explicit row(const detail::behavior_type& t) : type(&t), name(t.name) {}

    const detail::behavior_type* const type;
    const std::string name;  // a copy, because a plug-in may be unloaded
    tick_histogram handling;
    tick_histogram waiting;
    sync::owned_counter messages;  // for so many the samples stand
    sync::owned_counter ticks;     // and so long these took, as the samples say
    sync::owned_counter sent;      // and so many messages their handlers sent
    // Of samples: the requests whose customer was told by the handler that took them. Others: see kept_requests.
    sync::owned_counter answered;
    sync::owned_counter unanswered;
  };

  // Null: there was no memory for a new row.
  [[nodiscard]] row* of(const detail::behavior_type& type) noexcept;
  template <class F>
  void for_each(F f) const {
    const std::lock_guard lock(mutex_);
    for (const row& r : rows_) f(r);
  }

 private:
  row* last_ = nullptr;       // that was asked for
  mutable std::mutex mutex_;  // guards the growth of rows_
  std::deque<row> rows_;
};

}  // namespace tact::inspect
