#include "sync/thread.hpp"

#if defined(__linux__)
#include <sched.h>
#include <sys/syscall.h>
#include <unistd.h>
#endif

#include <algorithm>
#include <cerrno>
#include <cstddef>
#include <cstdint>
#include <exception>
#include <memory>
#include <system_error>
#include <utility>

#include "base/stack_guard.hpp"
#include "sync/thread_state.hpp"

namespace tact::sync {
namespace {

using function = std::function<void()>;

// The system takes 15 characters. A longer name loses characters in front of the number at its end, which stays.
std::string short_name(const std::string& name) {
  constexpr std::size_t size_max = 15;
  std::string text = "tact-" + name;
  if (text.size() > size_max)
    text.erase(std::min(text.rfind(' '), size_max) - (text.size() - size_max), text.size() - size_max);
  return text.substr(0, size_max);
}

extern "C" void* run_body(void* body) {
  const std::unique_ptr<function> owned(static_cast<function*>(body));
  (*owned)();
  return nullptr;
}

// Returns what pthread_create does.
int create(pthread_t& made, std::size_t guard_bytes, function& body) noexcept {
  pthread_attr_t how;
  int error = ::pthread_attr_init(&how);
  if (error != 0) return error;
  error = ::pthread_attr_setguardsize(&how, guard_bytes);
  if (error == 0) error = ::pthread_create(&made, &how, &run_body, &body);
  ::pthread_attr_destroy(&how);
  return error;
}

pthread_t create_guarded(function body) {
  auto owned = std::make_unique<function>(std::move(body));
  pthread_t made{};
  const bool is_wide = !base::are_addresses_limited();
  int error = create(made, is_wide ? base::wide_guard_bytes : base::usual_guard_bytes, *owned);
  if (error != 0) error = create(made, base::least_guard_bytes, *owned);
  if (error != 0) throw std::system_error(error, std::generic_category(), "no thread for an engine");
  static_cast<void>(owned.release());  // the thread has it now
  return made;
}

#if defined(__linux__)

constexpr std::uint64_t short_turn_ns = 100'000;  // the shortest that Linux gives

// The beginning of the kernel's sched_attr, as of its first version.
struct scheduling {
  std::uint32_t size = sizeof(scheduling);
  std::uint32_t policy = 0;
  std::uint64_t flags = 0;
  std::int32_t nice = 0;
  std::uint32_t priority = 0;
  std::uint64_t turn_ns = 0;  // for usual threads, since Linux 6.12; before that 0
  std::uint64_t deadline_ns = 0;
  std::uint64_t period_ns = 0;
};
static_assert(sizeof(scheduling) == 48);

#endif

}  // namespace

thread::~thread() {
  if (is_real_) std::terminate();
}

void thread::start(const std::string& name, function body) {
  if (system* const s = system::current()) {
    number_ = s->start(name, std::move(body));
    in_ = s;
    return;
  }
  real_ = create_guarded(std::move(body));
  is_real_ = true;
  ::pthread_setname_np(real_, short_name(name).c_str());
}

void thread::join() noexcept {
  if (in_ != nullptr) {
    std::exchange(in_, nullptr)->join(number_);
  } else if (std::exchange(is_real_, false)) {
    ::pthread_join(real_, nullptr);
  }
}

// Among usual threads Linux runs first the one whose turn would end first, and counts a turn the longer, the less the
// thread is preferred (nice): so a thread that wakes waits for that long at first, whether or not it means to run so
// long. A user may have given threads of the program other wishes: those stay.
void thread::prefer_short_turns() noexcept {
#if defined(__linux__)
  if (system::current() != nullptr) return;
  scheduling now;
  if (::syscall(SYS_sched_getattr, 0, &now, sizeof now, 0) != 0) return;
  if (now.policy != SCHED_OTHER || now.turn_ns <= short_turn_ns) return;
  now.turn_ns = short_turn_ns;
  ::syscall(SYS_sched_setattr, 0, &now, 0);
#endif
}

// The system is asked once in the life of a thread.
int thread::number_in_system() noexcept {
#if defined(__linux__)
  if (system::current() != nullptr) return 0;
  int& kept = thread_state::of_this_thread().number_in_system;
  if (kept == 0) kept = static_cast<int>(::syscall(SYS_gettid));
  return kept;
#else
  return 0;
#endif
}

}  // namespace tact::sync
