// How a thread waits that has set no time limit: from time to time it says what it waits for.
#pragma once

#include <chrono>
#include <string>

#include "sync/reports.hpp"

#include "sync/system.hpp"

namespace tact::sync {

// How long a thread waits in silence, each time. Tests make it shorter, before they start other threads.
struct patience {
  static inline std::chrono::milliseconds limit = std::chrono::seconds(10);
};

// Waits by `wait(deadline)`, which returns false when the deadline has passed first. Without a deadline of the
// caller's, `whom()` is printed on stderr each time that the patience ends. In a simulation nothing is printed, because
// there a wait that cannot end is noticed at once.
template <class Wait, class Whom>
bool wait_patiently(deadline until, Wait wait, Whom whom) noexcept {
  if (until || system::current() != nullptr) return wait(until);
  while (!wait(clock::now() + patience::limit)) {
    try {
      report("tact: " + whom() + "\n");
    } catch (...) {
      // Without memory for the text the thread waits in silence.
    }
  }
  return true;
}

}  // namespace tact::sync
