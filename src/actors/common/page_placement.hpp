// Where the pages lie that an engine maps for actors and messages.
#pragma once

#include "base/mapping.hpp"
#include "tact/placement.hpp"

namespace tact::actors {

// Decides it once, when the engine is made. Thread safety: any thread.
class page_placement {
 public:
  // Binds by `bind`, on a machine with so many memories.
  page_placement(memory_placement wish, base::page_binder bind, unsigned memories) noexcept;
  // On this machine, or on that of the model that runs.
  explicit page_placement(memory_placement wish);

  // What the stores of the engine bind their pages by; null: the pages lie where they are touched first.
  [[nodiscard]] base::page_binder binder() const noexcept { return nodes_ == 0 ? nullptr : bind_; }
  // The memories over which the pages go round; 0: they do not.
  [[nodiscard]] unsigned nodes() const noexcept { return nodes_; }

 private:
  const base::page_binder bind_;
  const unsigned nodes_;
};

}  // namespace tact::actors
