// How a thread outside finds the engine of an actor, and keeps that engine alive while it sends.
// Protocol page: docs/protocols/gate.md.
#pragma once

#include "sync/policy.hpp"
#include "sync/rundown.hpp"
#include "tact/detail/core.hpp"

namespace tact::actors {

// Each engine has one gate, from a pool whose gates are never freed: a ref may outlive its engine, so the gate to which
// the ref leads must outlive it too.
// Thread safety: enter and leave from any thread, open and close from the thread that starts or ends the engine.
// Invariants: (1) while a thread is inside, the engine that it got is alive; (2) close returns only when no thread is
// inside.
template <class Sync, class Engine>
class gate {
 public:
  // Returns the engine; the caller must leave soon. Null: the engine has ended, and the caller is not inside.
  [[nodiscard]] Engine* enter() noexcept {
    // This first look counts no thread, so threads that go on coming to a closed gate cannot keep close waiting.
    if (engine_.load() == nullptr) return nullptr;
    inside_.enter();
    Engine* engine = engine_.load();
    if (engine == nullptr) leave();
    return engine;
  }
  void leave() noexcept { inside_.leave(); }
  // REQUIRES: the gate is open and stays open meanwhile, because the caller is a part of the engine.
  [[nodiscard]] Engine& engine() const noexcept { return *engine_.load(); }

  void open(Engine& engine) noexcept { engine_.store(&engine); }
  void close() noexcept {
    engine_.store(nullptr);
    if (Sync::planted(sync::fault::close_does_not_wait)) return;
    // A thread that came in before the store is inside for the length of one send.
    inside_.wait();
  }

 private:
  // Null: the gate is closed. Written by open and close.
  typename Sync::template atomic<Engine*> engine_{nullptr};
  sync::rundown<Sync> inside_;  // also threads that are about to find the gate closed
};

using engine_gate = gate<sync::real, detail::core>;

// Leaves a gate that the caller has entered, also when an exception is thrown. Thread safety: the thread's own.
class inside_gate {
 public:
  explicit inside_gate(engine_gate& gate) noexcept : gate_(gate) {}
  ~inside_gate() { gate_.leave(); }
  inside_gate(const inside_gate&) = delete;
  inside_gate& operator=(const inside_gate&) = delete;

 private:
  engine_gate& gate_;
};

}  // namespace tact::actors
