// Where the workers of an engine sit: the plan, whether they stay there, and which of them the system lets stay.
#pragma once

#include <vector>

#include "sync/policy.hpp"
#include "tact/engine_options.hpp"
#include "topology/machine.hpp"

namespace tact::actors {

// Thread safety: any thread.
class seating {
 public:
  using binder = bool (*)(const seat&) noexcept;  // binds the calling thread; false: it could not be done

  // REQUIRES: the options are complete.
  explicit seating(const engine_options& options, binder how = &topology::pin_this_thread);
  seating(const seating&) = delete;
  seating& operator=(const seating&) = delete;

  [[nodiscard]] const placement_plan& plan() const noexcept { return plan_; }

  // The calling thread is this worker from now on. In a plan that is pinned it is bound to its seat.
  void sit_down(unsigned worker) noexcept;
  // The calling thread is that of a blocking actor or of the timers, which has no seat. A pinned worker may have
  // started it, and a thread is bound as the one is that starts it; so it is unbound.
  void sit_nowhere() const noexcept;

  [[nodiscard]] bool is_pinned(unsigned worker) const noexcept;
  // How many of the first `running` workers are pinned.
  [[nodiscard]] unsigned count_pinned(unsigned running) const noexcept;

 private:
  // Counts an engine as one with pinned workers, as long as it lives: when it ends, others may have its seats.
  struct place_in_count {
    place_in_count() = default;
    place_in_count(const place_in_count&) = delete;
    place_in_count& operator=(const place_in_count&) = delete;
    ~place_in_count() {
      if (in != nullptr) --*in;
    }
    sync::atomic<unsigned>* in = nullptr;
  };

  [[nodiscard]] bool decide(const engine_options& options);
  [[nodiscard]] bool bind(const seat& at) const noexcept;
  void say_refused() noexcept;

  const pinning wish_;
  const binder bind_;
  place_in_count counted_;
  placement_plan plan_;
  std::vector<sync::atomic<bool>> pinned_;  // by worker
  sync::atomic<bool> refused_{false};       // the system has refused to pin a worker
};

}  // namespace tact::actors
