// Runs a scenario under many seeded schedules and says whether one of them breaks it.
#pragma once

#include <cstdint>
#include <functional>
#include <memory>
#include <string>

#include "sync/fault.hpp"

namespace tact::simulation {

// A few threads over kernels with the simulated policy. A fresh one is made for every schedule.
class scenario {
 public:
  virtual ~scenario() = default;
  [[nodiscard]] virtual unsigned thread_count() const = 0;
  virtual void thread(unsigned index) = 0;
  virtual void at_end() {}  // after all threads have finished; not after a failure
};

struct options {
  std::uint64_t schedules = 100'000;
  std::uint64_t seed = 1;  // schedule n runs under seed + n; a failing seed with schedules = 1 repeats the failure
  sync::fault fault = sync::fault::none;
  std::uint64_t step_limit = 20'000;
  bool stop_at_failure = true;
};

struct result {
  std::uint64_t schedules = 0;  // that were run
  std::uint64_t steps = 0;
  std::uint64_t failures = 0;
  std::uint64_t first_failing_seed = 0;
  std::string text;   // of the first failure
  std::string trace;  // its last operations
};

[[nodiscard]] result explore(const options&, const std::function<std::unique_ptr<scenario>()>& make);

// Inside a scenario: ends the schedule as failed unless `holds`. `text` must be a literal.
void check(bool holds, const char* text);

}  // namespace tact::simulation
