// The handler here runs at any instruction of a thread: it may not allocate, lock, or look up a name.
#include "inspect/stack_request.hpp"

#include <dlfcn.h>
#include <link.h>
#include <pthread.h>
#include <semaphore.h>
#include <sys/syscall.h>
#include <ucontext.h>
#include <unistd.h>

#include <algorithm>
#include <cerrno>
#include <chrono>
#include <cstddef>
#include <cstdint>
#include <mutex>
#include <new>
#include <string>

#include <boost/stacktrace/safe_dump_to.hpp>

#include "inspect/stack_slot.hpp"
#include "sync/policy.hpp"

// Weak: a program that is linked without shared libraries needs it not.
#pragma weak dlopen

namespace tact::inspect {

namespace {

using std::chrono::nanoseconds;
using clock = std::chrono::steady_clock;

constexpr std::size_t frames_max = 128;
// A thread that ends sends nothing. So who waits looks now and then whether it has.
constexpr auto looks_after = std::chrono::milliseconds(5);

// -- what the asked thread writes

// All of it lives as long as the process, because a signal may come late.
stack_slot<sync::real> slot;
// Written between slot.begin and slot.written. The last word is the zero of Boost. The frames of the handler come
// first.
constexpr std::size_t own_frames_max = 8;
std::array<const void*, own_frames_max + frames_max + 1> frames;
std::size_t frame_count = 0;
const void* interrupted = nullptr;  // where the signal came; null: not known on this processor
sem_t shown;                        // one for each stack that was written

const void* interrupted_at([[maybe_unused]] const void* context) noexcept {
#if defined(__x86_64__)
  const auto* const at = static_cast<const ucontext_t*>(context);
  return at == nullptr ? nullptr : reinterpret_cast<const void*>(at->uc_mcontext.gregs[REG_RIP]);
#elif defined(__aarch64__)
  const auto* const at = static_cast<const ucontext_t*>(context);
  return at == nullptr ? nullptr : reinterpret_cast<const void*>(at->uc_mcontext.pc);
#else
  return nullptr;
#endif
}

std::uint32_t this_thread() noexcept { return static_cast<std::uint32_t>(::syscall(SYS_gettid)); }

void show_stack(const void* context) noexcept {
  const std::uint32_t me = this_thread();
  if (!slot.begin(me)) return;
  interrupted = interrupted_at(context);
  const std::size_t words = boost::stacktrace::safe_dump_to(frames.data(), sizeof frames);
  frame_count = words == 0 ? 0 : words - 1;
  slot.written(me);
  ::sem_post(&shown);
}

// -- the handler

struct place {
  struct sigaction before {};  // written before the handler is installed
  bool was_installed = false;  // guarded by `asking`
};
std::array<place, NSIG> places;

constexpr char mark = 0;  // its address comes with each signal that is sent here
bool is_own(const siginfo_t& info) noexcept { return info.si_code == SI_QUEUE && info.si_value.sival_ptr == &mark; }

bool is_ignored_by_default(int signal) noexcept {
  return signal == SIGURG || signal == SIGCHLD || signal == SIGWINCH || signal == SIGCONT;
}
bool is_function(const struct sigaction& a) noexcept {
  return (a.sa_flags & SA_SIGINFO) != 0 || (a.sa_handler != SIG_DFL && a.sa_handler != SIG_IGN);
}

// Calls what was there before; its flags and its mask are those of this handler.
void pass_on(int signal, siginfo_t* info, void* context) noexcept {
  const struct sigaction& before = places[static_cast<std::size_t>(signal)].before;
  if ((before.sa_flags & SA_SIGINFO) != 0) return before.sa_sigaction(signal, info, context);
  if (is_function(before)) return before.sa_handler(signal);
  if (before.sa_handler == SIG_IGN || is_ignored_by_default(signal)) return;
  ::sigaction(signal, &before, nullptr);
  static_cast<void>(::raise(signal));  // it does what it always does when this handler has returned
}

extern "C" void hear_request(int signal, siginfo_t* info, void* context) {
  const int saved = errno;
  show_stack(context);
  if (!is_own(*info)) pass_on(signal, info, context);
  errno = saved;
}

// -- the thread that asks

std::mutex& asking() noexcept {
  static std::mutex only;
  return only;
}

// A plug-in may have its own copy of this code. The handler stays behind, so the plug-in must.
void stay_loaded() noexcept {
  Dl_info found{};
  link_map* map = nullptr;
  const void* const here = reinterpret_cast<const void*>(&hear_request);
  if (&::dlopen == nullptr) return;
  if (::dladdr1(here, &found, reinterpret_cast<void**>(&map), RTLD_DL_LINKMAP) == 0 || map->l_name[0] == '\0') return;
  static_cast<void>(::dlopen(map->l_name, RTLD_LAZY | RTLD_NOLOAD | RTLD_NODELETE));
}

// A forked process has only the thread that forked, which asks for nothing at the moment. What the others were at will
// not go on there.
void begin_anew_in_child() noexcept {
  slot.begin_anew();
  ::new (&asking()) std::mutex;
}

// The first walk over a stack reads tables, and the first call of each function of a shared library looks it up. So one
// is done here, where locks may be taken.
bool prepare() noexcept {
  ::sem_init(&shown, 0, 0);
  stay_loaded();
  ::pthread_atfork(nullptr, nullptr, &begin_anew_in_child);
  if (slot.ask(this_thread())) {
    show_stack(nullptr);
    slot.let_go();
  }
  return true;
}

// False: the program has installed another handler since, which may call this one.
bool install(int signal) {
  place& here = places[static_cast<std::size_t>(signal)];
  struct sigaction now {};
  if (::sigaction(signal, nullptr, &now) != 0) {
    throw option_error("stack_options.signal = " + std::to_string(signal) +
                       ": the system has it for itself; give one such as SIGURG or SIGRTMIN");
  }
  if ((now.sa_flags & SA_SIGINFO) != 0 && now.sa_sigaction == &hear_request) return true;
  if (here.was_installed && is_function(now)) return false;
  here.before = now;
  here.was_installed = true;
  // What the handler before did not want to be restarted is not restarted.
  struct sigaction own = now;
  own.sa_sigaction = &hear_request;
  own.sa_flags = SA_SIGINFO | SA_ONSTACK | (is_function(now) ? now.sa_flags & (SA_RESTART | SA_NODEFER) : SA_RESTART);
  if (::sigaction(signal, &own, nullptr) == 0) return true;
  throw option_error("stack_options.signal = " + std::to_string(signal) +
                     ": the system takes no handler for it; give one such as SIGURG or SIGRTMIN");
}

bool is_there(int thread) noexcept { return ::syscall(SYS_tgkill, ::getpid(), thread, 0) == 0 || errno != ESRCH; }

// False: errno says why not.
bool send(int thread, int signal) noexcept {
  siginfo_t info{};
  info.si_signo = signal;
  info.si_code = SI_QUEUE;
  info.si_pid = ::getpid();
  info.si_uid = ::getuid();
  info.si_value.sival_ptr = const_cast<char*>(&mark);
  return ::syscall(SYS_rt_tgsigqueueinfo, ::getpid(), thread, signal, &info) == 0;
}

// Waits until `is_so`, or `until`. Returns is_so().
template <class F>
bool wait_until(clock::time_point until, F is_so) noexcept {
  while (!is_so()) {
    const auto now = clock::now();
    if (now >= until) return false;
    const auto next = std::min<clock::time_point>(until, now + looks_after).time_since_epoch();
    const auto whole_s = std::chrono::duration_cast<std::chrono::seconds>(next);
    timespec wakes{};
    wakes.tv_sec = static_cast<time_t>(whole_s.count());
    wakes.tv_nsec = static_cast<long>(nanoseconds(next - whole_s).count());
    static_cast<void>(::sem_clockwait(&shown, CLOCK_MONOTONIC, &wakes));
  }
  return true;
}

clock::time_point end_of(nanoseconds limit) noexcept {
  const auto now = clock::now();
  return limit < clock::time_point::max() - now ? now + limit : clock::time_point::max();
}

// REQUIRES: the slot is written.
std::vector<const void*> read_frames() {
  const auto* const begin = frames.data();
  const auto* const end = begin + frame_count;
  const auto* const first = std::find(begin, end, interrupted);
  const auto* const shown_from = first == end ? begin : first;  // the handler too, rather than nothing
  const std::ptrdiff_t count = std::min<std::ptrdiff_t>(end - shown_from, frames_max);
  return std::vector<const void*>(shown_from, shown_from + count);
}

shown_stack wait_for_stack(int thread, nanoseconds limit) {
  const auto number = static_cast<std::uint32_t>(thread);
  const auto is_over = [&] { return slot.is_written() || !is_there(thread); };
  if (!wait_until(end_of(limit), is_over) || !slot.is_written()) {
    if (slot.withdraw(number)) return {is_there(thread) ? stack_outcome::silent : stack_outcome::ended, {}};
    const bool is_written = wait_until(end_of(limit), [] { return slot.is_written(); });
    if (!is_written && slot.leave(number)) return {stack_outcome::still_writes, {}};
  }
  struct freed {
    ~freed() {
      slot.let_go();
      while (::sem_trywait(&shown) == 0) {
      }
    }
  } const at_end;
  return {stack_outcome::shown, read_frames()};
}

}  // namespace

shown_stack ask_for_stack(int thread, const stack_options& options) {
  if (options.signal == 0) return {stack_outcome::not_asked_for, {}};
  const std::lock_guard one_at_a_time(asking());
  [[maybe_unused]] static const bool is_prepared = prepare();
  if (!install(options.signal)) return {stack_outcome::taken, {}};
  const auto number = static_cast<std::uint32_t>(thread);
  if (!wait_until(end_of(options.limit), [&] { return slot.ask(number); })) return {stack_outcome::still_writes, {}};
  if (!send(thread, options.signal)) {
    const int why = errno;
    if (slot.withdraw(number)) return {why == ESRCH ? stack_outcome::ended : stack_outcome::not_sent, {}};
  }
  return wait_for_stack(thread, options.limit);
}

}  // namespace tact::inspect
