// Keeps the steps that the threads of an engine tell: a ring for each thread that runs handlers, and some for others.
#pragma once

#include <array>
#include <cstddef>
#include <cstdint>
#include <memory>
#include <mutex>
#include <string>
#include <string_view>
#include <vector>

#include "inspect/event_ring.hpp"
#include "inspect/tick_clock.hpp"
#include "inspect/type_names.hpp"
#include "sync/policy.hpp"
#include "tact/detail/trace_sink.hpp"
#include "tact/inspect/recorder.hpp"

namespace tact::inspect {

// The steps of one thread. Thread safety: write, takes_root and next_id by that thread; the rest by any.
class thread_steps final : public detail::trace_track {
 public:
  using ring_type = event_ring<sync::real>;

  // Throws std::bad_alloc.
  thread_steps(std::string name, std::size_t events, unsigned one_of, tick_clock& clock, type_names& names);

  void write(const detail::trace_note& n) noexcept override;
  [[nodiscard]] bool takes_root() noexcept override;

  [[nodiscard]] const std::string& name() const noexcept { return name_; }
  [[nodiscard]] const ring_type& ring() const noexcept { return ring_; }

 private:
  // The end of a message and the beginning of one that follows at once are one reading of the clock. In a simulation
  // other threads may have run between the two.
  [[nodiscard]] std::uint64_t ticks_at(const detail::trace_note& n) noexcept;
  void write_text(std::string_view text) noexcept;

  const std::string name_;
  tick_clock& clock_;
  recent_type_numbers types_;
  ring_type ring_;
  const unsigned one_of_;
  unsigned passed_over_ = 0;  // messages since the last root
  detail::trace_step last_ = detail::trace_step::sent;
  std::uint64_t last_ticks_ = 0;
};

// Thread safety: any thread.
class recording final : public detail::trace_sink {
 public:
  // What is needed to read the steps.
  struct contents {
    tick_clock::scale scale;
    std::vector<std::string> names;
    std::vector<std::string> threads;
    std::vector<event_ring<sync::real>::reading> steps;  // as many
    std::uint64_t unrecorded = 0;                        // threads for which there was no memory
  };

  // Throws std::bad_alloc. The options are checked already.
  explicit recording(const recorder_options& options);

  void start(bool whether) noexcept { switch_on(whether); }
  [[nodiscard]] contents read();

  [[nodiscard]] detail::trace_track* open(std::string_view thread) noexcept override;
  [[nodiscard]] std::uint64_t send(detail::port to, const detail::message_type& message,
                                   const detail::behavior_type* actor_type, std::uint64_t cause) noexcept override;
  void bury(const detail::trace_note& n) noexcept override;

 private:
  // Threads outside come and go, so they share a few rings. Measured with 1 to 16 threads: docs/inspect/recorder.md.
  static constexpr std::size_t outside_rings = 8;
  struct outside {
    std::mutex mutex;
    std::unique_ptr<thread_steps> steps;
  };
  [[nodiscard]] outside& of_this_thread() noexcept;

  const recorder_options options_;
  tick_clock clock_;
  type_names names_;
  std::array<outside, outside_rings> outside_;
  mutable std::mutex mutex_;  // guards the next two
  std::vector<std::unique_ptr<thread_steps>> threads_;
  std::uint64_t unrecorded_ = 0;
};

// The first number of the messages of one more thread; it and those that follow belong to that thread.
[[nodiscard]] std::uint64_t numbers_of_one_thread() noexcept;

}  // namespace tact::inspect
