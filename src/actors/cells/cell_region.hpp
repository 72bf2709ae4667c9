// 2 MiB of cells with their routes, which one engine uses at a time.
#pragma once

#include <cstdint>

#include "actors/cells/cell.hpp"
#include "actors/cells/region_book.hpp"
#include "actors/cells/slab_region.hpp"
#include "actors/common/gate.hpp"
#include "sync/lock.hpp"

namespace tact::actors {

struct site_table;

// The mailboxes of the actors of one slab that have had a limit or an order; limited_mailbox says more.
struct mailbox_table {
  mailbox_table() = default;
  mailbox_table(const mailbox_table&) = delete;
  mailbox_table& operator=(const mailbox_table&) = delete;
  virtual ~mailbox_table() = default;
};

// What is kept beside the cells of one slab.
struct slab_annex {
  mutable sync::lock<sync::real> papers_lock;       // guards the metadata of all cells of the slab
  site_table* sites = nullptr;                      // null: no site is noted; guarded by papers_lock
  sync::atomic<mailbox_table*> mailboxes{nullptr};  // null: no actor of the slab has had a limit
};

// A region is 32 slabs of 64 KiB. At the beginning of each slab stand the routes of its cells, where
// detail::route_words looks for them: word i belongs to the cell in line i. The first lines of a slab hold these words
// and no cells. The words that would belong to these lines are not needed: in the first slab of the region the members
// below use their place. Behind the words of the first slab stand those of all runs of the region. The address of a
// cell gives that of its region.
struct cell_region {
  static constexpr std::size_t slab_bytes = detail::route_words::slab_bytes;
  static constexpr unsigned slabs = region_bytes / slab_bytes;
  static constexpr unsigned slab_cells = detail::route_words::lines - detail::route_words::first_cell;

  // The gate of the engine that has the region. Written when an engine takes the region or gives it back.
  sync::atomic<engine_gate*> gate{nullptr};
  region_book<sync::real, cell_region>* book = nullptr;
  slab_annex annexes[slabs];

  static cell_region& of(const cell& c) noexcept {
    return *reinterpret_cast<cell_region*>(reinterpret_cast<std::uintptr_t>(&c) & ~(region_bytes - 1));
  }
  static slab_annex& annex_of(const cell& c) noexcept {
    return of(c).annexes[reinterpret_cast<std::uintptr_t>(&c) % region_bytes / slab_bytes];
  }
  // The number of the cell in its slab, from 0.
  static unsigned number_of(const cell& c) noexcept {
    return static_cast<unsigned>(reinterpret_cast<std::uintptr_t>(&c) % slab_bytes / sizeof(cell) -
                                 detail::route_words::first_cell);
  }

  // -- for region_book
  using record = cell;
  struct place {
    unsigned page;
    unsigned index;
  };
  static constexpr unsigned pages = region_bytes / region_page_bytes;
  static constexpr unsigned group_pages = slab_bytes / region_page_bytes;
  static constexpr unsigned page_cells = region_page_bytes / sizeof(cell);
  static_assert(page_cells == 64);
  static constexpr unsigned pages_beside_records = detail::route_words::first_cell / page_cells;  // of each slab
  // Of the region, before its first record; they stay memory as long as an engine has the region.
  static constexpr unsigned pages_at_front =
      pages_beside_records + static_cast<unsigned>(detail::route_words::run_table_bytes / region_page_bytes);
  static constexpr unsigned run_cells = static_cast<unsigned>(detail::route_words::run_bytes / sizeof(cell));
  static constexpr unsigned page_runs = page_cells / run_cells;
  static constexpr std::uint64_t first_stamp = 1;
  static constexpr std::uint64_t last_stamp = cell::last_generation;
  static constexpr bool may_be_huge = false;

  static constexpr std::uint64_t records_in(unsigned page) noexcept {
    return page < pages_at_front || page % group_pages < pages_beside_records ? 0 : ~std::uint64_t{0};
  }
  static cell& at(cell_region& r, unsigned page, unsigned index) noexcept {
    return reinterpret_cast<cell*>(&r)[page * page_cells + index];
  }
  static place place_of(const cell& c) noexcept {
    const auto line = static_cast<unsigned>(reinterpret_cast<std::uintptr_t>(&c) % region_bytes / sizeof(cell));
    return {line / page_cells, line % page_cells};
  }
  static std::uint64_t stamp_of(const cell& c) noexcept { return c.generation(); }
  static std::uint64_t stamp_after(const cell& c) noexcept {
    return c.is_worn_out() ? last_stamp : c.generation() + std::uint64_t{1};
  }
  static void wake(cell& c, std::uint64_t generation) noexcept { c.wake(static_cast<std::uint16_t>(generation)); }
  static void wipe(cell& c) noexcept { c.wipe(); }
  // From now on the cells of the run, which are all free, are for exclusive actors by this route; 0: they are for
  // others.
  static void lead_run(cell& first, std::uint64_t route) noexcept {
    // relaxed: private until published; a message for an actor that has ended may be led wherever it will.
    detail::route_words::of_run(reinterpret_cast<std::uintptr_t>(&first)).store(route, std::memory_order_relaxed);
  }
  // No cell of the slab is in use, and its pages are about to be given back.
  void leave_group(unsigned slab) noexcept;
  [[nodiscard]] bool give_back(unsigned first, unsigned count) noexcept { return give_back_pages(this, first, count); }
  // The engine that had the region has ended.
  void forget() noexcept;
};
static_assert(sizeof(cell_region) <= detail::route_words::first_cell * sizeof(std::uint64_t));
static_assert(detail::route_words::region_bytes == region_bytes);

}  // namespace tact::actors
