// The real policy: on Linux the kernel's futex, elsewhere a table of condition variables; and the processor's pause.
#include "sync/policy.hpp"

#if defined(__linux__) && !defined(TACT_PORTABLE_FUTEX)
#define TACT_FUTEX 1
#include <linux/futex.h>
#include <linux/membarrier.h>
#include <sys/syscall.h>
#include <time.h>
#include <unistd.h>

#include <algorithm>
#include <cerrno>
#else
#include <array>
#include <condition_variable>
#include <cstddef>
#endif

namespace tact::sync {

namespace {

// Looked at before each sleep: the kernel takes tens of microseconds to say so of a deadline that has passed.
bool is_over(const deadline& until) noexcept { return until && *until <= std::chrono::steady_clock::now(); }

}  // namespace

void real::pause() noexcept {
  if (system* const s = system::current()) return s->give_way();
#if defined(__x86_64__) || defined(__i386__)
  __builtin_ia32_pause();
#elif defined(__aarch64__) || defined(__arm__)
  asm volatile("yield");
#endif
}

#if defined(TACT_FUTEX)

namespace {

static_assert(sizeof(real::atomic<std::uint32_t>) == sizeof(std::uint32_t), "a futex word is four bytes");
static_assert(real::atomic<std::uint32_t>::is_always_lock_free);

// steady_clock counts CLOCK_MONOTONIC, against which FUTEX_WAIT_BITSET measures its absolute deadline.
timespec to_timespec(std::chrono::steady_clock::time_point until) noexcept {
  using namespace std::chrono;
  const auto since_boot = std::max(until.time_since_epoch(), steady_clock::duration::zero());
  const auto whole_s = duration_cast<seconds>(since_boot);
  timespec t{};
  t.tv_sec = static_cast<time_t>(whole_s.count());
  t.tv_nsec = static_cast<long>(duration_cast<nanoseconds>(since_boot - whole_s).count());
  return t;
}

}  // namespace

bool real::futex_wait(const atomic<std::uint32_t>& word, std::uint32_t expected, deadline until) noexcept {
  // The kernel compares and enqueues in one step. So do a simulation and a model.
  if (system* const s = system::current()) return s->sleep_if(word, expected, until);
  if (is_over(until)) return false;
  timespec limit{};
  if (until) limit = to_timespec(*until);
  const long result = ::syscall(SYS_futex, &word, FUTEX_WAIT_BITSET | FUTEX_PRIVATE_FLAG, expected,
                                until ? &limit : nullptr, nullptr, FUTEX_BITSET_MATCH_ANY);
  return result == 0 || errno != ETIMEDOUT;
}

void real::futex_wake(const atomic<std::uint32_t>& word, int threads) noexcept {
  // The word is not read: it may be gone by now (see wait_word.hpp). A thread that sleeps at its address looks again
  // when it wakes.
  if (system* const s = system::current()) return s->wake(&word, threads);
  ::syscall(SYS_futex, &word, FUTEX_WAKE | FUTEX_PRIVATE_FLAG, threads);
}

namespace {

bool is_registered() noexcept {
  static const bool is = ::syscall(SYS_membarrier, MEMBARRIER_CMD_REGISTER_PRIVATE_EXPEDITED, 0, 0) == 0;
  return is;
}

// In a process that has several threads the kernel takes some ten milliseconds to register it, and the thread that asks
// stands still for as long. So this is done when the library is loaded: mostly there is one thread then, and it is done
// at once.
[[maybe_unused]] const bool registered_at_load = is_registered();

}  // namespace

bool real::barrier_for_all() noexcept {
  if (system* const s = system::current()) {  // all its threads are one real thread
    s->barrier_for_all();
    return true;
  }
  return is_registered() && ::syscall(SYS_membarrier, MEMBARRIER_CMD_PRIVATE_EXPEDITED, 0, 0) == 0;
}

#else

namespace {

struct bucket {
  std::mutex mutex;
  std::condition_variable woken;
};

// Words share buckets by their addresses: a sleeper may be woken by a notify for another word, which its caller
// tolerates.
bucket& bucket_of(const real::atomic<std::uint32_t>& word) noexcept {
  static std::array<bucket, 64> buckets;
  return buckets[reinterpret_cast<std::uintptr_t>(&word) / alignof(std::max_align_t) % buckets.size()];
}

}  // namespace

bool real::futex_wait(const atomic<std::uint32_t>& word, std::uint32_t expected, deadline until) noexcept {
  if (system* const s = system::current()) return s->sleep_if(word, expected, until);
  if (is_over(until)) return false;
  bucket& b = bucket_of(word);
  std::unique_lock lock(b.mutex);
  if (word.load() != expected) return true;
  if (until) return b.woken.wait_until(lock, *until) == std::cv_status::no_timeout;
  b.woken.wait(lock);
  return true;
}

void real::futex_wake(const atomic<std::uint32_t>& word, int threads) noexcept {
  if (system* const s = system::current()) return s->wake(&word, threads);
  bucket& b = bucket_of(word);
  const std::lock_guard lock(b.mutex);  // a waiter that has compared the word is asleep by now
  b.woken.notify_all();
}

bool real::barrier_for_all() noexcept {
  system* const s = system::current();
  if (s != nullptr) s->barrier_for_all();
  return s != nullptr;
}

#endif

}  // namespace tact::sync
