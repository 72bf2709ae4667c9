#include "base/allocation_watch.hpp"

namespace tact::base {

constinit thread_local allocation_watch* allocation_watch::current_ = nullptr;

}  // namespace tact::base
