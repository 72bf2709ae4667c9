// Brings what the messages behind the one that is run will touch into the cache.
#pragma once

#include <cstddef>
#include <cstdint>

#include "actors/cell.hpp"
#include "mailbox/copy_queue.hpp"

namespace tact::actors {

// Of the chunk that is read: the cell of the fourth message from the one that is run; and the behaviour of the second,
// to which its cell leads, that was fetched two messages before. In a short lane nothing, because its actors are at
// hand. Why, and what it is worth: docs/decisions/0029-looking-ahead.md.
class look_ahead {
 public:
  // So many cells, and their behaviours, stay in a second-level cache by themselves.
  static constexpr std::uint32_t cached_cells = 4096;

  look_ahead(mailbox::copy_queue& from, bool behaviors) noexcept
      : last_(from.has_more_chunks() ? from.limit() - distance : nullptr), behaviors_(behaviors) {}

  // `run` is run next. The cell is a guess, as if all messages had one slot; a wrong one does no harm. The behaviour is
  // none, because to find it a cell is read.
  void prepare(const mailbox::envelope* run) const noexcept {
    if (run >= last_) return;
    __builtin_prefetch(reinterpret_cast<const void*>(run[distance].target() & detail::cell_mask));
    if (behaviors_ && run[0].is_plain() && run[1].is_plain()) {
      __builtin_prefetch(cell_of(run[2].target()).word.load().closure());
    }
  }

 private:
  static constexpr std::ptrdiff_t distance = 4;

  const mailbox::envelope* const last_;  // so far there are so many slots behind it
  const bool behaviors_;
};

}  // namespace tact::actors
