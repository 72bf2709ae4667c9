// The threads that work for an engine: its workers, and threads that help.
#pragma once

#include "tact/detail/core.hpp"

namespace tact::detail {

[[nodiscard]] unsigned count_workers(const core&) noexcept;  // how many run now
// Changes the number of workers. Throws tact::usage_error when the engine cannot have so many, and std::system_error
// when the system gives no thread. False: a simulation cannot go on.
[[nodiscard]] bool set_workers(core&, unsigned count);

// Throws tact::usage_error when no thread may help the engine.
void look_whether_help_is_wanted(core&);
// The calling thread runs messages until the wait_word is notified, or until no message waits to be run.
void help_until_told(core&, const wait_word&) noexcept;

}  // namespace tact::detail
