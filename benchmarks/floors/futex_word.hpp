// A word that one thread sets and another one sleeps on: what a wake-up costs without any library.
#pragma once

#include <linux/futex.h>
#include <sys/syscall.h>
#include <unistd.h>

#include <atomic>
#include <climits>
#include <cstdint>

namespace bench {

struct alignas(128) futex_word {
  std::atomic<std::uint32_t> value{0};

  // Unless it has another value.
  void sleep_while(std::uint32_t seen) { syscall(SYS_futex, &value, FUTEX_WAIT_PRIVATE, seen, nullptr, nullptr, 0); }
  void wait_until(std::uint32_t wanted) {
    for (std::uint32_t seen; (seen = value.load()) != wanted;) sleep_while(seen);
  }
  void set(std::uint32_t to) {
    value.store(to);
    wake();
  }
  long wake() { return syscall(SYS_futex, &value, FUTEX_WAKE_PRIVATE, INT_MAX, nullptr, nullptr, 0); }
};

}  // namespace bench
