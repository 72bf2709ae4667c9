// The observer of an engine: it has a probe for each thread, and lets recorders and metrics use them.
#pragma once

#include <array>
#include <cstddef>
#include <cstdint>
#include <memory>
#include <mutex>
#include <string>
#include <string_view>
#include <vector>

#include "inspect/kept_requests.hpp"
#include "inspect/message_number.hpp"
#include "inspect/probe_settings.hpp"
#include "inspect/recent_focus.hpp"
#include "inspect/thread_probe.hpp"
#include "inspect/thread_steps.hpp"
#include "inspect/tick_clock.hpp"
#include "tact/detail/trace_sink.hpp"
#include "tact/inspect/recorder.hpp"

namespace tact::inspect {

// An engine has one at most. Thread safety: any thread.
class probe final : public detail::trace_sink, public std::enable_shared_from_this<probe> {
 public:
  // The probe of the engine, which is made if it has none. Throws std::bad_alloc, and usage_error
  // when something else is its sink.
  [[nodiscard]] static std::shared_ptr<probe> of(engine& e);

  // -- recording
  // What is needed to read the steps.
  struct contents {
    tick_clock::scale scale;
    std::vector<std::string> names;
    std::vector<std::string> threads;
    std::vector<event_ring<sync::real>::reading> steps;  // as many
    std::uint64_t unrecorded = 0;                        // threads for which there was no memory
  };
  // A recorder begins, with these options, which are checked already. False: the engine has had one. Throws
  // std::bad_alloc.
  [[nodiscard]] bool prepare_recording(const recorder_options& options);
  void record(bool whether) noexcept { see_all(whether); }
  void focus_on(const focus& f) { settings_.focus_on(f); }  // throws std::bad_alloc
  [[nodiscard]] contents read();

  // -- measuring
  // As often as it was told true without false, it measures.
  void measure(bool whether) noexcept;
  // Calls f(const type_meters&) for each thread.
  template <class F>
  void for_each_meters(F f) const {
    const std::lock_guard lock(mutex_);
    for (const auto& t : threads_) f(t->meters());
  }
  [[nodiscard]] tick_clock& clock() noexcept { return settings_.clock; }
  [[nodiscard]] kept_requests& requests() noexcept { return settings_.requests; }

  // -- detail::trace_sink
  [[nodiscard]] detail::trace_track* open(std::string_view thread) noexcept override;
  [[nodiscard]] std::uint64_t send(detail::port to, const detail::message_type& message,
                                   const detail::behavior_type* actor_type, std::uint64_t cause) noexcept override;
  void bury(const detail::trace_note& n) noexcept override;
  void give_up(detail::port customer) noexcept override;

  // Made by `of` only.
  probe();

 private:
  // Threads outside come and go, so they share a few places. Measured with 1 to 16 threads: docs/inspect/recorder.md.
  static constexpr std::size_t outside_places = 8;
  struct outside {
    outside();
    std::mutex mutex;
    message_numbers numbers;
    recent_focus focus;
    unsigned passed_over = 0;  // messages since the last root
    std::unique_ptr<thread_steps> steps;
  };
  [[nodiscard]] outside& of_this_thread() noexcept;
  [[nodiscard]] bool is_wanted(outside& here, detail::port to, const detail::behavior_type* actor_type,
                               std::uint64_t cause) noexcept;

  probe_settings settings_;
  std::array<outside, outside_places> outside_;
  mutable std::mutex mutex_;  // guards the rest
  std::vector<std::unique_ptr<thread_probe>> threads_;
  bool has_recorder_ = false;
  unsigned measured_by_ = 0;
};

}  // namespace tact::inspect
