// Runs a scenario under many schedules and says whether one of them breaks it.
#pragma once

#include <cstdint>
#include <functional>
#include <memory>
#include <string>

#include "sync/fault.hpp"
#include "tools/explorer/names.hpp"
#include "tools/explorer/schedule.hpp"

namespace tact::explorer {

// A few threads that use kernels with the simulated policy. A fresh scenario is made for every schedule.
class scenario {
 public:
  virtual ~scenario() = default;
  [[nodiscard]] virtual unsigned thread_count() const = 0;
  virtual void thread(unsigned index) = 0;
  virtual void at_end() {}  // after all threads have finished; not after a failure

  // For the trace of a failure: what each thread is called, and which objects have names.
  [[nodiscard]] virtual std::string thread_name(unsigned index) const { return "thread " + std::to_string(index); }
  virtual void name(names&) {}
};

using scenario_maker = std::function<std::unique_ptr<scenario>()>;

// The options of both ways to search.
struct common_options {
  sync::fault fault = sync::fault::none;
  std::uint64_t step_limit = 20'000;
  // How much is tried to find a simpler schedule for the first failure: so many variants of the one that was found, and
  // so many of the first schedules that the enumerator makes.
  std::uint64_t replays = 2'000;
  std::uint64_t searched = 10'000;
};

struct options : common_options {
  std::uint64_t schedules = 100'000;
  std::uint64_t seed = 1;  // schedule n runs under seed + n; a failing seed with schedules = 1 repeats the failure
  bool stop_at_failure = true;
};

struct bounds : common_options {
  unsigned preemptions = 2;              // switches away from a thread that could go on
  unsigned late_stores = 0;              // stores that may stay in a buffer; the others go out at once
  std::uint64_t schedules = 10'000'000;  // then the search gives up
  // It also gives up when this is false, which is asked now and then.
  std::function<bool()> has_time = [] { return true; };
};

struct result {
  std::uint64_t schedules = 0;  // that were run
  std::uint64_t steps = 0;
  bool exhausted = false;  // by `exhaust`: there is no other schedule within the bounds
  std::uint64_t failures = 0;
  // Of the first failure:
  std::uint64_t first_failing_seed = 0;
  std::string text;
  schedule_size found;     // the schedule as it was found
  schedule_size simplest;  // the simplest that fails in the same way, and the one of the trace
  std::string trace;
};

// Random schedules, by seeds.
[[nodiscard]] result explore(const options&, const scenario_maker& make);
// All schedules within bounds, until one fails. docs/testing.md says what is tried out and what is not.
[[nodiscard]] result exhaust(const bounds&, const scenario_maker& make);

// Inside a scenario: ends the schedule as failed unless `holds`. `text` must be a literal.
void check(bool holds, const char* text);

}  // namespace tact::explorer
