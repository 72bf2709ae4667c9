// The notices that tell watchers of an actor's end.
#pragma once

#include <string>

#include "tact/detail/core.hpp"
#include "tact/ended.hpp"

namespace tact::actors {

// `what`: the text of the exception by which the actor failed; null if it ended for another reason. Without memory the
// texts are missing.
[[nodiscard]] ended notice_of_end(detail::port at, end_reason why, const std::string* what) noexcept;
// The notice for a watcher that came when the actor had ended already.
[[nodiscard]] inline ended gone(detail::port at) noexcept { return notice_of_end(at, end_reason::gone, nullptr); }

// Tells the watcher; or drops it if the actor to which it would send has ended: such a notice is no dead letter.
void tell(detail::watcher& w, detail::run* r, ended&& notice) noexcept;

}  // namespace tact::actors
