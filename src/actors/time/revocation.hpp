// The cancelling of a timer of whichever engine. Implemented in api/timers.cpp, as the record alone does not lead to
// the timers of its engine: its gate has to be entered.
#pragma once

#include "actors/common/names.hpp"
#include "tact/detail/core.hpp"

namespace tact::actors {

// What the caller does as long as the message of the timer is leaving.
enum class while_leaving : bool { goes_on, waits };
// Cancels the timer, in whichever engine it is set.
bool revoke_timer(timer_id id, while_leaving how) noexcept;
// Cancels the timer of an ask, as timers::cancel_ask.
[[nodiscard]] port revoke_ask(timer_id id) noexcept;

}  // namespace tact::actors
