// Who works for an engine: how many workers it has, and threads that help.
#pragma once

#include "tact/detail/core.hpp"

namespace tact::detail {

[[nodiscard]] unsigned count_workers(const core&) noexcept;  // that run now
// Throws tact::usage_error when there cannot be so many, std::system_error when the system gives no thread. False: a
// simulation cannot go on.
[[nodiscard]] bool set_workers(core&, unsigned count);

// Throws tact::usage_error when nobody may help.
void look_whether_help_is_wanted(const core&);
// The calling thread works until it has been told, or nothing waits to be run.
void help_until_told(core&, const wait_word&) noexcept;

}  // namespace tact::detail
