// The memory of a modelled machine: which caches have which lines, and what it costs a core to reach one.
#pragma once

#include <array>
#include <cstdint>
#include <deque>
#include <unordered_map>
#include <vector>

#include "tact/model.hpp"
#include "tools/modelled/account.hpp"
#include "tools/modelled/machine.hpp"
#include "tools/modelled/own_memory.hpp"
#include "tools/modelled/tags.hpp"

namespace tact::modelled {

// A line of 64 bytes, and who has it.
//
//   none --first touch--> owned by a core --read by another--> shared --write--> owned by the writer
//                                  |                                                 |
//                                  +---- falls out of its cache: in a shared cache <-+
//
// Invariants: a line with an owner is in no other core's caches, and in no shared cache; `tags` of a core's cache and
// `holders` say the same; so do those of a shared cache and `caches`.
struct line {
  [[nodiscard]] bool is_owned_by(unsigned core) const noexcept { return owner == static_cast<std::int16_t>(core); }

  core_set holders;
  std::uint64_t caches = 0;  // shared ones that have it
  std::int16_t owner = -1;   // the core that may write it at once
  bool is_changed = false;   // since it was read from memory
  std::uint32_t account = 0;
  picoseconds free_at = 0;  // when the next core may have it
};

struct page {
  static constexpr unsigned lines = 64;
  std::uint16_t node = 0;  // on which memory it lies
  std::array<line, lines> all{};
};

// Addresses are numbered page by page, in the order in which they are touched. So nothing depends on where the system
// puts them.
class memory {
 public:
  // Lines are numbered from page::lines on; this one is none.
  static constexpr std::uint32_t no_line = 0;

  memory(const machine& on, const model_costs& costs);

  // -- the short way, which nearly every access takes
  // Is the line of the address in the first-level cache of the core, so that it can be used so at once?
  [[nodiscard]] bool has(unsigned core, std::uintptr_t address, use how) noexcept {
    const translation& t = translations_[slot_of(address)];
    if (t.page != address / page_bytes) [[unlikely]]
      return false;
    const std::uint32_t number = t.first + static_cast<std::uint32_t>(address / line_bytes % page::lines);
    const nearest& n = first_levels_[core][number % first_level_lines];
    return n.line == number && (n.may_write || !is_write(how));
  }
  // -- the long way: reaches the line, and says how long the core waits. `place` is that of the code.
  [[nodiscard]] picoseconds reach(unsigned core, std::uintptr_t address, use how, picoseconds now,
                                  std::uintptr_t place);
  // Begins to bring a line near to the core, which goes on meanwhile; for a write it takes the line from all others.
  void fetch(unsigned core, std::uintptr_t address, use how, picoseconds now, std::uintptr_t place);

  // The pages of this range that have not been touched yet will lie on the memories in turn. All other pages lie on the
  // memory near to the core that touches them first.
  void interleave(std::uintptr_t first, std::size_t bytes);

  [[nodiscard]] std::uint64_t pages_touched() const noexcept { return pages_.size(); }
  // How many of these lie on each memory.
  [[nodiscard]] std::vector<std::uint64_t> pages_by_node() const;
  [[nodiscard]] accounts& costs_so_far() noexcept { return accounts_; }
  // Do the invariants of `line` hold? For tests.
  [[nodiscard]] bool is_consistent() const;

 private:
  static constexpr std::uintptr_t page_bytes = 4096;
  static constexpr std::uintptr_t line_bytes = 64;
  static constexpr unsigned first_level_lines = 512;  // 32 KiB
  static constexpr unsigned translations = 4096;
  static constexpr unsigned streams = 8;

  struct translation {
    std::uintptr_t page = ~std::uintptr_t{0};
    std::uint32_t first = 0;  // the number of its first line
  };
  struct nearest {
    std::uint32_t line = no_line;
    bool may_write = false;
  };
  struct fetched {
    std::uint32_t line = no_line;
    picoseconds ready_at = 0;
  };
  struct core_state {
    core_state(std::size_t l2_lines, unsigned fetches) : l2(l2_lines, 8), on_the_way(fetches) {}
    tags l2;
    std::array<std::uint32_t, streams> stream{};  // lines that the core reached last
    unsigned next_stream = 0;
    std::vector<fetched> on_the_way;
    unsigned next_fetch = 0;
  };
  // What it takes to get a line.
  struct way {
    source from = source::l2;
    picoseconds time = 0;
  };

  static std::size_t slot_of(std::uintptr_t address) noexcept {
    const std::uintptr_t number = address / page_bytes;
    return (number ^ (number >> 12)) % translations;
  }
  [[nodiscard]] std::uint32_t number_of(unsigned core, std::uintptr_t address, picoseconds& waited);
  [[nodiscard]] std::uint16_t node_for(std::uintptr_t page, unsigned core) const;
  [[nodiscard]] line& at(std::uint32_t number) noexcept {
    return pages_[number / page::lines - 1].all[number % page::lines];
  }
  [[nodiscard]] const line& at(std::uint32_t number) const noexcept {
    return pages_[number / page::lines - 1].all[number % page::lines];
  }
  void note(const way& w, std::uint32_t number, line& l, std::uintptr_t place, unsigned core, use how,
            picoseconds waited);
  // On which memory the line lies.
  [[nodiscard]] unsigned node_of(std::uint32_t number) const noexcept { return pages_[number / page::lines - 1].node; }
  [[nodiscard]] way way_to(unsigned core, std::uint32_t number, const line& l) const noexcept;
  [[nodiscard]] way way_to_own(unsigned core, std::uint32_t number, const line& l) const noexcept;
  // At once: that the line is changed is known.
  [[nodiscard]] static bool may_write(unsigned core, const line& l) noexcept {
    return l.is_owned_by(core) && l.is_changed;
  }
  // Whatever has the line has it no more, and the core owns it.
  void own(unsigned core, std::uint32_t number, line& l);
  // The core has the line, and owns it if nothing else has it.
  void share(unsigned core, std::uint32_t number, line& l);
  void keep(unsigned core, std::uint32_t number, const line& l);
  void put_in_cache(unsigned cache, std::uint32_t number);
  void leave_core(unsigned core, std::uint32_t number);
  void leave_cache(unsigned cache, std::uint32_t number);
  void forget(unsigned core, std::uint32_t number) noexcept;
  [[nodiscard]] picoseconds rest_of_fetch(core_state& c, std::uint32_t number, picoseconds now) noexcept;
  [[nodiscard]] bool is_next_of_stream(core_state& c, std::uint32_t number) noexcept;
  [[nodiscard]] picoseconds part_waited(picoseconds time, use how, bool in_stream) const noexcept;

  const machine& machine_;
  std::array<picoseconds, sources> times_;
  const picoseconds hop_, window_, fault_;
  const double stores_waited_, streams_waited_;
  std::vector<translation> translations_;
  std::vector<std::array<nearest, first_level_lines>> first_levels_;
  std::vector<core_state> cores_;
  std::vector<tags> shared_;
  own_memory own_;
  std::pmr::deque<page> pages_{own_.resource()};
  std::pmr::unordered_map<std::uintptr_t, std::uint32_t> numbers_{own_.resource()};     // of pages, from 1
  std::pmr::unordered_map<std::uintptr_t, std::uint16_t> told_nodes_{own_.resource()};  // of pages that are interleaved
  accounts accounts_;
};

}  // namespace tact::modelled
