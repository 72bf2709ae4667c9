// The notices that tell watchers of an actor's end.
#pragma once

#include <string>

#include "actors/cells/cell.hpp"
#include "tact/detail/core.hpp"
#include "tact/ended.hpp"

namespace tact::actors {

// `what`: the text of the exception by which the actor failed, or the reason that a pill gave; null if there is
// neither. Without memory the texts are missing.
[[nodiscard]] ended notice_of_end(detail::port at, end_reason why, const std::string* what) noexcept;
// The mark that the word of an actor gets when it ends for this reason: it names the actor by its generation, so that
// the mark of one actor of the cell is not taken for that of another. REQUIRES: the name has not changed yet.
[[nodiscard]] inline unsigned mark_of(const cell& c, end_reason why) noexcept {
  return unsigned{c.generation()} << 4 | (static_cast<unsigned>(why) + 1);
}
// The notice for a watcher that came when the actor had ended already. The reason is remembered until the cell of the
// actor has another one, or its page is given back; then it is end_reason::gone.
[[nodiscard]] ended gone(detail::port at) noexcept;

// Tells the watcher; or drops it if the actor to which it would send has ended: such a notice is no dead letter.
void tell(detail::watcher& w, detail::run* r, ended&& notice) noexcept;

}  // namespace tact::actors
