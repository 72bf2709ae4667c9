// All engines of the process, and how they end where their owner cannot wait for it: docs/ends.md.
#pragma once

namespace tact::detail {
class core;
}

namespace tact::actors {

// An engine is noted as long as it lives: what becomes of the process is told to it.
void note_engine(detail::core& engine);
void forget_engine(const detail::core& engine) noexcept;
// The engine that was made first of those that can be sent to: its gate has been entered. Null: there is none.
[[nodiscard]] detail::core* enter_first_engine() noexcept;

// The calling thread ends an engine. While it does, those that it is inside of wait for that end.
class ending {
 public:
  explicit ending(detail::core& engine) noexcept;
  ending(const ending&) = delete;
  ending& operator=(const ending&) = delete;
  ~ending();
  // It would wait for itself: it is inside of that engine, or of one whose end the engine waits for.
  [[nodiscard]] bool is_in_circle() const noexcept { return is_in_circle_; }

 private:
  detail::core* const engine_;
  bool is_in_circle_ = false;
};

// Another thread ends the engine, for which the process, or its simulation, waits at its end. Without one the process
// ends at once, with a sentence.
void end_elsewhere(detail::core& engine) noexcept;

}  // namespace tact::actors
