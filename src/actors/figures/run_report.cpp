#include "actors/figures/run_report.hpp"

#include "actors/failure/dead_letters.hpp"
#include "actors/staging/run_state.hpp"

namespace tact::actors {

std::string name_of(const run_state& r) {
  if (r.worker().is_blocking()) return "the thread of a blocking actor";
  if (r.worker().is_helper()) return "a thread that helps";
  if (r.is_pumped()) return "the thread that pumps";
  return "worker " + std::to_string(r.worker().index());
}

std::string running_now(const run_state& r) {
  // relaxed: hint, outdated as soon as it is read.
  const port who = r.handling.load(std::memory_order_relaxed);
  if (who == 0) return {};
  return describe(who) + " handling " + std::string(message_of(r, who));
}

std::string_view message_of(const run_state& r, port who) noexcept {
  const message_type* special = r.special();
  if (special != nullptr) return special->name;
  const behavior_type* type = cell_of(who).type();
  const unsigned index = index_of(who);
  return type != nullptr && index < type->entry_count ? type->message_names[index] : "a message";
}

}  // namespace tact::actors
