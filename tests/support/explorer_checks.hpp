// What every schedule test says: this scenario never breaks, and this planted fault is found.
#pragma once

#include <iostream>
#include <memory>

#include "simulation/explorer.hpp"
#include "support/catch.hpp"
#include "support/seed.hpp"

namespace tact::support {

// A hunt for a fault stops at the first failure, so it may be long in every build.
inline constexpr std::uint64_t hunt_schedules = 400'000;

template <class Scenario, class... Arguments>
simulation::result explore(std::uint64_t schedules_max, sync::fault planted, Arguments... arguments) {
  simulation::options o;
  o.schedules = schedules_max;
  o.seed = seed();
  o.fault = planted;
  return simulation::explore(o, [&]() { return std::make_unique<Scenario>(arguments...); });
}

// No schedule breaks it.
template <class Scenario, class... Arguments>
void require_holds(Arguments... arguments) {
  const simulation::result r = explore<Scenario>(schedules(), sync::fault::none, arguments...);
  INFO("seed=" << r.first_failing_seed << " (TACT_SEED with TACT_SCHEDULES=1 repeats it): " << r.text << '\n'
               << r.trace);
  REQUIRE(r.failures == 0);
}

// Some schedule breaks it once the fault is planted.
template <class Scenario, class... Arguments>
void require_found(sync::fault planted, const char* name, Arguments... arguments) {
  const simulation::result r = explore<Scenario>(hunt_schedules, planted, arguments...);
  INFO(name << ": not found in " << r.schedules << " schedules from seed=" << seed());
  REQUIRE(r.failures == 1);
  std::cout << name << ": found after " << r.schedules << " schedules, seed=" << r.first_failing_seed << ": " << r.text
            << '\n';
}

}  // namespace tact::support

#define TACT_REQUIRE_FOUND(fault_name, ...) \
  ::tact::support::require_found<__VA_ARGS__>(::tact::sync::fault::fault_name, #fault_name)
