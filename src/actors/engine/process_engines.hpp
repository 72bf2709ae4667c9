// All engines of the process, and how an engine ends where the thread that destroys it cannot wait: docs/ends.md.
#pragma once

#include <functional>

#include "actors/cells/cell_store.hpp"
#include "actors/common/names.hpp"

namespace tact::actors {
class shutdown;
}  // namespace tact::actors

namespace tact::actors {

// Every engine is noted as long as it lives, so that it can be told when the process forks or ends.
void note_engine(const engine_identity& engine, shutdown& its);
void forget_engine(const engine_identity& engine) noexcept;
// Enters the gate of the oldest engine whose gate is open; the caller leaves it. Null: there is no such engine.
[[nodiscard]] detail::core* enter_first_engine() noexcept;

// Notes that the calling thread ends an engine. Until this note goes, the engines that the thread is inside of wait for
// that end.
class ending_engine {
 public:
  explicit ending_engine(const engine_identity& engine) noexcept;
  ending_engine(const ending_engine&) = delete;
  ending_engine& operator=(const ending_engine&) = delete;
  ~ending_engine();
  // The thread would wait for itself: it is inside of the engine, or of one for whose end that engine waits.
  [[nodiscard]] bool is_in_circle() const noexcept { return is_in_circle_; }

 private:
  const engine_identity* const engine_;
  bool is_in_circle_ = false;
};

// Lets another thread end an engine, by `end`. The process, or its simulation, waits for that thread when it ends. If
// the system gives no thread, the process is aborted with a sentence.
void end_elsewhere(std::function<void()> end) noexcept;

}  // namespace tact::actors
