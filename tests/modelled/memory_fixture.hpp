// A modelled memory by itself, for tests: what each access costs, and where its line comes from.
#pragma once

#include <cstdint>
#include <string>

#include "tools/modelled/memory.hpp"

namespace tact::modelled_tests {

using modelled::of_ns;
using modelled::source;
using modelled::use;

// Two packages with two shared caches each, each for two cores: 0 and 1, 2 and 3; in the other package 4 and 5, 6
// and 7.
inline constexpr const char* small_machine = "package:2 l3:2 core:2 pu:1";

// All of a way is waited, and nothing else.
inline model_costs bare_costs() { return {.hop = 0, .window = 0, .stores_waited = 1, .streams_waited = 1, .fault = 0}; }

class memory_fixture {
 public:
  explicit memory_fixture(const model_costs& costs = bare_costs(), const std::string& machine = small_machine)
      : on_(machine), memory_(on_, costs) {}

  // How long the core waits, in ns. Without a moment: so much later than all before that it waits for no other core.
  double access(unsigned core, std::uintptr_t address, use how, double now_ns) {
    if (memory_.has(core, address, how)) return 0;
    return static_cast<double>(memory_.reach(core, address, how, of_ns(now_ns), place)) / 1000;
  }
  double access(unsigned core, std::uintptr_t address, use how) {
    return access(core, address, how, later_ns_ += 10'000);
  }
  double read(unsigned core, std::uintptr_t address) { return access(core, address, use::read); }
  double read(unsigned core, std::uintptr_t address, double now_ns) { return access(core, address, use::read, now_ns); }
  double write(unsigned core, std::uintptr_t address) { return access(core, address, use::write); }
  double write(unsigned core, std::uintptr_t address, double now_ns) {
    return access(core, address, use::write, now_ns);
  }
  void fetch(unsigned core, std::uintptr_t address) { fetch(core, address, later_ns_ += 10'000); }
  void fetch(unsigned core, std::uintptr_t address, double now_ns, use how = use::read) {
    memory_.fetch(core, address, how, of_ns(now_ns), place);
  }

  // How many lines have come that way.
  [[nodiscard]] std::uint64_t came(source from) {
    return memory_.costs_so_far().by_source[static_cast<std::size_t>(from)].transfers;
  }
  void interleave(std::uintptr_t first, std::size_t pages) { memory_.interleave(first, pages * page_bytes); }
  [[nodiscard]] modelled::memory& whole() noexcept { return memory_; }

  static constexpr std::uintptr_t line_bytes = 64;
  static constexpr std::uintptr_t page_bytes = 4096;
  static constexpr std::uintptr_t place = 0x1234;

 private:
  const modelled::machine on_;
  modelled::memory memory_;
  double later_ns_ = 1'000'000;
};

}  // namespace tact::modelled_tests
