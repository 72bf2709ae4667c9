// How a thread outside finds an actor's engine, and holds it while it sends. docs/protocols/gate.md.
#pragma once

#include <cstdint>

#include "sync/policy.hpp"
#include "tact/detail/core.hpp"

namespace tact::actors {

// One per engine, from a pool that is never given back: a ref may outlive its engine, so what it leads to must too.
// Thread safety: enter and leave from any thread, open and close from the one that starts and ends the engine.
// Invariants: (1) while a thread is inside, the engine it got is alive; (2) close returns when nobody is inside.
template <class Sync, class Engine>
class gate {
 public:
  // The engine, to be left soon; null: it has ended, and the caller is not inside.
  [[nodiscard]] Engine* enter() noexcept {
    // Looked at first, so that threads that go on coming cannot keep close waiting.
    if (engine_.load() == nullptr) return nullptr;
    inside_.fetch_add(1);
    Engine* engine = engine_.load();
    if (engine == nullptr) leave();
    return engine;
  }
  void leave() noexcept { inside_.fetch_sub(1); }
  // REQUIRES: it is open, and stays so meanwhile: the caller belongs to the engine.
  [[nodiscard]] Engine& engine() const noexcept { return *engine_.load(); }

  void open(Engine& engine) noexcept { engine_.store(&engine); }
  void close() noexcept {
    engine_.store(nullptr);
    if (Sync::planted(sync::fault::close_does_not_wait)) return;
    // The last thread that came in before the store is inside for the length of one send.
    while (inside_.load() != 0) Sync::pause();
  }

 private:
  // Null: closed. Written by open and close.
  typename Sync::template atomic<Engine*> engine_{nullptr};
  // Threads inside, and those that are about to find it closed.
  typename Sync::template atomic<std::uint64_t> inside_{0};
};

using engine_gate = gate<sync::real, detail::core>;

}  // namespace tact::actors
