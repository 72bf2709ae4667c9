// The barrier that one thread puts into all threads of the process.
#include <unistd.h>

#include <cstdio>
#include <string>

#include "support/another_process.hpp"
#include "support/catch.hpp"
#include "sync/policy.hpp"

#if defined(__linux__)
#include <linux/membarrier.h>
#include <sys/syscall.h>

namespace barrier_test {

namespace {

[[nodiscard]] bool is_supported() {
  const long commands = ::syscall(SYS_membarrier, MEMBARRIER_CMD_QUERY, 0, 0);
  return commands > 0 && (commands & MEMBARRIER_CMD_PRIVATE_EXPEDITED) != 0;
}

}  // namespace

TEST_CASE("barrier: tells whether its process is registered, for a process that asks", "[.registered]") {
  const bool is = ::syscall(SYS_membarrier, MEMBARRIER_CMD_PRIVATE_EXPEDITED, 0, 0) == 0;
  std::puts(is ? "<registered>" : "<not registered>");
}

// Else the first thread that asks stands still for some ten milliseconds, in the midst of a run.
TEST_CASE("barrier: a process is registered for it before its first thread asks", "[sync]") {
  if (!is_supported()) TACT_SKIP("this system cannot put a barrier into all threads");
  const std::string told = tact::support::told_by_another_process("[.registered]");
  CAPTURE(told);
  CHECK(told.find("<registered>") != std::string::npos);
  CHECK(tact::sync::real::barrier_for_all());
}

}  // namespace barrier_test
#endif
