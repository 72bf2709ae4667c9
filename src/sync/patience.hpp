// How a thread waits that has set no limit: it says in between for whom.
#pragma once

#include <chrono>
#include <cstdio>
#include <string>

#include "sync/system.hpp"

namespace tact::sync {

// So long it waits in silence. Tests make it shorter, before there are other threads.
struct patience {
  static inline std::chrono::milliseconds limit = std::chrono::seconds(10);
};

// Waits by `wait(deadline)`, which is false when that has passed first; without a deadline `whom()` is said each time
// that the patience ends. In a simulation nothing is said: there a wait that cannot end is known at once.
template <class Wait, class Whom>
bool wait_patiently(deadline until, Wait wait, Whom whom) noexcept {
  if (until || system::current() != nullptr) return wait(until);
  while (!wait(clock::now() + patience::limit)) {
    try {
      std::fputs(("tact: " + whom() + "\n").c_str(), stderr);
    } catch (...) {
      // Without memory it waits in silence.
    }
  }
  return true;
}

}  // namespace tact::sync
