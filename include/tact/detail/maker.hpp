// What makes the closure of an actor, the first one and those after a restart.
#pragma once

#include <memory>

#include "tact/detail/description.hpp"

namespace tact::detail {

// Thread safety: one thread at a time; for a parallel actor, as its user's function allows.
struct maker {
  maker() = default;
  maker(const maker&) = delete;
  maker& operator=(const maker&) = delete;
  virtual ~maker() = default;
  // Throws what the user's code throws. Null: an empty behaviour.
  [[nodiscard]] virtual closure* make() = 0;
};

// How an actor is restarted; kept with it as long as it lives.
struct restart_plan {
  std::shared_ptr<maker> again{};  // null: it cannot be restarted
  bool is_permanent = false;       // an end by itself is a failure, on which its rule decides
};

}  // namespace tact::detail
