// The thread-local objects of a thread of the operating system, lent to a thread of the model.
#pragma once

#include <semaphore.h>

#include <cstdint>
#include <thread>

namespace tact::modelled {

// All threads of a model run on one thread of the system, each on a stack of its own. But each must have thread-local
// objects of its own too, those of the C++ runtime and of malloc among them. So for each there is a thread of the
// system that does nothing but own such objects, and the one that runs uses them, by the register that says where they
// lie. Thread safety: one thread.
class lent_thread {
 public:
  // Those of the calling thread.
  [[nodiscard]] static std::uintptr_t of_this_thread() noexcept;
  // From now on the calling thread has these. Code between two calls must not keep an address of such an object.
  static void use(std::uintptr_t objects) noexcept;

  lent_thread();
  ~lent_thread();  // destroys the objects. REQUIRES: no thread uses them
  [[nodiscard]] std::uintptr_t objects() const noexcept { return objects_; }

 private:
  std::uintptr_t objects_ = 0;
  // Semaphores of the system: what the owner calls must not be told to the model.
  sem_t is_there_;
  sem_t may_end_;
  std::thread owner_;
};

}  // namespace tact::modelled
