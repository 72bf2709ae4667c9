// The handler of faults. It, and all that it calls, may run at any instruction of a thread.
#include "fiber/faults.hpp"

#include <dlfcn.h>
#include <link.h>
#include <sys/mman.h>

#include <cerrno>
#include <csignal>
#include <cstddef>

#include "base/sanitized.hpp"

// Weak: a program that is linked without shared libraries needs none of them.
#pragma weak dlopen
#pragma weak dlclose
#pragma weak dladdr1

namespace tact::fiber {
namespace {

// Neither the witness nor the kinds change after the installation.
fault_witness witness = nullptr;
struct kind {
  int signal;
  struct sigaction before;
  void* library = nullptr;  // a hold on the shared library whose handler `before` is
};
kind kinds[] = {{SIGSEGV, {}}, {SIGBUS, {}}, {SIGFPE, {}}, {SIGILL, {}}};

const struct sigaction& before_of(int signal) noexcept {
  for (const kind& k : kinds) {
    if (k.signal == signal) return k.before;
  }
  return kinds[0].before;
}

void go_back_to_default(int signal) noexcept {
  struct sigaction act {};
  act.sa_handler = SIG_DFL;
  ::sigaction(signal, &act, nullptr);
}

// Calls the handler that was there before in the way in which the system would have called it.
void pass_on(int signal, siginfo_t* info, void* context) noexcept {
  const struct sigaction& before = before_of(signal);
  const bool is_fault = info->si_code > 0;  // and no program sent the signal
  const bool is_ignored = (before.sa_flags & SA_SIGINFO) == 0 && before.sa_handler == SIG_IGN;
  const bool is_default = (before.sa_flags & SA_SIGINFO) == 0 && before.sa_handler == SIG_DFL;
  if (is_ignored && !is_fault) return;
  if (is_default || is_ignored) {  // a fault cannot be ignored
    go_back_to_default(signal);
    if (!is_fault) ::raise(signal);
    return;  // to the same instruction, which faults again and ends the program where it is
  }
  if ((before.sa_flags & static_cast<int>(SA_RESETHAND)) != 0) go_back_to_default(signal);
  ::pthread_sigmask(SIG_BLOCK, &before.sa_mask, nullptr);  // until this handler returns
  if ((before.sa_flags & SA_NODEFER) != 0) {
    sigset_t own;
    ::sigemptyset(&own);
    ::sigaddset(&own, signal);
    ::pthread_sigmask(SIG_UNBLOCK, &own, nullptr);
  }
  (before.sa_flags & SA_SIGINFO) != 0 ? before.sa_sigaction(signal, info, context) : before.sa_handler(signal);
}

void on_fault(int signal, siginfo_t* info, void* context) {
  const int error = errno;
  if (info->si_code > 0) witness(signal, info->si_addr);
  pass_on(signal, info, context);
  errno = error;
}

// The name of the shared library in which that code lies; null: it lies in the program itself, or is of no file.
const char* library_of(const void* code) noexcept {
  Dl_info found{};
  link_map* map = nullptr;
  if (&::dladdr1 == nullptr || ::dladdr1(code, &found, reinterpret_cast<void**>(&map), RTLD_DL_LINKMAP) == 0)
    return nullptr;
  return map->l_name[0] == '\0' ? nullptr : map->l_name;
}

// Holds the shared library whose handler this is, so that it stays while this one may call the handler.
void* hold_library_of(const struct sigaction& act) noexcept {
  if (&::dlopen == nullptr || act.sa_handler == SIG_DFL || act.sa_handler == SIG_IGN) return nullptr;
  const char* const name = library_of(reinterpret_cast<const void*>(act.sa_handler));
  return name == nullptr ? nullptr : ::dlopen(name, RTLD_NOLOAD | RTLD_LAZY);
}

// The handlers, as long as this code is loaded. They go with a plug-in that has its own copy of this library and is
// unloaded. In a program they stay to the very end.
class installation {
 public:
  explicit installation(fault_witness w) noexcept {
    witness = w;
    struct sigaction act {};
    act.sa_sigaction = &on_fault;
    act.sa_flags = SA_SIGINFO | SA_ONSTACK;
    ::sigemptyset(&act.sa_mask);
    for (kind& k : kinds) {
      struct sigaction replaced {};  // another one than before, if another copy installed its handler just now
      if (::sigaction(k.signal, nullptr, &k.before) != 0 || ::sigaction(k.signal, &act, &replaced) != 0) return;
      k.before = replaced;
      k.library = hold_library_of(replaced);
    }
    is_complete_ = true;
  }
  // Takes back the handlers that are still those of this copy. A copy that installed its own later holds this library:
  // then this destructor is called when that one has gone.
  ~installation() {
    if (library_of(reinterpret_cast<const void*>(&on_fault)) == nullptr) return;
    for (kind& k : kinds) {
      struct sigaction now {};
      const bool is_own = ::sigaction(k.signal, nullptr, &now) == 0 && (now.sa_flags & SA_SIGINFO) != 0 &&
                          now.sa_sigaction == &on_fault;
      if (!is_own) continue;
      ::sigaction(k.signal, &k.before, nullptr);
      if (k.library != nullptr) ::dlclose(k.library);
    }
  }
  installation(const installation&) = delete;
  installation& operator=(const installation&) = delete;
  [[nodiscard]] bool is_complete() const noexcept { return is_complete_; }

 private:
  bool is_complete_ = false;
};

// A thread's second stack, for handlers of signals. After an overflow the stack of a lane has no room for a handler.
class signal_stack {
 public:
  signal_stack() noexcept {
    stack_t now{};
    if (::sigaltstack(nullptr, &now) != 0 || (now.ss_flags & SS_DISABLE) == 0) return;
    void* const mapped =
        ::mmap(nullptr, bytes, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS | MAP_NORESERVE, -1, 0);
    if (mapped == MAP_FAILED) return;  // then an overflow ends the program without an explanation
    memory_ = mapped;
    stack_t own{};
    own.ss_sp = mapped;
    own.ss_size = bytes;
    ::sigaltstack(&own, nullptr);
  }
  ~signal_stack() {
    if (memory_ == nullptr) return;
    stack_t now{};
    if (::sigaltstack(nullptr, &now) == 0 && now.ss_sp == memory_) {
      now.ss_flags = SS_DISABLE;
      ::sigaltstack(&now, nullptr);
    }
    ::munmap(memory_, bytes);
  }
  signal_stack(const signal_stack&) = delete;
  signal_stack& operator=(const signal_stack&) = delete;

 private:
  static constexpr std::size_t bytes = 64 * 1024;  // enough for a user's handler too
  void* memory_ = nullptr;
};

}  // namespace

void watch_faults(fault_witness w) noexcept {
  if constexpr (base::under_asan || base::under_tsan) return;
  static const installation handlers(w);
  if (!handlers.is_complete()) return;
  static thread_local const signal_stack own;
}

}  // namespace tact::fiber
