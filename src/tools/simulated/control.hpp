// How a program lets time pass in its simulation.
#pragma once

#include "tools/simulated/scheduler.hpp"

namespace tact::simulated {

// Thread safety: the real thread.
class control {
 public:
  explicit control(scheduler& of) noexcept : threads_(of) {}

  // For the program alone: these throw usage_error on any other thread.
  void run();
  [[nodiscard]] bool step();
  void advance(virtual_clock::duration time);
  // For each thread of the program.
  void sleep_for(virtual_clock::duration time);

 private:
  void refuse_inside(const char* call) const;

  scheduler& threads_;
};

}  // namespace tact::simulated
