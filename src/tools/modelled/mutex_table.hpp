// The mutexes of a program in a model.
#pragma once

#include <cstdint>
#include <deque>
#include <unordered_map>

#include "tools/modelled/scheduler.hpp"

namespace tact::modelled {

// Knows the mutexes that are locked, by their addresses. As with those of glibc, a thread that is woken has to take the
// mutex like any other, which may come first. If `unlock` gave it the mutex, each section would take as long as to wake
// a thread, once threads have begun to wait. Invariant: each thread that waits for a mutex sleeps until it is woken
// here. Thread safety: the real thread.
class mutex_table {
 public:
  explicit mutex_table(scheduler& of) noexcept : scheduler_(of) {}

  // `place`: of the code.
  void lock(const void* mutex, std::uintptr_t place);
  [[nodiscard]] bool try_lock(const void* mutex, std::uintptr_t place);
  void unlock(const void* mutex);

 private:
  static constexpr unsigned nobody = processing_units::nobody;

  struct mutex_state {
    unsigned owner = nobody;
    std::deque<unsigned> waiting;
  };

  scheduler& scheduler_;
  std::unordered_map<const void*, mutex_state> mutexes_;
};

}  // namespace tact::modelled
