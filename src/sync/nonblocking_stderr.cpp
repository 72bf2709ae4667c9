#include "sync/nonblocking_stderr.hpp"

#include <fcntl.h>
#include <poll.h>
#include <pthread.h>
#include <sys/socket.h>
#include <sys/stat.h>
#include <time.h>
#include <unistd.h>

#include <cerrno>
#include <csignal>

#include "sync/opened_again.hpp"

namespace tact::sync {
namespace {

// While it exists, a write to a pipe without a reader raises no signal in this thread.
class without_sigpipe {
 public:
  without_sigpipe() noexcept {
    ::sigemptyset(&pipe_);
    ::sigaddset(&pipe_, SIGPIPE);
    sigset_t pending;
    ::sigpending(&pending);
    was_pending_ = ::sigismember(&pending, SIGPIPE) == 1;
    ::pthread_sigmask(SIG_BLOCK, &pipe_, &before_);
  }
  ~without_sigpipe() {
    constexpr timespec at_once{};
    if (!was_pending_) {
      while (::sigtimedwait(&pipe_, nullptr, &at_once) == -1 && errno == EINTR) {
      }
    }
    ::pthread_sigmask(SIG_SETMASK, &before_, nullptr);
  }
  without_sigpipe(const without_sigpipe&) = delete;
  without_sigpipe& operator=(const without_sigpipe&) = delete;

 private:
  sigset_t pipe_{};
  sigset_t before_{};
  bool was_pending_ = false;
};

bool has_room() noexcept {
  pollfd p{STDERR_FILENO, POLLOUT, 0};
  return ::poll(&p, 1, 0) == 1 && (p.revents & POLLOUT) != 0;
}

template <class Write>
std::size_t taken_by(Write write) noexcept {
  for (;;) {
    const ssize_t taken = write();
    if (taken >= 0) return static_cast<std::size_t>(taken);
    if (errno != EINTR) return 0;
  }
}

std::size_t write_to(int file, std::string_view bytes) noexcept {
  return taken_by([=] { return ::write(file, bytes.data(), bytes.size()); });
}

std::size_t write_to_pipe_or_terminal(std::string_view bytes) noexcept {
  const without_sigpipe quiet;
  const opened_again own(STDERR_FILENO);
  if (own.file() >= 0) return write_to(own.file(), bytes);
  if (errno == ENXIO) return 0;  // a pipe that has no reader
  return has_room() ? write_to(STDERR_FILENO, bytes) : 0;
}

}  // namespace

std::size_t write_to_stderr_now(std::string_view bytes) noexcept {
  const int error = errno;
  struct stat about {};
  std::size_t taken = 0;
  if (::fstat(STDERR_FILENO, &about) != 0) {
    // stderr is closed.
  } else if (S_ISSOCK(about.st_mode)) {
    taken = taken_by([=] { return ::send(STDERR_FILENO, bytes.data(), bytes.size(), MSG_DONTWAIT | MSG_NOSIGNAL); });
  } else if (S_ISFIFO(about.st_mode) || ::isatty(STDERR_FILENO) == 1) {
    taken = write_to_pipe_or_terminal(bytes);
  } else {
    taken = write_to(STDERR_FILENO, bytes);
  }
  errno = error;
  return taken;
}

}  // namespace tact::sync
