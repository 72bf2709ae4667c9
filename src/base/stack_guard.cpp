#include "base/stack_guard.hpp"

#include <sys/resource.h>

#include <algorithm>

namespace tact::base {
namespace {

constexpr rlim_t addresses_of_processors = rlim_t{1} << 47;

}  // namespace

std::size_t addresses_allowed() noexcept {
  rlimit limit{};
  if (::getrlimit(RLIMIT_AS, &limit) != 0) return addresses_of_processors;
  return std::min(limit.rlim_cur, addresses_of_processors);  // RLIM_INFINITY is the largest number
}

bool are_addresses_limited() noexcept { return addresses_allowed() < addresses_of_processors; }

}  // namespace tact::base
