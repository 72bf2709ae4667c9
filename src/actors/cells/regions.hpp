// The regions of one engine, and those that engines which have ended leave to others.
#pragma once

#include <cstddef>
#include <cstdint>
#include <mutex>
#include <new>
#include <utility>
#include <vector>

#include "actors/cells/region_book.hpp"
#include "actors/cells/slab_region.hpp"
#include "actors/common/gate.hpp"
#include "base/blocks.hpp"
#include "base/mapping.hpp"

namespace tact::actors {

// Regions without an engine. Never destroyed: stale addresses are used until the process ends. Hidden, because the
// copies of the library that several plug-ins bring would share it otherwise, and each of them locks it for a fork.
template <class Region>
class [[gnu::visibility("hidden")]] spare_regions {
 public:
  using book = region_book<sync::real, Region>;

  static spare_regions& all() {
    static auto* const only = new spare_regions;
    return *only;
  }
  // Null: there is none.
  [[nodiscard]] book* take(base::page_binder bind) noexcept {
    const std::lock_guard lock(mutex_);
    book*& first = bind == nullptr ? free_ : bound_;
    return first == nullptr ? nullptr : std::exchange(first, first->next_spare);
  }
  void give(book& spare, base::page_binder bind) noexcept {
    const std::lock_guard lock(mutex_);
    spare.next_spare = std::exchange(bind == nullptr ? free_ : bound_, &spare);
  }
  // Around a fork; see base::hold_blocks.
  void hold() noexcept { mutex_.lock(); }
  void release() noexcept { mutex_.unlock(); }

 private:
  std::mutex mutex_;
  book* free_ = nullptr;   // linked by next_spare
  book* bound_ = nullptr;  // the same, for engines whose pages are bound
};

// Thread safety: guarded by the lock of the store whose regions they are.
template <class Region>
class regions {
 public:
  using book = region_book<sync::real, Region>;
  using record = typename Region::record;

  regions(engine_gate& gate, base::page_binder bind) noexcept : gate_(&gate), bind_(bind) {}
  regions(const regions&) = delete;
  regions& operator=(const regions&) = delete;
  // No stale address is good any more. REQUIRES: no record is in use.
  ~regions() {
    for (book* b : books_) {
      Region& r = b->region();
      r.gate.store(nullptr);
      b->end();
      r.forget();
      if (b->is_spent()) {
        delete b;
      } else {
        spare_regions<Region>::all().give(*b, bind_);
      }
    }
  }

  // Takes the free records of one page: each(record&). Throws std::bad_alloc; then it has taken none.
  template <class F>
  void take_page(F each) {
    while (with_free_ < books_.size() && !books_[with_free_]->has_free()) ++with_free_;
    if (with_free_ < books_.size()) return books_[with_free_]->take_page(each);
    while (with_blank_ < books_.size() && !books_[with_blank_]->has_blank()) ++with_blank_;
    if (with_blank_ == books_.size()) add();
    book& b = *books_[with_blank_];
    const unsigned groups_before = b.open_groups();
    b.take_page(each);
    ++open_pages_;
    open_groups_ += b.open_groups() - groups_before;
  }
  void put(record& r) noexcept {
    book_of(r).put(r);
    with_free_ = 0;
    unswept_ = books_.size() * book::groups;
  }
  void wear(record& r) noexcept {
    book_of(r).wear(r);
    unswept_ = books_.size() * book::groups;
  }

  // So much is kept of what is free: a small load that comes and goes does not call the system each time.
  static constexpr unsigned kept_pages = 256;  // 1 MiB
  [[nodiscard]] bool may_rest() const noexcept { return open_pages_ > kept_pages; }
  // Gives some of the pages back of which all records have been put here. False: nothing is left to do.
  bool rest() noexcept {
    unsigned given = 0;
    for (unsigned looked = 0; looked != looked_at_once && given != given_at_once; ++looked) {
      if (unswept_ == 0 || !may_rest()) return false;
      --unswept_;
      given += rest_next();
    }
    return true;
  }

  [[nodiscard]] std::uint64_t open_pages() const noexcept { return open_pages_; }
  [[nodiscard]] std::uint64_t bytes_held() const noexcept {
    return (open_pages_ + open_groups_ * Region::pages_beside_records + books_.size() * Region::pages_at_front) *
           region_page_bytes;
  }
  [[nodiscard]] std::uint64_t allocations() const noexcept { return allocations_; }
  [[nodiscard]] const std::vector<book*>& books() const noexcept { return books_; }

 private:
  static constexpr unsigned given_at_once = 4;  // some 50 microseconds
  static constexpr unsigned looked_at_once = 64;

  static book& book_of(const record& r) noexcept { return *Region::of(r).book; }

  void add() {
    base::look_for_memory();
    books_.reserve(books_.size() + 1);
    book* b = spare_regions<Region>::all().take(bind_);
    if (b == nullptr) {
      b = new book(*::new (map_region(bind_, Region::may_be_huge && !books_.empty())) Region);
      ++allocations_;
    }
    b->region().book = b;
    b->region().gate.store(gate_);
    books_.push_back(b);
  }

  bool rest_next() noexcept {
    if (sweep_ >= books_.size() * book::groups) sweep_ = 0;
    const std::size_t at = sweep_ / book::groups;
    book& b = *books_[at];
    const unsigned pages_before = b.open_pages();
    const unsigned groups_before = b.open_groups();
    const bool given = b.rest(static_cast<unsigned>(sweep_++ % book::groups));
    open_pages_ -= pages_before - b.open_pages();
    open_groups_ -= groups_before - b.open_groups();
    with_blank_ = std::min(with_blank_, at);
    return given;
  }

  engine_gate* const gate_;
  const base::page_binder bind_;
  std::vector<book*> books_;
  std::size_t with_free_ = 0;   // no book before this one has free records
  std::size_t with_blank_ = 0;  // no book before this one has a blank page
  std::size_t sweep_ = 0;       // the group at which the sweep is, counted through all books
  std::size_t unswept_ = 0;     // so many groups are still to be looked at
  std::uint64_t open_pages_ = 0;
  std::uint64_t open_groups_ = 0;
  std::uint64_t allocations_ = 0;
};

}  // namespace tact::actors
