// A runner that runs nothing, for workers without an engine.
#pragma once

#include <cstdint>

#include "dispatch/exchange/idle_set.hpp"
#include "dispatch/holding/runner.hpp"
#include "dispatch/holding/sleepers.hpp"

namespace tact::support {

struct silent_runner : dispatch::runner {
  void run_lane(mailbox::shard&) override {}
  void end_receiver(mailbox::shard&) noexcept override {}
  dispatch::lane_measures measures() const noexcept override { return {meter, none_asleep, handled}; }
  void publish_counters() noexcept override {}
  void publish_exactly() noexcept override {}
  bool sees_quiet() const noexcept override { return true; }
  void on_start() noexcept override {}
  void on_leave() noexcept override {}
  [[nodiscard]] std::uint64_t count_handled() const noexcept override { return 0; }
  void trim() noexcept override {}

  dispatch::idle_set none{0};
  dispatch::cost_meter meter;
  dispatch::sleepers none_asleep{none, 0};
  std::uint64_t handled = 0;
};

}  // namespace tact::support
