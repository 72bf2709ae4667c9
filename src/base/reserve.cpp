#include "base/reserve.hpp"

#include <cstdio>
#include <cstdlib>

namespace tact::base {

constinit thread_local unsigned may_use_reserve::depth_ = 0;

void reserve_is_used_up() noexcept {
  std::fputs(
      "tact: memory is exhausted, and so is the reserve for commits, reports and ends; the process ends, because a "
      "message would be lost otherwise\n",
      stderr);
  std::abort();
}

}  // namespace tact::base
