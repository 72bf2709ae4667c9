// On what the threads of a model wait: ways between caches, lines of memory, places in the source.
#pragma once

#include <algorithm>
#include <array>
#include <cstdint>
#include <memory_resource>
#include <unordered_map>
#include <vector>

#include "tools/modelled/machine.hpp"

namespace tact::modelled {

// Counts only while `counting`.
class accounts {
 public:
  // `nodes`: how many memories the machine has.
  accounts(std::pmr::memory_resource* in, unsigned nodes) : by_place(in), by_line(1, in), by_node(nodes, in) {}

  struct sum {
    std::uint64_t transfers = 0;
    picoseconds waited = 0;
  };
  struct of_line : sum {
    core_set writers;
    // The place that most of the waits are at, by a vote: an equal place adds its wait, another one takes it away.
    std::uintptr_t place = 0;
    picoseconds votes = 0;
  };

  // `which` is the account of the line, 0 until it has one.
  void note(source from, std::uint32_t& which, std::uintptr_t place, unsigned core, use how, picoseconds waited) {
    if (!counting) return;
    add(by_source[static_cast<std::size_t>(from)], waited);
    add(by_place[place], waited);
    if (from == source::l2) return;
    if (which == 0) {
      by_line.emplace_back();
      which = static_cast<std::uint32_t>(by_line.size() - 1);
    }
    of_line& l = by_line[which];
    add(l, waited);
    if (is_write(how)) l.writers.add(core);
    if (l.place == place) {
      l.votes += waited;
    } else if (l.votes < waited) {
      l.place = place;
      l.votes = waited - l.votes;
    } else {
      l.votes -= waited;
    }
  }
  // The line comes from the memory `node`.
  void note_memory(unsigned node) noexcept {
    if (counting) ++by_node[node];
  }
  void clear() {
    std::fill(by_node.begin(), by_node.end(), 0);
    by_source = {};
    by_place.clear();
    for (of_line& l : by_line) l = {};
  }

  bool counting = true;
  std::array<sum, sources> by_source{};
  std::pmr::unordered_map<std::uintptr_t, sum> by_place;
  std::pmr::vector<of_line> by_line;        // the first one is of no line
  std::pmr::vector<std::uint64_t> by_node;  // lines that came from each memory

 private:
  static void add(sum& s, picoseconds waited) noexcept {
    ++s.transfers;
    s.waited += waited;
  }
};

}  // namespace tact::modelled
