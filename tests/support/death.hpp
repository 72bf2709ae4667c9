// What a program says that ends itself.
#pragma once

#include <sys/resource.h>
#include <sys/wait.h>
#include <unistd.h>

#include <csignal>
#include <string>

#include "support/captured_stderr.hpp"
#include "support/catch.hpp"

namespace tact::support {

// How a process ended, and what it wrote to its standard error output.
struct departure {
  int status = 0;
  std::string words;

  [[nodiscard]] bool exited(int code) const { return WIFEXITED(status) && WEXITSTATUS(status) == code; }
  [[nodiscard]] bool aborted() const { return WIFSIGNALED(status) && WTERMSIG(status) == SIGABRT; }
};

// Runs f in a process of its own, which ends with code 0 behind it. One that hangs is ended by SIGALRM.
template <class F>
departure depart(F f) {
  constexpr unsigned patience_s = 60;
  departure d;
  d.words = captured_stderr([&] {
    const pid_t child = ::fork();
    REQUIRE(child != -1);
    if (child == 0) {
      constexpr rlimit no_core{};
      ::setrlimit(RLIMIT_CORE, &no_core);
      ::signal(SIGABRT, SIG_DFL);
      ::signal(SIGALRM, SIG_DFL);
      ::alarm(patience_s);
      f();
      std::fflush(stderr);
      ::_exit(0);
    }
    REQUIRE(::waitpid(child, &d.status, 0) == child);
  });
  return d;
}

// Runs f in a process of its own, which must end by that signal; returns what it wrote to its standard error output.
template <class F>
std::string last_words(F f, int signal = SIGABRT) {
  int status = 0;
  const std::string text = captured_stderr([&] {
    const pid_t child = ::fork();
    REQUIRE(child != -1);
    if (child == 0) {
      ::signal(signal, SIG_DFL);
      constexpr rlimit no_core{};
      ::setrlimit(RLIMIT_CORE, &no_core);
      f();
      ::_exit(0);
    }
    REQUIRE(::waitpid(child, &status, 0) == child);
  });
  INFO(text);
  CHECK((WIFSIGNALED(status) && WTERMSIG(status) == signal));
  return text;
}

}  // namespace tact::support
