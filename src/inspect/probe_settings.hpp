// What the probes of an engine's threads have in common.
#pragma once

#include <cstddef>
#include <cstdint>
#include <memory>
#include <mutex>
#include <vector>

#include "inspect/kept_requests.hpp"
#include "inspect/thread_steps.hpp"
#include "inspect/tick_clock.hpp"
#include "inspect/type_names.hpp"
#include "sync/policy.hpp"
#include "tact/inspect/focus.hpp"

namespace tact::inspect {

// Thread safety: any thread.
class probe_settings {
 public:
  explicit probe_settings(tick_clock::source from) noexcept : clock(from) {}
  probe_settings(const probe_settings&) = delete;
  probe_settings& operator=(const probe_settings&) = delete;

  tick_clock clock;
  type_names names;
  kept_requests requests;
  sync::atomic<std::size_t> events_per_thread{0};  // set before anything is recorded, like the next one
  sync::atomic<unsigned> one_of{1};
  sync::atomic<std::uint64_t> unrecorded{0};  // threads for which there was no memory

  // Null: all actors are in focus.
  [[nodiscard]] const focus* focused() const noexcept { return focus_.load(); }
  void focus_on(const focus& f) {  // throws std::bad_alloc
    const std::lock_guard lock(mutex_);
    if (!f.is_empty()) focuses_.push_back(std::make_unique<const focus>(f));
    focus_.store(f.is_empty() ? nullptr : focuses_.back().get());
  }
  // Null: there is no memory for a ring.
  [[nodiscard]] std::unique_ptr<thread_steps> make_steps() noexcept;

 private:
  sync::atomic<const focus*> focus_{nullptr};
  std::mutex mutex_;
  std::vector<std::unique_ptr<const focus>> focuses_;  // all that there were: a thread may still look at them
};

}  // namespace tact::inspect
