#include "actors/cells/actor_names.hpp"

#include <mutex>
#include <new>
#include <set>
#include <string>

#include "base/answer_name.hpp"

namespace tact::actors {
namespace {

// Keeps a text as long as the program runs. There are as many as pairs of a request and an actor that asks it.
std::string_view kept(const std::string& text) {
  static std::mutex mutex;
  static auto& all = *new std::set<std::string, std::less<>>();  // never freed: threads may report at the very end
  const std::lock_guard lock(mutex);
  return *all.insert(text).first;
}

}  // namespace

std::string_view name_of(const detail::behavior_type& type, const detail::behavior_type* asked_by) noexcept {
  if (!type.is_of_ask) return type.name;
  try {
    std::string text(type.kind == detail::actor_kind::join ? base::several_answers : base::one_answer);
    text.append(base::to_request).append(type.name);
    if (type.kind == detail::actor_kind::asker) {
      text.append(", asked by a thread outside");
    } else if (asked_by != nullptr) {
      text.append(", asked by ").append(asked_by->name);
    }
    return kept(text);
  } catch (const std::bad_alloc&) {
    return type.name;
  }
}

std::string_view name_of(const cell& c) noexcept {
  const detail::behavior_type& type = *c.type();
  return name_of(type, type.is_of_ask ? c.asked_by() : nullptr);
}

}  // namespace tact::actors
