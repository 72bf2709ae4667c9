// What is counted while a program runs in a model.
#pragma once

#include <cstdint>
#include <optional>

#include "tact/model.hpp"
#include "tools/modelled/memory.hpp"
#include "tools/modelled/scheduler.hpp"

namespace tact::modelled {

// Goes from the beginning of the program, or from the last `begin`, to the first `end` behind it; but what engines have
// counted is of the whole program. Invariant: from that end on the other counts stay as they are, until the next
// `begin`. Thread safety: the real thread.
class measurement {
 public:
  measurement(scheduler& of, memory& reached) noexcept : scheduler_(of), memory_(reached) {}

  void begin() noexcept;
  void end() noexcept;
  // An engine of the program ends, and has counted this.
  void hear(const statistics& of_engine) noexcept;
  // How long all threads together were busy, since the beginning of the program.
  [[nodiscard]] double busy_seconds() const noexcept { return static_cast<double>(scheduler_.busy()) * 1e-12; }
  [[nodiscard]] model_result result() const;

 private:
  struct count {
    picoseconds time = 0;
    picoseconds busy = 0;
    std::uint64_t accesses = 0;
    std::uint64_t sleeps = 0;
    std::uint64_t wakes = 0;
  };
  [[nodiscard]] count until_now() const noexcept;

  scheduler& scheduler_;
  memory& memory_;
  count before_;
  std::optional<count> counted_;
  statistics engines_;
};

}  // namespace tact::modelled
