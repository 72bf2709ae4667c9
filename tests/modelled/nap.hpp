// A sleep in virtual time. No test waits by it: in a model it is over when nothing else can happen before.
#pragma once

#include <chrono>
#include <thread>

namespace tact::modelled_tests {

template <class Rep, class Period>
void nap(std::chrono::duration<Rep, Period> time) {
  std::this_thread::sleep_for(time);
}

}  // namespace tact::modelled_tests
