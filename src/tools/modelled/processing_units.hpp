// Which thread of a model has each processing unit, and which threads wait for one.
#pragma once

#include <deque>
#include <vector>

#include "tools/modelled/machine.hpp"
#include "tools/modelled/thread_record.hpp"

namespace tact::modelled {

// Threads are known by their numbers. Invariant: a unit has one thread at most, and a thread that waits for a unit has
// none. Thread safety: the real thread.
class processing_units {
 public:
  static constexpr unsigned nobody = ~0u;

  explicit processing_units(const machine& on);

  [[nodiscard]] unsigned core_of(unsigned unit) const noexcept { return machine_.units()[unit].core; }
  [[nodiscard]] bool is_free(unsigned unit) const noexcept { return units_[unit].occupant == nobody; }
  [[nodiscard]] picoseconds free_since(unsigned unit) const noexcept { return units_[unit].free_since; }
  // When the thread that has it got it.
  [[nodiscard]] picoseconds taken_at(unsigned unit) const noexcept { return units_[unit].taken_at; }
  [[nodiscard]] bool is_waited_for(unsigned unit) const noexcept { return !units_[unit].queue.empty(); }
  // Has a thread another unit of the same core?
  [[nodiscard]] bool shares_core(unsigned unit) const noexcept;

  // REQUIRES: it is free.
  void take(unsigned unit, unsigned thread, picoseconds at) noexcept;
  void leave(unsigned unit, picoseconds at) noexcept;
  void wait_for(unsigned unit, unsigned thread) { units_[unit].queue.push_back(thread); }
  // The first thread that waits for this unit; else one that waits for the nearest other unit, and is not pinned to it.
  // It waits no more. `nobody`: there is none.
  [[nodiscard]] unsigned end_wait_for(unsigned unit, const thread_list& threads) noexcept;

  // This unit if it is free, or else the nearest free one; this one too if none is.
  [[nodiscard]] unsigned nearest_free(unsigned unit) const noexcept;
  // Where least is running: in the package, then behind the shared cache, then on the core.
  [[nodiscard]] unsigned least_loaded() const noexcept;

 private:
  struct unit_state {
    unsigned occupant = nobody;
    std::deque<unsigned> queue;
    picoseconds free_since = 0;
    picoseconds taken_at = 0;
  };

  const machine& machine_;
  std::vector<unit_state> units_;
  std::vector<std::vector<unsigned>> units_of_core_;
};

}  // namespace tact::modelled
