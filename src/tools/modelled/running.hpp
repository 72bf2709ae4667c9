// What every instrumented access looks at: the thread of the model that runs now.
#pragma once

#include <cstdint>

#include "tools/modelled/machine.hpp"

namespace tact::modelled {

class memory;

// There is one for the process, as only one model runs at a time. Written when another thread goes on.
struct running_thread {
  bool is_active = false;  // false: in the model's own code, or there is no model
  unsigned core = 0;
  picoseconds now = 0;
  picoseconds horizon = 0;  // from this moment on another thread may be the one to go on
  picoseconds block = 0;    // these cost more while the other thread of the core has work
  picoseconds access = 0;
  picoseconds update = 0;
  std::uint64_t accesses = 0;
  unsigned makes_static = 0;  // static objects that it is making: no other thread goes on
  modelled::memory* memory = nullptr;
};
inline constinit running_thread here;

// The running thread comes so much farther.
inline void spend(picoseconds time) noexcept { here.now += time; }

// While one lives, what is called on this thread is not part of the model.
class outside_of_model {
 public:
  outside_of_model() noexcept : was_(here.is_active) { here.is_active = false; }
  ~outside_of_model() { here.is_active = was_; }
  outside_of_model(const outside_of_model&) = delete;
  outside_of_model& operator=(const outside_of_model&) = delete;

 private:
  const bool was_;
};

}  // namespace tact::modelled
