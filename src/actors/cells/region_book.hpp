// Which records of a region are free, page by page, and what is remembered of the pages that the system has got back.
#pragma once

#include <algorithm>
#include <array>
#include <bit>
#include <cstdint>
#include <utility>

#include "sync/policy.hpp"

namespace tact::actors {

// A region is a piece of memory that stays mapped for ever, in pages of records. Stale addresses of records may be
// looked at by any thread at any time; so each record bears a stamp, which grows with every use, and an address is good
// only together with the stamp of its use. The book says of each page:
//
//   blank  the system has its memory: it reads as zero, and zero reads as a record that has ended
//   open   it is memory; `free` says which of its records are free and in nobody's list
//   spent  blank for good, because one of its records has had the last stamp
//
//     +--open_page, all records with the stamp of the page--+
//   blank                                                  open --rest, all free: the stamp of the page is
//   remembered-->
//     +<-----------------------------------------------------------------------------------------------------------+
//
// Invariants
// 1. A page is given back only while all of its records are free or worn: no thread writes to it.
// 2. The stamp of a blank page is at least that of each of its records, and no address bears it. So the records of a
//    page that is opened again match no old address, although the page has forgotten them.
// The book lies outside of its region. Thread safety: guarded by its owner's lock; what other threads read are the
// records. Region: says how pages and records lie (cell_region, timer_region). Sync: which faults are planted.
// Protocol page: docs/protocols/lifetime.md.
template <class Sync, class Region>
class region_book {
 public:
  using record = typename Region::record;
  using stamp = std::uint64_t;
  static constexpr unsigned groups = Region::pages / Region::group_pages;

  explicit region_book(Region& of) noexcept : region_(&of) {
    for (unsigned p = 0; p < Region::pages; ++p) blank_ += Region::records_in(p) != 0;
  }
  region_book(const region_book&) = delete;
  region_book& operator=(const region_book&) = delete;

  [[nodiscard]] Region& region() const noexcept { return *region_; }
  [[nodiscard]] bool has_free() const noexcept { return with_free_ != 0; }
  [[nodiscard]] bool has_blank() const noexcept { return blank_ != 0; }
  [[nodiscard]] bool is_spent() const noexcept { return blank_ == 0 && open_ == 0; }
  [[nodiscard]] unsigned open_pages() const noexcept { return open_; }
  [[nodiscard]] unsigned open_groups() const noexcept { return open_groups_; }

  // Takes the free records of one page: each(record&). REQUIRES: has_free or has_blank.
  template <class F>
  void take_page(F each) noexcept {
    if (with_free_ == 0) open_page();
    while (pages_[first_free_].free == 0) ++first_free_;
    --with_free_;
    for (std::uint64_t left = std::exchange(pages_[first_free_].free, 0); left != 0; left &= left - 1)
      each(Region::at(*region_, first_free_, static_cast<unsigned>(std::countr_zero(left))));
  }
  // The record is free, and in no list. REQUIRES: it came from take_page.
  void put(const record& r) noexcept {
    const auto [page, index] = Region::place_of(r);
    page_entry& e = pages_[page];
    if (e.free == 0) {
      ++with_free_;
      first_free_ = std::min(first_free_, page);
    }
    e.free |= std::uint64_t{1} << index;
  }
  // The record is never used again.
  void wear(const record& r) noexcept {
    const auto [page, index] = Region::place_of(r);
    pages_[page].worn |= std::uint64_t{1} << index;
  }

  // Gives the pages of this group back of which all records are free. False: there were none, or the system refuses.
  bool rest(unsigned group) noexcept {
    const unsigned begin = group * Region::group_pages;
    const unsigned end = begin + Region::group_pages;
    unsigned ready = 0;
    for (unsigned p = begin; p != end; ++p) ready += is_ready(p);
    if (ready == 0) return false;
    for (unsigned p = begin; p != end; ++p) {
      if (is_ready(p)) remember_stamp(p);
    }
    if (ready == open_in_group_[group]) {
      region_->leave_group(group);
      const unsigned from = std::max(begin, Region::pages_at_front);
      if (!region_->give_back(from, end - from)) return false;
    }
    const bool all = ready == open_in_group_[group];
    for (unsigned p = begin; p != end;) {
      unsigned run = 0;
      while (p + run != end && is_ready(p + run)) ++run;
      if (run == 0) {
        ++p;
      } else if (all || region_->give_back(p, run)) {
        while (run-- != 0) close_page(p++);
      } else {
        return false;
      }
    }
    return true;
  }

  // The engine has ended: all records become free, whoever had them, and all pages are given back.
  void end() noexcept {
    for (unsigned p = 0; p < Region::pages; ++p) {
      if (!pages_[p].is_open) continue;
      pages_[p].stamp = 0;
      for_each_in(p, [&](record& r) { pages_[p].stamp = std::max(pages_[p].stamp, Region::stamp_after(r)); });
    }
    for (unsigned g = 0; g < groups; ++g) {
      if (open_in_group_[g] != 0) region_->leave_group(g);
    }
    // The first page of the region is never given back.
    if (open_ != 0 && !region_->give_back(1, Region::pages - 1)) {
      for_each([](record& r) { Region::wipe(r); });
    }
    for (unsigned p = 0; p < Region::pages; ++p) {
      if (pages_[p].is_open) close_page(p);
    }
  }

  // Calls f(record&) for every record of the open pages, in use or free.
  template <class F>
  void for_each(F f) {
    for (unsigned p = 0; p < Region::pages; ++p) {
      if (pages_[p].is_open) for_each_in(p, f);
    }
  }
  [[nodiscard]] bool is_open(unsigned page) const noexcept { return pages_[page].is_open; }

  region_book* next_spare = nullptr;  // in a list of books whose regions no engine has

 private:
  struct page_entry {
    std::uint64_t free = 0;  // bit i: record i is free, and in no list
    std::uint64_t worn = 0;  // bit i: record i is never used again
    region_book::stamp stamp = Region::first_stamp;
    bool is_open = false;
  };

  template <class F>
  void for_each_in(unsigned page, F f) {
    for (std::uint64_t left = Region::records_in(page); left != 0; left &= left - 1)
      f(Region::at(*region_, page, static_cast<unsigned>(std::countr_zero(left))));
  }

  [[nodiscard]] bool is_ready(unsigned page) const noexcept {
    const page_entry& e = pages_[page];
    if (e.is_open && Sync::planted(sync::fault::rests_while_in_use)) return true;
    return e.is_open && (e.free | e.worn) == Region::records_in(page);
  }

  void remember_stamp(unsigned page) noexcept {
    if (Sync::planted(sync::fault::stamp_forgotten)) return;
    stamp highest = 0;
    for_each_in(page, [&](const record& r) { highest = std::max(highest, Region::stamp_of(r)); });
    pages_[page].stamp = highest;
  }

  // REQUIRES: has_blank.
  void open_page() noexcept {
    while (pages_[first_blank_].is_open || !is_blank(first_blank_)) ++first_blank_;
    page_entry& e = pages_[first_blank_];
    for_each_in(first_blank_, [&](record& r) { Region::wake(r, e.stamp); });
    e.free = Region::records_in(first_blank_);
    e.is_open = true;
    --blank_;
    ++open_;
    ++with_free_;
    first_free_ = std::min(first_free_, first_blank_);
    if (open_in_group_[first_blank_ / Region::group_pages]++ == 0) ++open_groups_;
  }
  void close_page(unsigned page) noexcept {
    page_entry& e = pages_[page];
    if (e.free != 0) --with_free_;
    e.free = 0;
    e.worn = 0;
    e.is_open = false;
    --open_;
    if (--open_in_group_[page / Region::group_pages] == 0) --open_groups_;
    if (!is_blank(page)) return;
    ++blank_;
    first_blank_ = std::min(first_blank_, page);
  }
  // REQUIRES: the page is not open.
  [[nodiscard]] bool is_blank(unsigned page) const noexcept {
    return Region::records_in(page) != 0 && pages_[page].stamp < Region::last_stamp;
  }

  Region* region_;
  std::array<page_entry, Region::pages> pages_{};
  std::array<std::uint8_t, groups> open_in_group_{};
  unsigned blank_ = 0;
  unsigned open_ = 0;
  unsigned open_groups_ = 0;
  unsigned with_free_ = 0;    // open pages with free records
  unsigned first_free_ = 0;   // no page before this one has free records
  unsigned first_blank_ = 0;  // no page before this one is blank
};

}  // namespace tact::actors
