// Fetches into the cache what the next messages of a lane will touch.
#pragma once

#include <cstddef>
#include <cstdint>

#include "actors/cells/cell.hpp"
#include "base/prefetch.hpp"
#include "mailbox/copy_queue.hpp"

namespace tact::actors {

// It fetches the cell of the twelfth message behind the one that is run, and the behaviour of the sixth. That behaviour
// is found through its cell, which was fetched six messages before. At the end of a chunk it fetches the first cells of
// the next one. In a short lane it fetches nothing, because the actors are in the cache. Why, and what it is worth:
// docs/decisions/0029-looking-ahead.md.
class look_ahead {
 public:
  // So many cells, with their behaviours, stay in a second-level cache without being fetched.
  static constexpr std::uint32_t cached_cells = 4096;

  look_ahead(mailbox::copy_queue& from, bool behaviors) noexcept {
    if (!from.has_more_chunks()) return;
    limit_ = from.end_of_head();
    last_ = limit_ - cells_ahead;
    next_chunk_ = from.behind_chunk();
    behavior_ = behaviors ? &from.front() : limit_;
    for (std::ptrdiff_t i = 0; i < behaviors_ahead; ++i) fetch_behavior();
  }

  // `run` is the message that is run next. The cell to fetch is a guess that takes each message for one slot; a wrong
  // guess does no harm. The behaviour must be no guess, because its cell is read to find it.
  void prepare(const mailbox::envelope* run) noexcept {
    if (limit_ == nullptr) return;
    if (run < last_) {
      fetch_cell(run[cells_ahead]);
    } else if (next_chunk_ != nullptr) {
      for (std::ptrdiff_t i = 0; i < cells_ahead; ++i) fetch_cell(next_chunk_[i]);
      next_chunk_ = nullptr;
    }
    fetch_behavior();
  }

 private:
  static constexpr std::ptrdiff_t cells_ahead = 12;
  static constexpr std::ptrdiff_t behaviors_ahead = 6;

  static void fetch_cell(const mailbox::envelope& of) noexcept {
    base::prefetch(reinterpret_cast<const void*>(of.target() & detail::cell_mask));
  }
  void fetch_behavior() noexcept {
    if (behavior_ >= limit_) return;
    base::prefetch(cell_of(behavior_->target()).word.load().closure());
    behavior_ += behavior_->slots();
  }

  const mailbox::envelope* limit_ = nullptr;       // null: nothing is fetched
  const mailbox::envelope* last_ = nullptr;        // up to here so many slots follow
  const mailbox::envelope* next_chunk_ = nullptr;  // the first cells of the next chunk are to be fetched
  const mailbox::envelope* behavior_ = nullptr;    // the message whose behaviour is fetched next
};

}  // namespace tact::actors
