#include "tools/modelled/lent_thread.hpp"

#if defined(__x86_64__)
#include <asm/prctl.h>
#include <sys/auxv.h>
#include <sys/syscall.h>
#include <unistd.h>
#elif !defined(__aarch64__)
#error "tact::model knows the register of thread-local objects of x86-64 and of aarch64 only"
#endif

namespace tact::modelled {

std::uintptr_t lent_thread::of_this_thread() noexcept {
  std::uintptr_t objects;
#if defined(__x86_64__)
  asm volatile("mov %%fs:0, %0" : "=r"(objects));  // the first word is the address itself
#else
  asm volatile("mrs %0, tpidr_el0" : "=r"(objects));
#endif
  return objects;
}

void lent_thread::use(std::uintptr_t objects) noexcept {
#if defined(__x86_64__)
  constexpr unsigned long may_write_register = 1 << 1;  // HWCAP2_FSGSBASE: Linux from 5.9 on
  static const bool at_once = (::getauxval(AT_HWCAP2) & may_write_register) != 0;
  if (at_once) {
    asm volatile("wrfsbase %0" : : "r"(objects) : "memory");
  } else {
    ::syscall(SYS_arch_prctl, ARCH_SET_FS, objects);
  }
#else
  asm volatile("msr tpidr_el0, %0" : : "r"(objects) : "memory");
#endif
}

namespace {

void wait(sem_t& s) noexcept {
  while (::sem_wait(&s) != 0) {  // a signal has come
  }
}

}  // namespace

lent_thread::lent_thread() {
  ::sem_init(&is_there_, 0, 0);
  ::sem_init(&may_end_, 0, 0);
  owner_ = std::thread([this] {
    objects_ = of_this_thread();
    ::sem_post(&is_there_);
    wait(may_end_);
  });
  wait(is_there_);
}

lent_thread::~lent_thread() {
  ::sem_post(&may_end_);
  owner_.join();
  ::sem_destroy(&is_there_);
  ::sem_destroy(&may_end_);
}

}  // namespace tact::modelled
