// The wait word of the public headers, over the real policy.
#include "sync/wait_word.hpp"

#include "tact/detail/core.hpp"

namespace tact::detail {

void wait_word::notify() noexcept { sync::wait_word<sync::real>::notify(state_); }

bool wait_word::wait(deadline until) noexcept { return sync::wait_word<sync::real>::wait(state_, until); }

bool wait_word::is_done() const noexcept { return sync::wait_word<sync::real>::is_done(state_); }

}  // namespace tact::detail
