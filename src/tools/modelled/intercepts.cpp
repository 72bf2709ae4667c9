// What a program in a model calls in libraries that are not compiled for it: the linker leads these calls here
// (--wrap, see src/tools/meson.build). Outside of a model they do what they always do.
#include <pthread.h>
#include <sched.h>
#include <sys/mman.h>
#include <time.h>

#include <chrono>
#include <condition_variable>
#include <cstddef>
#include <cstdint>
#include <cstdlib>
#include <cstring>
#include <memory>
#include <mutex>
#include <new>
#include <string>
#include <thread>
#include <utility>

#include "tact/detail/deadline.hpp"
#include "tools/modelled/own_memory.hpp"
#include "tools/modelled/running.hpp"
#include "tools/modelled/touch.hpp"
#include "tools/modelled/world.hpp"

#define TACT_PLACE reinterpret_cast<std::uintptr_t>(__builtin_return_address(0))

namespace tact::modelled {
namespace {

std::int64_t ns_of(const timespec& t) noexcept {
  return detail::sum_ns(detail::whole_ns(std::chrono::seconds(t.tv_sec)), t.tv_nsec);
}
sync::deadline deadline_of(const timespec& t) { return detail::deadline_after({}, ns_of(t)); }

// A block is written where malloc keeps its size, and where it is used first.
void* note_allocated(void* block, std::uintptr_t place) noexcept {
  if (here.is_active && block != nullptr) {
    world::current()->spend_on_allocation();
    touch_write(block, 1, place);
  }
  return block;
}
void note_freed(void* block, std::uintptr_t place) noexcept {
  if (!here.is_active || block == nullptr) return;
  world::current()->spend_on_allocation();
  touch_write(block, 1, place);
}

constexpr std::align_val_t page_alignment{4096};

// What std::thread keeps for a thread of the model: its number, beside what no address has.
constexpr std::uintptr_t of_model = std::uintptr_t{1} << 62;

void keep_number(std::thread& t, std::uintptr_t number) noexcept {
  static_assert(sizeof(std::thread) == sizeof number);
  std::memcpy(static_cast<void*>(&t), &number, sizeof number);
}
std::uintptr_t number_in(const std::thread& t) noexcept {
  std::uintptr_t number;
  std::memcpy(&number, static_cast<const void*>(&t), sizeof number);
  return number;
}

bool wait_at(pthread_cond_t* condition, pthread_mutex_t* mutex, sync::deadline until, std::uintptr_t place) {
  world& w = *world::current();
  w.mutexes().unlock(mutex);
  const bool in_time = w.sleep(condition, until);
  w.mutexes().lock(mutex, place);
  return in_time;
}

}  // namespace
}  // namespace tact::modelled

using tact::modelled::here;
using tact::modelled::note_allocated;
using tact::modelled::note_freed;
using tact::modelled::ns_of;
using tact::modelled::world;

extern "C" {

// -- memory

void* __real_malloc(std::size_t bytes);
void* __wrap_malloc(std::size_t bytes) { return note_allocated(__real_malloc(bytes), TACT_PLACE); }
void __real_free(void* block);
void __wrap_free(void* block) {
  note_freed(block, TACT_PLACE);
  __real_free(block);
}

#define TACT_NEW(name)                    \
  void* __real_##name(std::size_t bytes); \
  void* __wrap_##name(std::size_t bytes) { return note_allocated(__real_##name(bytes), TACT_PLACE); }
#define TACT_DELETE(name)           \
  void __real_##name(void* block);  \
  void __wrap_##name(void* block) { \
    note_freed(block, TACT_PLACE);  \
    __real_##name(block);           \
  }
#define TACT_DELETE_SIZED(name)                        \
  void __real_##name(void* block, std::size_t bytes);  \
  void __wrap_##name(void* block, std::size_t bytes) { \
    note_freed(block, TACT_PLACE);                     \
    __real_##name(block, bytes);                       \
  }
TACT_NEW(_Znwm)
TACT_NEW(_Znam)
TACT_DELETE(_ZdlPv)
TACT_DELETE(_ZdaPv)
TACT_DELETE_SIZED(_ZdlPvm)
TACT_DELETE_SIZED(_ZdaPvm)

// What is aligned to more than a page comes from the system. Within the heap of malloc, the space before it would
// depend on where the system puts the heap, and with that space all later addresses would.
void* __real__ZnwmSt11align_val_t(std::size_t bytes, std::align_val_t alignment);
void* __wrap__ZnwmSt11align_val_t(std::size_t bytes, std::align_val_t alignment) {
  void* const block = alignment > tact::modelled::page_alignment
                          ? tact::modelled::map_aligned(bytes, static_cast<std::size_t>(alignment))
                          : __real__ZnwmSt11align_val_t(bytes, alignment);
  return note_allocated(block, TACT_PLACE);
}
void __real__ZdlPvmSt11align_val_t(void* block, std::size_t bytes, std::align_val_t alignment);
void __wrap__ZdlPvmSt11align_val_t(void* block, std::size_t bytes, std::align_val_t alignment) {
  note_freed(block, TACT_PLACE);
  if (alignment <= tact::modelled::page_alignment) return __real__ZdlPvmSt11align_val_t(block, bytes, alignment);
  if (block != nullptr) ::munmap(block, bytes);
}

// All begin at a multiple of the largest alignment that the library asks for; so it never finds by chance that nothing
// has to be cut off.
void* __real_mmap64(void* at, std::size_t bytes, int protection, int flags, int file, off_t offset);
void* __wrap_mmap64(void* at, std::size_t bytes, int protection, int flags, int file, off_t offset) {
  constexpr std::size_t huge_page = 2 << 20;
  const bool is_plain = at == nullptr && file == -1 && protection == (PROT_READ | PROT_WRITE);
  if (!here.is_active || !is_plain) return __real_mmap64(at, bytes, protection, flags, file, offset);
  const tact::modelled::outside_of_model mine;
  return tact::modelled::map_aligned(bytes, huge_page);
}

void* __real_memcpy(void* to, const void* from, std::size_t bytes);
void* __wrap_memcpy(void* to, const void* from, std::size_t bytes) {
  tact::modelled::touch_read(from, bytes, TACT_PLACE);
  tact::modelled::touch_write(to, bytes, TACT_PLACE);
  return __real_memcpy(to, from, bytes);
}
void* __real_memmove(void* to, const void* from, std::size_t bytes);
void* __wrap_memmove(void* to, const void* from, std::size_t bytes) {
  tact::modelled::touch_read(from, bytes, TACT_PLACE);
  tact::modelled::touch_write(to, bytes, TACT_PLACE);
  return __real_memmove(to, from, bytes);
}
void* __real_memset(void* to, int value, std::size_t bytes);
void* __wrap_memset(void* to, int value, std::size_t bytes) {
  tact::modelled::touch_write(to, bytes, TACT_PLACE);
  return __real_memset(to, value, bytes);
}

// -- mutexes

int __real_pthread_mutex_lock(pthread_mutex_t* m);
int __wrap_pthread_mutex_lock(pthread_mutex_t* m) {
  if (!here.is_active) return __real_pthread_mutex_lock(m);
  world::current()->mutexes().lock(m, TACT_PLACE);
  return 0;
}
int __real_pthread_mutex_trylock(pthread_mutex_t* m);
int __wrap_pthread_mutex_trylock(pthread_mutex_t* m) {
  if (!here.is_active) return __real_pthread_mutex_trylock(m);
  return world::current()->mutexes().try_lock(m, TACT_PLACE) ? 0 : EBUSY;
}
int __real_pthread_mutex_unlock(pthread_mutex_t* m);
int __wrap_pthread_mutex_unlock(pthread_mutex_t* m) {
  if (!here.is_active) return __real_pthread_mutex_unlock(m);
  world::current()->mutexes().unlock(m);
  return 0;
}
int __real_pthread_cond_clockwait(pthread_cond_t* c, pthread_mutex_t* m, clockid_t clock, const timespec* until);
int __wrap_pthread_cond_clockwait(pthread_cond_t* c, pthread_mutex_t* m, clockid_t clock, const timespec* until) {
  if (!here.is_active) return __real_pthread_cond_clockwait(c, m, clock, until);
  return tact::modelled::wait_at(c, m, tact::modelled::deadline_of(*until), TACT_PLACE) ? 0 : ETIMEDOUT;
}
int __real_pthread_cond_timedwait(pthread_cond_t* c, pthread_mutex_t* m, const timespec* until);
int __wrap_pthread_cond_timedwait(pthread_cond_t* c, pthread_mutex_t* m, const timespec* until) {
  if (!here.is_active) return __real_pthread_cond_timedwait(c, m, until);
  return tact::modelled::wait_at(c, m, tact::modelled::deadline_of(*until), TACT_PLACE) ? 0 : ETIMEDOUT;
}
// std::condition_variable: wait, notify_one, notify_all.
void __real__ZNSt18condition_variable4waitERSt11unique_lockISt5mutexE(std::condition_variable*,
                                                                      std::unique_lock<std::mutex>&);
void __wrap__ZNSt18condition_variable4waitERSt11unique_lockISt5mutexE(std::condition_variable* c,
                                                                      std::unique_lock<std::mutex>& l) {
  if (!here.is_active) return __real__ZNSt18condition_variable4waitERSt11unique_lockISt5mutexE(c, l);
  tact::modelled::wait_at(c->native_handle(), l.mutex()->native_handle(), {}, TACT_PLACE);
}
void __real__ZNSt18condition_variable10notify_oneEv(std::condition_variable*);
void __wrap__ZNSt18condition_variable10notify_oneEv(std::condition_variable* c) {
  if (!here.is_active) return __real__ZNSt18condition_variable10notify_oneEv(c);
  world::current()->wake(c->native_handle(), 1);
}
void __real__ZNSt18condition_variable10notify_allEv(std::condition_variable*);
void __wrap__ZNSt18condition_variable10notify_allEv(std::condition_variable* c) {
  if (!here.is_active) return __real__ZNSt18condition_variable10notify_allEv(c);
  world::current()->wake(c->native_handle(), 1 << 20);
}

// What std::promise and std::future wait by. The time is that of the one clock or the other: both show the same.
#define TACT_WAIT_FOR_PROMISE(name)                                                                     \
  bool __real_##name(void*, unsigned*, unsigned, bool, std::chrono::seconds, std::chrono::nanoseconds); \
  bool __wrap_##name(void* self, unsigned* at, unsigned value, bool has_limit, std::chrono::seconds s,  \
                     std::chrono::nanoseconds ns) {                                                     \
    if (!here.is_active) return __real_##name(self, at, value, has_limit, s, ns);                       \
    tact::modelled::touch_read(at, sizeof *at, TACT_PLACE);                                             \
    if (__atomic_load_n(at, __ATOMIC_SEQ_CST) != value) return true;                                    \
    if (!has_limit) return world::current()->sleep(at, {});                                             \
    return world::current()->sleep(at, tact::sync::time_point(s + ns));                                 \
  }
TACT_WAIT_FOR_PROMISE(
    _ZNSt28__atomic_futex_unsigned_base19_M_futex_wait_untilEPjjbNSt6chrono8durationIlSt5ratioILl1ELl1EEEENS2_IlS3_ILl1ELl1000000000EEEE)
TACT_WAIT_FOR_PROMISE(
    _ZNSt28__atomic_futex_unsigned_base26_M_futex_wait_until_steadyEPjjbNSt6chrono8durationIlSt5ratioILl1ELl1EEEENS2_IlS3_ILl1ELl1000000000EEEE)
void __real__ZNSt28__atomic_futex_unsigned_base19_M_futex_notify_allEPj(unsigned* at);
void __wrap__ZNSt28__atomic_futex_unsigned_base19_M_futex_notify_allEPj(unsigned* at) {
  if (!here.is_active) return __real__ZNSt28__atomic_futex_unsigned_base19_M_futex_notify_allEPj(at);
  world::current()->wake(at, 1 << 20);
}

// While one thread makes a static object no other thread goes on: those that need it would wait outside of the model.
int __real___cxa_guard_acquire(void* guard);
int __wrap___cxa_guard_acquire(void* guard) {
  const int makes = __real___cxa_guard_acquire(guard);
  if (makes != 0 && here.is_active) ++here.makes_static;
  return makes;
}
void __real___cxa_guard_release(void* guard);
void __wrap___cxa_guard_release(void* guard) {
  if (here.is_active) --here.makes_static;
  __real___cxa_guard_release(guard);
}
void __real___cxa_guard_abort(void* guard);
void __wrap___cxa_guard_abort(void* guard) {
  if (here.is_active) --here.makes_static;
  __real___cxa_guard_abort(guard);
}

// -- threads

void __real__ZNSt6thread15_M_start_threadESt10unique_ptrINS_6_StateESt14default_deleteIS1_EEPFvvE(
    std::thread*, std::unique_ptr<std::thread::_State>, void (*)());
void __wrap__ZNSt6thread15_M_start_threadESt10unique_ptrINS_6_StateESt14default_deleteIS1_EEPFvvE(
    std::thread* self, std::unique_ptr<std::thread::_State> state, void (*depends)()) {
  if (!here.is_active)
    return __real__ZNSt6thread15_M_start_threadESt10unique_ptrINS_6_StateESt14default_deleteIS1_EEPFvvE(
        self, std::move(state), depends);
  const auto kept = std::make_shared<std::unique_ptr<std::thread::_State>>(std::move(state));
  const unsigned number = world::current()->start("thread of the program", [kept] {
    (*kept)->_M_run();
    kept->reset();
  });
  tact::modelled::keep_number(*self, tact::modelled::of_model | number);
}
void __real__ZNSt6thread4joinEv(std::thread*);
void __wrap__ZNSt6thread4joinEv(std::thread* self) {
  const std::uintptr_t number = tact::modelled::number_in(*self);
  if ((number & tact::modelled::of_model) == 0) return __real__ZNSt6thread4joinEv(self);
  world::current()->join(static_cast<unsigned>(number));
  tact::modelled::keep_number(*self, 0);
}
void __real__ZNSt6thread6detachEv(std::thread*);
void __wrap__ZNSt6thread6detachEv(std::thread* self) {
  if ((tact::modelled::number_in(*self) & tact::modelled::of_model) == 0) return __real__ZNSt6thread6detachEv(self);
  tact::modelled::keep_number(*self, 0);
}
int __real_sched_yield();
int __wrap_sched_yield() {
  if (!here.is_active) return __real_sched_yield();
  world::current()->give_way();
  return 0;
}

// -- time

std::chrono::steady_clock::time_point __real__ZNSt6chrono3_V212steady_clock3nowEv();
std::chrono::steady_clock::time_point __wrap__ZNSt6chrono3_V212steady_clock3nowEv() {
  return here.is_active ? world::current()->now() : __real__ZNSt6chrono3_V212steady_clock3nowEv();
}
std::chrono::system_clock::time_point __real__ZNSt6chrono3_V212system_clock3nowEv();
std::chrono::system_clock::time_point __wrap__ZNSt6chrono3_V212system_clock3nowEv() {
  if (!here.is_active) return __real__ZNSt6chrono3_V212system_clock3nowEv();
  return std::chrono::system_clock::time_point(world::current()->now().time_since_epoch());
}
int __real_clock_gettime(clockid_t clock, timespec* to);
int __wrap_clock_gettime(clockid_t clock, timespec* to) {
  if (!here.is_active) return __real_clock_gettime(clock, to);
  const auto since =
      clock == CLOCK_PROCESS_CPUTIME_ID
          ? std::chrono::nanoseconds(static_cast<std::int64_t>(world::current()->measurement().busy_seconds() * 1e9))
          : std::chrono::nanoseconds(world::current()->now().time_since_epoch());
  to->tv_sec = static_cast<time_t>(since.count() / 1'000'000'000);
  to->tv_nsec = static_cast<long>(since.count() % 1'000'000'000);
  return 0;
}
int __real_nanosleep(const timespec* time, timespec* left);
int __wrap_nanosleep(const timespec* time, timespec* left) {
  if (!here.is_active) return __real_nanosleep(time, left);
  static_cast<void>(
      world::current()->sleep(&here, tact::detail::deadline_after(world::current()->now(), ns_of(*time))));
  return 0;
}

// -- the program

[[noreturn]] void __real_exit(int status);
[[noreturn]] void __wrap_exit(int status) {
  here.is_active = false;
  __real_exit(status);
}

}  // extern "C"
