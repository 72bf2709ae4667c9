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
