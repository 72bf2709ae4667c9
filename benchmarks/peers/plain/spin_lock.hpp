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
  // Looks less and less often: each that sees it free asks for the line of memory, and keeps its next owner from it.
  void wait() const {
    constexpr unsigned pauses_max = 64;  // a microsecond or two
    unsigned pauses = 1;
    // relaxed: a hint; the exchange decides. A load leaves the line to all that wait, an exchange would take it away.
    while (locked_.load(std::memory_order_relaxed)) {
      for (unsigned i = 0; i < pauses; ++i) pause_briefly();
      if (pauses < pauses_max) {
        pauses *= 2;
      } else {
        std::this_thread::yield();  // its owner may wait for this processing unit
      }
    }
  }

  std::atomic<bool> locked_{false};
};

}  // namespace bench
