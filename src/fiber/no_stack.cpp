#include "fiber/no_stack.hpp"

#include <fcntl.h>
#include <unistd.h>

#include <algorithm>
#include <charconv>
#include <cstdio>
#include <cstring>

namespace tact::fiber {
namespace {

constexpr std::size_t mappings_of_stack = 2;  // one for the stack, one for its guard

// How many mappings Linux allows a process; 0: unknown.
std::size_t mappings_allowed() noexcept {
  const int file = ::open("/proc/sys/vm/max_map_count", O_RDONLY | O_CLOEXEC);
  if (file < 0) return 0;
  char text[32];
  const auto length = ::read(file, text, sizeof text);
  ::close(file);
  std::size_t allowed = 0;
  std::from_chars(text, text + std::max<ssize_t>(length, 0), allowed);
  return allowed;
}

}  // namespace

no_stack::no_stack(std::size_t in_use, guards how, int error) noexcept {
  const std::size_t allowed = how == guards::apart ? mappings_allowed() : 0;
  if (allowed != 0 && mappings_of_stack * in_use > allowed / 2) {
    std::snprintf(
        text_, sizeof text_,
        "no stack for another handler that waits: %zu are in use, of two mappings each, and a process may have "
        "%zu mappings; raise vm.max_map_count (sysctl), or use Linux 6.13 or later, where stacks need none of "
        "their own",
        in_use, allowed);
  } else {
    std::snprintf(text_, sizeof text_,
                  "no stack for another handler that waits: %zu are in use, and the system gives no memory for more "
                  "(%s); raise the limits of memory (ulimit -v), or make engine_options::ask_stack_bytes smaller",
                  in_use, std::strerror(error));
  }
}

no_stack::no_stack(const char* call, const char* why) noexcept {
  std::snprintf(text_, sizeof text_, "%s: %s", call, why);
}

}  // namespace tact::fiber
