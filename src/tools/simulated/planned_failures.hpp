// The exception and the failed allocation that a program orders from its simulation.
#pragma once

#include <cstdint>

#include "tact/simulation.hpp"

namespace tact::simulated {

// Each of the two happens once at most. Thread safety: the real thread.
class planned_failures {
 public:
  void throw_at(std::uint64_t nth) noexcept { runs_until_throw_ = nth; }
  void fail_allocation(std::uint64_t nth) noexcept { until_refusal_ = nth; }
  [[nodiscard]] bool has_thrown() const noexcept { return thrown_; }
  [[nodiscard]] bool has_refused() const noexcept { return refused_; }
  [[nodiscard]] unsigned count() const noexcept { return unsigned{thrown_} + unsigned{refused_}; }

  // Called behind every handler. Throws simulated_exception when this is the one that was ordered.
  void after_handler() {
    if (runs_until_throw_ == 0 || --runs_until_throw_ != 0) return;
    thrown_ = true;
    throw simulated_exception("thrown by simulation.throw_at");
  }
  // Called before every allocation. False: it has to fail.
  [[nodiscard]] bool permits_allocation() noexcept {
    if (until_refusal_ == 0 || --until_refusal_ != 0) return true;
    refused_ = true;
    return false;
  }

 private:
  std::uint64_t runs_until_throw_ = 0;
  std::uint64_t until_refusal_ = 0;
  bool thrown_ = false;
  bool refused_ = false;
};

}  // namespace tact::simulated
