// What is said of an actor's end.
#pragma once

#include <string>

#include "tact/detail/core.hpp"
#include "tact/ended.hpp"

namespace tact::actors {

// `what`: the exception by which it failed; null if by none. Without memory the texts are missing.
[[nodiscard]] ended notice_of_end(detail::port at, end_reason why, const std::string* what) noexcept;
// The same for one that nobody watched when it ended.
[[nodiscard]] inline ended gone(detail::port at) noexcept { return notice_of_end(at, end_reason::gone, nullptr); }

// Tells the watcher, or drops it when it has ended itself: to have ended is no dead letter.
void tell(detail::watcher& w, detail::run* r, ended&& notice) noexcept;

}  // namespace tact::actors
