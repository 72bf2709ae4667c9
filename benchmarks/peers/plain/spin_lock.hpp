// A lock whose waiters look again and again, because those who hold it do so for some nanoseconds.
#pragma once

#include <atomic>
#include <thread>

#if defined(TACT_MODELLED)
#include <tact/model.hpp>
#endif

namespace bench {

// A round of a loop in which a thread only looks.
inline void pause_briefly() {
#if defined(TACT_MODELLED)
  tact::model::spend_ns(20);  // a model does not see the instruction
#elif defined(__x86_64__) || defined(__i386__)
  __builtin_ia32_pause();
#endif
}

class spin_lock {
 public:
  void lock() {
    // acquire: what the last owner wrote is read after it.
    while (locked_.exchange(true, std::memory_order_acquire)) wait();
  }
  void unlock() {
    // release: what its owner wrote is written before the next one has it.
    locked_.store(false, std::memory_order_release);
  }

 private:
  void wait() const {
    constexpr unsigned rounds_max = 1000;  // then its owner may wait for this processing unit
    unsigned rounds = 0;
    // relaxed: a hint; the exchange decides. A load leaves the line to all that wait, an exchange would take it away.
    while (locked_.load(std::memory_order_relaxed)) {
      if (++rounds % rounds_max == 0) std::this_thread::yield();
      pause_briefly();
    }
  }

  std::atomic<bool> locked_{false};
};

}  // namespace bench
