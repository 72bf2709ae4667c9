#include "sync/caught_signals.hpp"

#include <fcntl.h>
#include <poll.h>
#include <unistd.h>

#include <cerrno>
#include <string>
#include <system_error>

#include "sync/policy.hpp"
#include "tact/failure.hpp"

namespace tact::sync {

namespace {

// The pipe through which the handler tells the thread that waits. It is made once and never closed, because a handler
// that began on another thread may still write when nothing catches signals any more.
class told_pipe {
 public:
  explicit told_pipe(const char* call) {
    if (::pipe2(ends_, O_CLOEXEC | O_NONBLOCK) != 0)
      throw std::system_error(errno, std::generic_category(), std::string(call) + ": no pipe");
  }
  // Safe in a handler of signals. A pipe that is full has told enough.
  void tell(char byte) const noexcept { static_cast<void>(!::write(ends_[1], &byte, 1)); }
  [[nodiscard]] char hear() const noexcept {
    for (char byte = 0;;) {
      if (::read(ends_[0], &byte, 1) == 1) return byte;
      pollfd readable{ends_[0], POLLIN, 0};
      ::poll(&readable, 1, -1);
    }
  }
  // What was told to an earlier wait.
  void forget() const noexcept {
    for (char byte = 0; ::read(ends_[0], &byte, 1) == 1;) {
    }
  }

 private:
  int ends_[2]{};
};

// Null until the first wait.
atomic<const told_pipe*> pipe{nullptr};
atomic<bool> is_waited{false};

extern "C" void tell_of_signal(int number) {
  const int saved = errno;
  if (const told_pipe* const to = pipe.load()) to->tell(static_cast<char>(number));
  errno = saved;
}

}  // namespace

caught_signals::caught_signals(const char* call) {
  if (is_waited.exchange(true))
    throw usage_error(
        std::string(call) +
        ": another engine of this process runs until a signal comes already; let one thread wait, and end "
        "the other engines when it returns");
  try {
    if (pipe.load() == nullptr) pipe.store(new told_pipe(call));
  } catch (...) {
    is_waited.store(false);
    throw;
  }
  pipe.load()->forget();
  struct sigaction catching {};
  catching.sa_handler = &tell_of_signal;
  catching.sa_flags = SA_RESTART;
  for (std::size_t i = 0; i < numbers.size(); ++i) ::sigaction(numbers[i], &catching, &before_[i]);
  catches_ = true;
  let_through();
}

// A process inherits the mask of the one that started it, also by exec. A signal that every thread blocks would wait
// for ever; one thread that takes it is enough.
void caught_signals::let_through() noexcept {
  sigset_t all;
  ::sigemptyset(&all);
  for (const int n : numbers) ::sigaddset(&all, n);
  ::pthread_sigmask(SIG_UNBLOCK, &all, &mask_before_);
}

caught_signals::~caught_signals() {
  let_go();
  ::pthread_sigmask(SIG_SETMASK, &mask_before_, nullptr);
  is_waited.store(false);
}

int caught_signals::wait() noexcept { return pipe.load()->hear(); }

void caught_signals::stop_waiting() noexcept { pipe.load()->tell(0); }

void caught_signals::let_go() noexcept {
  if (!catches_) return;
  for (std::size_t i = 0; i < numbers.size(); ++i) ::sigaction(numbers[i], &before_[i], nullptr);
  catches_ = false;
}

}  // namespace tact::sync
