// How the thread of a worker begins, and how it ends before its engine does: dispatch/workforce.hpp.
#include <string>

#include "dispatch/worker.hpp"

namespace tact::dispatch {

// A worker that has not begun has nothing to do, so it starts as idle.
void worker::start() {
  goes_.store(false);
  idle_ = true;
  exchange_.announcer().idle().add(index_);
  try {
    thread_.start("worker " + std::to_string(index_), [this] { loop(); });
  } catch (...) {
    exchange_.announcer().idle().remove(index_);
    throw;
  }
}

void worker::tell_to_go() noexcept {
  goes_.exchange(true);
  status_.wake();
}

// The other workers go on. This one takes itself out of the idle set and out of the victims, so that none of them
// relies on it, and gives its spare memory back for them.
void worker::leave_service() noexcept {
  exchange_.announcer().idle().remove(index_);
  status_.show_nothing();
  give_back(0);
}

}  // namespace tact::dispatch
