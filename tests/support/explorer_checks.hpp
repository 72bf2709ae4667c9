// What every schedule test says: this scenario never breaks, and this planted fault is found.
#pragma once

#include <algorithm>
#include <iostream>
#include <memory>
#include <string>

#include "explorer/explorer.hpp"
#include "support/catch.hpp"
#include "support/passed_over.hpp"
#include "support/seed.hpp"

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
explorer::result explore(std::uint64_t schedules_max, sync::fault planted, Arguments... arguments) {
  explorer::options o;
  o.schedules = schedules_max;
  o.seed = seed();
  o.fault = planted;
  return explorer::explore(o, [&]() { return std::make_unique<Scenario>(arguments...); });
}

// No schedule breaks it, of one part in so many of those that are usually tried.
template <class Scenario, class... Arguments>
void require_holds_in_part(std::uint64_t part, Arguments... arguments) {
  const std::uint64_t count = std::max<std::uint64_t>(1, schedules() / part);
  const explorer::result r = explore<Scenario>(count, sync::fault::none, arguments...);
  if (r.failures != 0) print_failure(r, "TACT_SEED=" + std::to_string(r.first_failing_seed) + " TACT_SCHEDULES=1 ");
  INFO("seed=" << r.first_failing_seed << ": " << r.text);
  REQUIRE(r.failures == 0);
}

// No schedule breaks it.
template <class Scenario, class... Arguments>
void require_holds(Arguments... arguments) {
  require_holds_in_part<Scenario>(1, arguments...);
}

// Some schedule breaks it once the fault is planted.
template <class Scenario, class... Arguments>
void require_found(sync::fault planted, const char* name, Arguments... arguments) {
  const passed_over left_by_failures;
  const explorer::result r = explore<Scenario>(hunt_schedules, planted, arguments...);
  INFO(name << ": not found in " << r.schedules << " schedules from seed=" << seed() << " (TACT_SEED repeats it)");
  REQUIRE(r.failures == 1);
  std::cout << name << ": found after " << r.schedules << " schedules, seed=" << r.first_failing_seed << ": " << r.text
            << "; simplest: " << text_of(r.simplest) << '\n';
}

template <class Scenario>
explorer::result exhaust(unsigned preemptions, unsigned late_stores, sync::fault planted) {
  explorer::bounds b;
  b.preemptions = preemptions;
  b.late_stores = late_stores;
  b.fault = planted;
  return explorer::exhaust(b, [] { return std::make_unique<Scenario>(); });
}

// No schedule within the bounds breaks it, and all of them were tried. One preemption fewer where schedules are slow.
template <class Scenario>
void require_all_hold(unsigned preemptions, unsigned late_stores, const char* name) {
  if (schedules() < schedules_usually && preemptions > 1) --preemptions;
  const explorer::result r = exhaust<Scenario>(preemptions, late_stores, sync::fault::none);
  if (r.failures != 0) print_failure(r, "");
  INFO(name << ": " << r.text);
  REQUIRE(r.failures == 0);
  REQUIRE(r.exhausted);
  std::cout << name << ": all " << r.schedules << " schedules with at most " << preemptions << " preemptions and "
            << late_stores << " late stores\n";
}

// One of them breaks it once the fault is planted.
template <class Scenario>
void require_found_within(unsigned preemptions, unsigned late_stores, sync::fault planted, const char* name) {
  const passed_over left_by_failures;
  const explorer::result r = exhaust<Scenario>(preemptions, late_stores, planted);
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
