#include "store/crash/child.hpp"

#include <sys/mman.h>
#include <sys/prctl.h>
#include <sys/resource.h>
#include <sys/wait.h>
#include <unistd.h>

#include <algorithm>
#include <csignal>
#include <cstdio>
#include <cstring>
#include <exception>
#include <new>
#include <stdexcept>

namespace tact::store_tests {

namespace {

template <std::size_t N>
void copy_text(char (&to)[N], const std::string& from) noexcept {
  const std::size_t n = std::min(from.size(), N - 1);
  std::memcpy(to, from.data(), n);
  to[n] = '\0';
}

}  // namespace

namespace {

child_report not_looked_at;
child_report* of_child = &not_looked_at;

}  // namespace

child_report& report_of_child() noexcept { return *of_child; }
void child_report::say_more(const std::string& now) noexcept { copy_text(more_, now); }
void child_report::say(const std::string& now) noexcept {
  copy_text(now_, now);
  copy_text(more_, "");
}

// Shared by the two processes.
struct child_memory {
  child_memory() {
    void* at = ::mmap(nullptr, sizeof(child_report), PROT_READ | PROT_WRITE, MAP_SHARED | MAP_ANONYMOUS, -1, 0);
    if (at == MAP_FAILED) throw std::runtime_error("no memory to share");
    report = new (at) child_report;
  }
  ~child_memory() { ::munmap(report, sizeof(child_report)); }
  child_memory(const child_memory&) = delete;
  child_memory& operator=(const child_memory&) = delete;

  void run(const std::function<void(child_report&)>& work) const noexcept {
    of_child = report;
    try {
      work(*report);
    } catch (const std::exception& e) {
      copy_text(report->problem_, std::string(e.what()).empty() ? "something was thrown" : e.what());
    }
  }

  [[nodiscard]] child_end end(int status) const {
    child_end e{.problem = report->problem_, .now = report->now_};
    std::copy(std::begin(report->counts), std::end(report->counts), std::begin(e.counts));
    if (WIFSIGNALED(status))
      e.problem = std::string(report->more_) + ": the process was ended by " + ::strsignal(WTERMSIG(status));
    if (WIFEXITED(status) && WEXITSTATUS(status) != 0 && e.problem.empty()) e.problem = "the process has ended itself";
    return e;
  }

  child_report* report = nullptr;
};

child_end in_child(const std::function<void(child_report&)>& work, unsigned patience_s) {
  const child_memory memory;
  std::fflush(stdout);
  std::fflush(stderr);
  const pid_t child = ::fork();
  if (child == -1) throw std::runtime_error("no process");
  if (child == 0) {
    constexpr rlimit no_core{};
    ::setrlimit(RLIMIT_CORE, &no_core);
    for (const int s : {SIGABRT, SIGSEGV, SIGBUS, SIGALRM}) ::signal(s, SIG_DFL);
    ::alarm(patience_s);
    ::prctl(PR_SET_PDEATHSIG, SIGKILL);
    memory.run(work);
    std::fflush(stderr);
    ::_exit(0);
  }
  int status = 0;
  while (::waitpid(child, &status, 0) != child)
    if (errno != EINTR) throw std::runtime_error("no child to wait for");
  return memory.end(status);
}

}  // namespace tact::store_tests
