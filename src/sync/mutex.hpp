// A mutex under which users' code may run, such as a destructor.
#pragma once

#include <mutex>

#include "base/assert.hpp"
#include "sync/system.hpp"

namespace tact::sync {

// In a simulation no other thread has a turn while a mutex is held, so no thread ever waits for one.
class mutex {
 public:
  void lock() {
    if (director* const d = director::current()) {
      TACT_ASSERT(real_.try_lock(), "in a simulation a mutex is held only as long as no other thread has a turn");
      ++d->held;
    } else {
      real_.lock();
    }
  }
  [[nodiscard]] bool try_lock() {
    const bool taken = real_.try_lock();
    if (director* const d = director::current(); d != nullptr && taken) ++d->held;
    return taken;
  }
  void unlock() {
    if (director* const d = director::current()) --d->held;
    real_.unlock();
  }

 private:
  std::mutex real_;
};

}  // namespace tact::sync
