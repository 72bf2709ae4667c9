// Fetches into the cache what the next messages of a lane will touch.
#pragma once

#include <cstddef>
#include <cstdint>

#include "actors/cell.hpp"
#include "base/prefetch.hpp"
#include "mailbox/copy_queue.hpp"

namespace tact::actors {

// Within the chunk that is read, it fetches the cell of the fourth message behind the one that is run, and the
// behaviour of the second. That behaviour is found through its cell, which was fetched two messages before. In a short
// lane it fetches nothing, because the actors are in the cache. Why, and what it is worth:
// docs/decisions/0029-looking-ahead.md.
class look_ahead {
 public:
  // So many cells, with their behaviours, stay in a second-level cache without being fetched.
  static constexpr std::uint32_t cached_cells = 4096;

  look_ahead(mailbox::copy_queue& from, bool behaviors) noexcept
      : last_(from.has_more_chunks() ? from.limit() - distance : nullptr), behaviors_(behaviors) {}

  // `run` is the message that is run next. The cell to fetch is a guess that takes each message for one slot; a wrong
  // guess does no harm. The behaviour must be no guess, because its cell is read to find it.
  void prepare(const mailbox::envelope* run) const noexcept {
    if (run >= last_) return;
    base::prefetch(reinterpret_cast<const void*>(run[distance].target() & detail::cell_mask));
    if (behaviors_ && run[0].is_plain() && run[1].is_plain()) {
      base::prefetch(cell_of(run[2].target()).word.load().closure());
    }
  }

 private:
  static constexpr std::ptrdiff_t distance = 4;

  const mailbox::envelope* const last_;  // up to here `distance` slots follow; null: nothing is fetched
  const bool behaviors_;
};

}  // namespace tact::actors
