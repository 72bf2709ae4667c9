// How the thread of a worker begins, and how it ends before its engine does: dispatch/workers/workforce.hpp.
#include <string>

#include "dispatch/workers/worker.hpp"

namespace tact::dispatch {

// A worker that has not begun has nothing to do, so it starts as idle.
void worker::start() {
  goes_.store(false);
  idleness_.begin();
  try {
    thread_.start("worker " + std::to_string(index_), [this] { loop(); });
  } catch (...) {
    idleness_.end();
    throw;
  }
}

void worker::tell_to_go() noexcept {
  goes_.exchange(true);
  status_.wake();
}

}  // namespace tact::dispatch
