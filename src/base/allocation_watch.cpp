#include "base/allocation_watch.hpp"

namespace tact::base {

constinit thread_local allocation_watch* watch_of_thread::current_ = nullptr;

}  // namespace tact::base
