// What is thread-local in sync.
#include "sync/system.hpp"

#include "sync/thread_state.hpp"

namespace tact::sync {

constinit thread_local thread_state thread_state::the_state_;
constinit thread_local system* system::current_ = nullptr;

}  // namespace tact::sync
