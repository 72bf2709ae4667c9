// What makes the closure of an actor, the first one and those after a restart.
#pragma once

#include <chrono>
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

// When a supervisor restarts a child.
enum class child_kind : unsigned char {
  permanent,  // when it fails, and when it ends by itself
  transient,  // when it fails
  temporary,  // never
};

// How an actor is restarted; kept with it as long as it lives.
struct restart_plan {
  std::shared_ptr<maker> again{};  // null: it cannot be restarted
  child_kind kind = child_kind::transient;
  std::chrono::nanoseconds shutdown_limit = std::chrono::seconds(5);
};

}  // namespace tact::detail
