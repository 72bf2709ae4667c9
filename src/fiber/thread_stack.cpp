#include "fiber/thread_stack.hpp"

#include <pthread.h>

namespace tact::fiber {

thread_stack thread_stack::of_this_thread() noexcept {
  pthread_attr_t how;
  if (::pthread_getattr_np(::pthread_self(), &how) != 0) return {};
  thread_stack s;
  void* bottom = nullptr;
  if (::pthread_attr_getstack(&how, &bottom, &s.bytes) == 0 && ::pthread_attr_getguardsize(&how, &s.guard_bytes) == 0) {
    s.bottom = static_cast<const std::byte*>(bottom);
  }
  ::pthread_attr_destroy(&how);
  return s;
}

}  // namespace tact::fiber
