// The timers that the run that goes on sets and cancels.
#pragma once

#include <utility>

#include "actors/time/timer_store.hpp"
#include "base/counted_vector.hpp"
#include "tact/detail/core.hpp"

namespace tact::actors {

// Thread safety: owner only.
struct staged_timers {
  // Records linked by `next`, the latest first. Their words still say free: they are set at the commit.
  struct list {
    timer_record* first = nullptr;

    void add(timer_record& r) noexcept { r.next = std::exchange(first, &r); }
  };

  // Takes the timer out of the lists. False: it is in none of them.
  [[nodiscard]] bool take_back(detail::timer_id id) noexcept {
    for (list& l : made) {
      for (timer_record** at = &l.first; *at != nullptr; at = &(*at)->next) {
        if (*at != id.record || id.record->word.key_of_free() != id.key) continue;
        *at = id.record->next;
        return true;
      }
    }
    return false;
  }

  // Limits of asks that end when a flag of their context is set. The contexts are held.
  struct limit {
    detail::timer_id id;
    const detail::context_node* context;
  };
  void forget_flagged() noexcept {
    for (const limit& l : flagged) detail::release(l.context);
    flagged.clear();
  }

  list made[3];  // one for each due_time::from, which says what the due_ns in it mean
  base::counted_vector<detail::timer_id> cancelled;
  base::counted_vector<limit> flagged;
};

}  // namespace tact::actors
