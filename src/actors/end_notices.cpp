#include "actors/end_notices.hpp"

#include <utility>

#include "actors/cell.hpp"
#include "actors/dead_letters.hpp"

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

// The word is read before the name: a word that a later actor of the cell has left comes with a later name.
ended gone(detail::port at) noexcept {
  const cell& c = cell_of(at);
  const auto seen = c.word.load();
  const unsigned ends_since = static_cast<std::uint16_t>(c.generation() - generation_of(at));
  const bool is_remembered = seen.is_ended() && seen.mark() != 0 && ends_since <= 1;
  ended e = notice_of_end(at, is_remembered ? static_cast<end_reason>(seen.mark() - 1) : end_reason::gone, nullptr);
  e.earlier = true;
  return e;
}

void tell(detail::watcher& w, detail::run* r, ended&& notice) noexcept {
  is_current(or_nobody(w.to)) ? w.tell(w, r, std::move(notice)) : w.drop(w);
}

}  // namespace tact::actors
