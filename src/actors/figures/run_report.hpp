// The words by which reports describe a run.
#pragma once

#include <string>
#include <string_view>

#include "actors/common/names.hpp"
#include "tact/detail/core.hpp"

namespace tact::actors {

class run_state;

// Any thread may call these three; what a run does may have changed a moment later.

// "worker 3" or "the thread of a blocking actor".
[[nodiscard]] std::string name_of(const run_state& r);
// What this thread runs at the moment, as far as can be told: empty or "account handling tact::request<balance>".
[[nodiscard]] std::string running_now(const run_state& r);
// The name of the message that the actor `who` handles there.
[[nodiscard]] std::string_view message_of(const run_state& r, port who) noexcept;

}  // namespace tact::actors
