// The semantics of one run, without any concurrency: what must come of its steps when it commits.
#pragma once

#include <optional>
#include <vector>

#include "model/plan.hpp"

namespace tact::model {

struct outcome {
  std::vector<step> made;     // messages, creations and callbacks that take effect, in the order staged
  std::vector<item> dropped;  // those that were staged and must leave no trace
  std::optional<state> next;  // what the actor becomes
  bool ends = false;
  bool fails = false;
  bool owes = false;  // the query was neither answered, passed on nor deferred

  [[nodiscard]] bool changes() const noexcept { return next.has_value() || ends; }
  [[nodiscard]] const step* find(item i) const noexcept;
};

[[nodiscard]] outcome outcome_of(const scene&, const std::vector<step>&);

}  // namespace tact::model
