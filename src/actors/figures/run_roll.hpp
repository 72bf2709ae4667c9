// The runs of an engine, for those who add up what they count.
#pragma once

#include <mutex>

#include "actors/staging/run_state.hpp"
#include "sync/mutex.hpp"
#include "sync/policy.hpp"

namespace tact::actors {

// Each thread that runs actors has one run, which is added before it runs the first, and lives as long as the engine.
// Invariant: none is taken out. Thread safety: any thread.
class run_roll {
 public:
  run_roll() = default;
  run_roll(const run_roll&) = delete;
  run_roll& operator=(const run_roll&) = delete;

  void add(run_state& r) noexcept {
    const std::lock_guard lock(mutex_);
    (last_ == nullptr ? first_ : last_->next_in_roll()).store(&r);
    last_ = &r;
  }
  // Calls f(const run_state&) for each.
  template <class F>
  void for_each(F f) const {
    for (const run_state* r = first_.load(); r != nullptr; r = r->next_in_roll().load()) f(*r);
  }

 private:
  sync::mutex mutex_;  // of those that add
  sync::atomic<run_state*> first_{nullptr};
  run_state* last_ = nullptr;
};

}  // namespace tact::actors
