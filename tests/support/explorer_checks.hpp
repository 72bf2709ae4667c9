// What every schedule test says: this scenario never breaks, and this planted fault is found.
#pragma once

#include <algorithm>
#include <iostream>
#include <memory>
#include <string>

#include "support/catch.hpp"
#include "support/passed_over.hpp"
#include "support/processor_time.hpp"
#include "support/seed.hpp"
#include "tools/explorer/explorer.hpp"

namespace tact::support {

// A hunt for a fault stops at the first failure, so it may be long in every build.
inline constexpr std::uint64_t hunt_schedules = 400'000;

inline std::string text_of(const explorer::schedule_size& s) {
  return "operations " + std::to_string(s.operations) + ", switches " + std::to_string(s.switches) +
         ", of them preemptions " + std::to_string(s.preemptions) + ", surprises " + std::to_string(s.surprises);
}

// Printed by itself: Catch2 would break the lines of the trace. `environment` is what repeats the failure.
inline void print_failure(const explorer::result& r, const std::string& environment) {
  std::cout << "repeat: " << environment << "./dev test --filter \"" << Catch::getResultCapture().getCurrentTestName()
            << "\"\n"
            << r.text << "\nfound:    " << text_of(r.found) << "\nsimplest: " << text_of(r.simplest) << '\n'
            << r.trace << std::endl;
}

template <class Scenario, class... Arguments>
explorer::result explore(std::uint64_t first_seed, std::uint64_t schedules_max, sync::fault planted,
                         Arguments... arguments) {
  explorer::options o;
  o.schedules = schedules_max;
  o.seed = first_seed;
  o.fault = planted;
  return explorer::explore(o, [&]() { return std::make_unique<Scenario>(arguments...); });
}

// No schedule breaks it, as far as the time for a scenario reaches. TACT_SCHEDULES says a number instead.
template <class Scenario, class... Arguments>
void require_holds(Arguments... arguments) {
  constexpr std::uint64_t at_a_time = 500;
  const auto count = schedules_asked_for();
  const auto until = processor_time_of_this_thread() + exploring_time();
  explorer::result r;
  for (std::uint64_t done = 0; count ? done < *count : done == 0 || processor_time_of_this_thread() < until;) {
    const std::uint64_t now = count ? *count : at_a_time;
    r = explore<Scenario>(seed() + done, now, sync::fault::none, arguments...);
    if (r.failures != 0) break;
    done += now;
  }
  if (r.failures != 0) print_failure(r, "TACT_SEED=" + std::to_string(r.first_failing_seed) + " TACT_SCHEDULES=1 ");
  INFO("seed=" << r.first_failing_seed << ": " << r.text);
  REQUIRE(r.failures == 0);
}

// Some schedule breaks it once the fault is planted.
template <class Scenario, class... Arguments>
void require_found(sync::fault planted, const char* name, Arguments... arguments) {
  const passed_over left_by_failures;
  const explorer::result r = explore<Scenario>(seed(), hunt_schedules, planted, arguments...);
  INFO(name << ": not found in " << r.schedules << " schedules from seed=" << seed() << " (TACT_SEED repeats it)");
  REQUIRE(r.failures == 1);
  std::cout << name << ": found after " << r.schedules << " schedules, seed=" << r.first_failing_seed << ": " << r.text
            << "; simplest: " << text_of(r.simplest) << '\n';
}

template <class Scenario>
explorer::result exhaust(explorer::bounds b) {
  return explorer::exhaust(b, [] { return std::make_unique<Scenario>(); });
}

// No schedule within the bounds breaks it, as far as the time reaches: all with one preemption, then those with two,
// and so on. A search that is over before its time has tried all of them.
template <class Scenario>
void require_all_hold(unsigned preemptions_max, unsigned late_stores, const char* name) {
  explorer::bounds b;
  b.late_stores = late_stores;
  const auto until = processor_time_of_this_thread() + 2 * exploring_time();
  for (b.preemptions = std::min(1u, preemptions_max); b.preemptions <= preemptions_max; ++b.preemptions) {
    if (b.preemptions > 1) b.has_time = [until] { return processor_time_of_this_thread() < until; };
    const explorer::result r = exhaust<Scenario>(b);
    if (r.failures != 0) print_failure(r, "");
    INFO(name << ": " << r.text);
    REQUIRE(r.failures == 0);
    std::cout << name << ": " << (r.exhausted ? "all " : "the first ") << r.schedules << " schedules with at most "
              << b.preemptions << " preemptions and " << late_stores << " late stores\n";
    if (!r.exhausted) {
      REQUIRE(b.preemptions > 1);
      return;
    }
  }
}

// One of them breaks it once the fault is planted.
template <class Scenario>
void require_found_within(unsigned preemptions, unsigned late_stores, sync::fault planted, const char* name) {
  const passed_over left_by_failures;
  explorer::bounds b;
  b.preemptions = preemptions;
  b.late_stores = late_stores;
  b.fault = planted;
  const explorer::result r = exhaust<Scenario>(b);
  INFO(name << ": not found in " << r.schedules << " schedules");
  REQUIRE(r.failures == 1);
  std::cout << name << ": found after " << r.schedules << " of all schedules with at most " << preemptions
            << " preemptions: " << r.text << '\n';
}

}  // namespace tact::support

#define TACT_REQUIRE_FOUND(fault_name, ...) \
  ::tact::support::require_found<__VA_ARGS__>(::tact::sync::fault::fault_name, #fault_name)

// The same by an exhaustive search, with so many preemptions and late stores.
#define TACT_REQUIRE_FOUND_WITHIN(preemptions, late_stores, fault_name, ...)                                    \
  ::tact::support::require_found_within<__VA_ARGS__>(preemptions, late_stores, ::tact::sync::fault::fault_name, \
                                                     #fault_name)
#define TACT_REQUIRE_ALL_HOLD(preemptions, late_stores, ...) \
  ::tact::support::require_all_hold<__VA_ARGS__>(preemptions, late_stores, #__VA_ARGS__)
