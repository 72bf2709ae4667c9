#include "actors/failure/end_notices.hpp"

#include <utility>

#include "actors/cells/cell.hpp"
#include "actors/cells/metadata.hpp"
#include "actors/failure/dead_letters.hpp"

namespace tact {

std::string_view to_string(end_reason reason) noexcept {
  switch (reason) {
    case end_reason::stopped:
      return "stopped";
    case end_reason::became_nothing:
      return "became nothing";
    case end_reason::failed:
      return "failed";
    case end_reason::scope_ended:
      return "scope ended";
    case end_reason::owner_gone:
      return "owner gone";
    case end_reason::link_failed:
      return "link failed";
    case end_reason::loop_ended:
      return "loop ended";
    case end_reason::engine_ended:
      return "engine ended";
    case end_reason::gone:
      return "gone";
  }
  return "unknown reason";
}

}  // namespace tact

namespace tact::actors {

ended notice_of_end(detail::port at, end_reason why, const std::string* what) noexcept {
  ended e{.reason = why, .address = at};
  try {
    e.actor = describe(at);
    if (what != nullptr) e.what = *what;
  } catch (...) {
    // The notice has the texts for which there was memory.
  }
  return e;
}

ended gone(detail::port at) noexcept {
  const auto seen = cell_of(at).word.load();
  const unsigned why = seen.is_ended() && seen.mark() >> 4 == generation_of(at) ? seen.mark() & 15 : 0;
  const std::string reason = reason_of_end(at);
  ended e = notice_of_end(at, why != 0 ? static_cast<end_reason>(why - 1) : end_reason::gone, &reason);
  e.earlier = true;
  return e;
}

void tell(detail::watcher& w, detail::run* r, ended&& notice) noexcept {
  is_current(or_nobody(w.to)) ? w.tell(w, r, std::move(notice)) : w.drop(w);
}

}  // namespace tact::actors
