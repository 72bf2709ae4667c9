#include "dispatch/exchange/thread_roll.hpp"

#include <cstdio>
#include <cstdlib>

namespace tact::dispatch {

void thread_roll::look_whether_left_behind(const char* what) const noexcept {
  if (!are_left_behind()) [[likely]]
    return;
  std::fprintf(stderr,
               "tact: %s in a child process: the engine lives in its parent, and its threads are not here; after fork "
               "or daemon let the child call exec or _exit, or make its own engine\n",
               what);
  std::abort();
}

}  // namespace tact::dispatch
