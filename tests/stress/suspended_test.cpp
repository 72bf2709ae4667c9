// A process that is stopped and continued as a whole, as by a debugger or a batch system, and knows nothing of it.
#include <sys/socket.h>
#include <sys/wait.h>
#include <unistd.h>

#include <csignal>
#include <cstdlib>
#include <optional>
#include <string>

#include "stress/town.hpp"
#include "support/captured_stderr.hpp"

namespace suspended_test {

namespace {

using namespace tact::stress;

constexpr const char* inner_test = "suspended: a town lives until nobody listens any more";

// This program again, with that one test, in a process of its own; a socket is its standard input.
class inner_process {
 public:
  inner_process() {
    int ends[2];
    REQUIRE(::socketpair(AF_UNIX, SOCK_STREAM | SOCK_CLOEXEC, 0, ends) == 0);
    socket_ = ends[0];
    timeval limit{};
    limit.tv_sec = generous.count();
    ::setsockopt(socket_, SOL_SOCKET, SO_RCVTIMEO, &limit, sizeof limit);
    const std::string seed_text = std::to_string(seed());
    process_ = ::fork();
    REQUIRE(process_ != -1);
    if (process_ == 0) {
      ::setenv("TACT_SEED", seed_text.c_str(), 1);
      ::dup2(ends[1], STDIN_FILENO);
      ::dup2(STDERR_FILENO, STDOUT_FILENO);
      ::execl("/proc/self/exe", "stress", inner_test, static_cast<char*>(nullptr));
      ::_exit(127);
    }
    ::close(ends[1]);
  }
  inner_process(const inner_process&) = delete;
  inner_process& operator=(const inner_process&) = delete;
  ~inner_process() {
    ::close(socket_);
    if (process_ == -1) return;
    ::kill(process_, SIGKILL);
    ::waitpid(process_, nullptr, 0);
  }

  // It stands still as a whole when this returns true.
  [[nodiscard]] bool stop() const {
    int status = 0;
    return ::kill(process_, SIGSTOP) == 0 && ::waitpid(process_, &status, WUNTRACED) == process_ && WIFSTOPPED(status);
  }
  void go_on() const { ::kill(process_, SIGCONT); }
  // It has said something since it was asked last, or says it now.
  [[nodiscard]] bool says_something() const {
    char c;
    return ::recv(socket_, &c, 1, 0) == 1;
  }
  void forget_what_it_said() const {
    std::array<char, 256> text;
    while (::recv(socket_, text.data(), text.size(), MSG_DONTWAIT) > 0) {
    }
  }
  // Its exit status once it has ended by itself.
  [[nodiscard]] int end() {
    ::shutdown(socket_, SHUT_RDWR);
    int status = 0;
    const auto limit = std::chrono::steady_clock::now() + 2 * generous;
    while (::waitpid(process_, &status, WNOHANG) == 0) {
      if (std::chrono::steady_clock::now() > limit) return -1;
      std::this_thread::yield();
    }
    process_ = -1;
    return WIFEXITED(status) ? WEXITSTATUS(status) : -1;
  }

 private:
  int socket_ = -1;
  pid_t process_ = -1;
};

}  // namespace

TEST_CASE("suspended: a town lives until nobody listens any more", "[.inner]") {
  TACT_SEEDED(seed);
  const nothing_left left;
  dice d(seed);
  auto options = quiet_options(4 + d.below(5));
  options.victims = &tact::random_victim;
  tact::engine engine(options);
  town t(engine);
  while (::send(STDIN_FILENO, ".", 1, MSG_NOSIGNAL) == 1) {
    for (unsigned n = 1 + d.below(3); n != 0; --n) t.live(d.next());
    require_idle(engine);
    t.bury();
  }
  t.check();
}

TEST_CASE("suspended: a process that is stopped at any moment goes on as if nothing had been", "[law1][law4][law5]") {
  TACT_SEEDED(seed);
  dice d(seed);
  int status = -1;
  const std::string said = captured_stderr([&] {
    inner_process inner;
    for (int n = 0; n < scaled(200); ++n) {
      if (!inner.says_something()) return;
      const auto until = std::chrono::steady_clock::now() + std::chrono::microseconds(d.below(1U << d.below(13)));
      while (std::chrono::steady_clock::now() < until) std::this_thread::yield();
      if (!inner.stop()) return;
      inner.forget_what_it_said();
      inner.go_on();
    }
    if (inner.says_something()) status = inner.end();
  });
  INFO(said);
  CHECK(status == 0);
}

}  // namespace suspended_test
