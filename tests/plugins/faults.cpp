// The handlers of faults alone, as a library that is unloaded for good.
#include "fiber/faults.hpp"

extern "C" void watch_faults() {
  tact::fiber::watch_faults([](int, const void*) noexcept {});
}
