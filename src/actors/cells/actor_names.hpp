// How reports name an actor by its type; the customer of an ask by the request, and by who asked.
#pragma once

#include <string_view>

#include "actors/cells/cell.hpp"

namespace tact::actors {

// "account"; of the customer of an ask "answer to request<load>, asked by cache", of one of several requests "answers
// to ...". The text is made when a report asks for it, and valid as long as the program runs: each is kept once.
// `asked_by`: null if it is not known. Thread safety: any thread.
[[nodiscard]] std::string_view name_of(const detail::behavior_type& type,
                                       const detail::behavior_type* asked_by) noexcept;
// REQUIRES: a behaviour was installed in the cell.
[[nodiscard]] std::string_view name_of(const cell& c) noexcept;
// What asks in the end when the actor in this cell asks: a one-shot asks for the actor that made it.
[[nodiscard]] inline const detail::behavior_type* asker_in(const cell& c) noexcept {
  const detail::behavior_type* const type = c.type();
  const bool is_for_others = type != nullptr && (type->kind == detail::actor_kind::once || type->is_of_ask);
  const detail::behavior_type* const first = is_for_others ? c.asked_by() : nullptr;
  return first != nullptr ? first : type;
}

}  // namespace tact::actors
