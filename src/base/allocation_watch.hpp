// The question that is asked before the library takes memory from the system.
#pragma once

#include <new>

namespace tact::base {

// What lets a simulation refuse memory: the watch of a thread is asked about every block, every chunk and whatever else
// the library takes from the system on that thread. A thread that has a watch keeps no spare blocks.
class allocation_watch {
 public:
  [[nodiscard]] virtual bool permits_allocation() noexcept = 0;

 protected:
  ~allocation_watch() = default;
};

// The watch of the calling thread.
class watch_of_thread {
 public:
  // Null: there is none. watch_allocations of blocks.hpp sets it.
  [[nodiscard]] static allocation_watch* current() noexcept { return current_; }

 private:
  friend void watch_allocations(allocation_watch* by) noexcept;
  [[gnu::tls_model("initial-exec")]] static constinit thread_local allocation_watch* current_;
};

[[nodiscard]] inline bool may_allocate() noexcept {
  auto* const watch = watch_of_thread::current();
  return watch == nullptr || watch->permits_allocation();
}
// Asks the watch also about memory from operator new. The library calls it before it takes such memory where it can
// report a refusal. Throws std::bad_alloc when the answer is no.
inline void look_for_memory() {
  if (!may_allocate()) throw std::bad_alloc();
}

}  // namespace tact::base
