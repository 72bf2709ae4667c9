#include "sync/caught_signals.hpp"

#include <fcntl.h>
#include <unistd.h>

#include <cerrno>
#include <string>
#include <system_error>

#include "sync/policy.hpp"
#include "tact/failure.hpp"

namespace tact::sync {

namespace {

// The end of the pipe into which the handler writes; -1 while there is no caught_signals object.
atomic<int> told{-1};

// A handler of signals may call only functions that are safe there; write is one of them.
extern "C" void tell_of_signal(int number) {
  const int saved = errno;
  const auto byte = static_cast<char>(number);
  // A failed write is ignored, because a handler cannot report it.
  if (const int to = told.load(); to >= 0) static_cast<void>(!::write(to, &byte, 1));
  errno = saved;
}

}  // namespace

caught_signals::caught_signals(const char* call) {
  if (told.load() >= 0)
    throw usage_error(
        std::string(call) +
        ": another engine of this process runs until a signal comes already; let one thread wait, and end "
        "the other engines when it returns");
  if (::pipe2(pipe_.data(), O_CLOEXEC) != 0)
    throw std::system_error(errno, std::generic_category(), std::string(call) + ": no pipe");
  told.store(pipe_[1]);
  struct sigaction catching {};
  catching.sa_handler = &tell_of_signal;
  catching.sa_flags = SA_RESTART;
  for (std::size_t i = 0; i < numbers.size(); ++i) ::sigaction(numbers[i], &catching, &before_[i]);
  catches_ = true;
}

caught_signals::~caught_signals() {
  let_go();
  told.store(-1);
  for (const int end : pipe_) ::close(end);
}

int caught_signals::wait() noexcept {
  char byte = 0;
  for (;;) {
    if (::read(pipe_[0], &byte, 1) == 1) return byte;
    if (errno != EINTR) return 0;
  }
}

void caught_signals::stop_waiting() noexcept {
  constexpr char none = 0;
  static_cast<void>(!::write(pipe_[1], &none, 1));
}

void caught_signals::let_go() noexcept {
  if (!catches_) return;
  for (std::size_t i = 0; i < numbers.size(); ++i) ::sigaction(numbers[i], &before_[i], nullptr);
  catches_ = false;
}

}  // namespace tact::sync
