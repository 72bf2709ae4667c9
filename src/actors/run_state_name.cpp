// The words by which reports describe a run: its name, and the message that it runs.
#include <string>

#include "actors/dead_letters.hpp"
#include "actors/run_state.hpp"

namespace tact::detail {

using actors::cell_of;

std::string run_state::name() const {
  if (worker().is_blocking()) return "the thread of a blocking actor";
  if (worker().is_helper()) return "a thread that helps";
  if (is_pumped_) return "the thread that pumps";
  return "worker " + std::to_string(worker().index());
}

std::string run_state::running_now() const {
  // relaxed: hint, outdated as soon as it is read.
  const port who = handling.load(std::memory_order_relaxed);
  if (who == 0) return {};
  return actors::describe(who) + " handling " + std::string(message_of(who));
}

std::string_view run_state::message_of(port who) const noexcept {
  // relaxed: hint, may belong to the next message already.
  const message_type* special = special_.load(std::memory_order_relaxed);
  if (special != nullptr) return special->name;
  const behavior_type* type = cell_of(who).type();
  const unsigned index = actors::index_of(who);
  return type != nullptr && index < type->entry_count ? type->message_names[index] : "a message";
}

}  // namespace tact::detail
