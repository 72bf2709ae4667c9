// Observes one thread that runs handlers: records its steps, and measures samples.
#pragma once

#include <array>
#include <cstdint>
#include <memory>
#include <string>

#include "inspect/message_number.hpp"
#include "inspect/probe_settings.hpp"
#include "inspect/recent_focus.hpp"
#include "inspect/thread_steps.hpp"
#include "inspect/type_meters.hpp"
#include "sync/policy.hpp"
#include "tact/detail/trace_sink.hpp"

namespace tact::inspect {

// Thread safety: what it has from trace_track by its thread; the rest by any.
class thread_probe final : public detail::trace_track {
 public:
  // `number`: of the thread, in this process.
  thread_probe(std::string name, std::uint64_t number, const detail::trace_sink& all, probe_settings& settings);
  thread_probe(const thread_probe&) = delete;
  thread_probe& operator=(const thread_probe&) = delete;

  [[nodiscard]] std::uint64_t begin(const detail::trace_note& n) noexcept override;
  [[nodiscard]] std::uint64_t send(const detail::trace_note& n) noexcept override;
  void write(const detail::trace_note& n) noexcept override;
  void sample_next(std::uint64_t stands_for) noexcept override;
  void arrive(std::uint64_t id, const detail::behavior_type& at) noexcept override;
  void pause() noexcept override { nothing_since_ = false; }
  void defer(detail::port customer) noexcept override;

  [[nodiscard]] const std::string& name() const noexcept { return name_; }
  // Null: it has recorded nothing.
  [[nodiscard]] const thread_steps* steps() const noexcept { return steps_.load(); }
  [[nodiscard]] const type_meters& meters() const noexcept { return meters_; }

 private:
  // What is told of the message that is handled now.
  enum class telling : unsigned char {
    nothing,
    all,
    // It is for no actor in focus: nothing, until it sends to one that is.
    sends_to_focus,
  };
  // What the handler has sent to the customer of its request.
  enum class told : unsigned char { nothing, answer, failure };
  struct sample {
    std::uint64_t message = 0;  // 0: none is measured
    std::uint64_t since = 0;    // in ticks
    std::uint64_t stands_for = 0;
    const detail::behavior_type* of = nullptr;
    detail::port customer = 0;  // of a request
    told customer_is_told = told::nothing;
    std::uint64_t sent = 0;  // messages
  };

  [[nodiscard]] telling decide(const detail::trace_note& n, std::uint64_t id) noexcept;
  [[nodiscard]] bool takes_root() noexcept;
  [[nodiscard]] bool is_sample() noexcept;
  void begin_sample(std::uint64_t id, const detail::trace_note& n) noexcept;
  void end_sample(const detail::trace_note& n) noexcept;
  void count_sent(const detail::trace_note& n) noexcept;
  void keep_request() noexcept;
  void record(const detail::trace_note& n, std::uint64_t id, std::uint64_t ticks) noexcept;
  [[nodiscard]] thread_steps* open_steps() noexcept;
  [[nodiscard]] bool is_told(const detail::trace_note& n) const noexcept;
  std::uint64_t look_at_clock() noexcept { return ticks_ = settings_.clock.now(); }

  const std::string name_;
  const detail::trace_sink& all_;
  probe_settings& settings_;
  message_numbers numbers_;
  recent_focus focus_;
  std::unique_ptr<thread_steps> kept_steps_;  // owner: the thread
  sync::atomic<thread_steps*> steps_{nullptr};
  type_meters meters_;
  unsigned passed_over_ = 0;      // messages since the last root
  unsigned told_ = 0;             // messages since the last sample, while all are told
  std::uint64_t stands_for_ = 0;  // of the sample that begins next; 0: the next message is none

  telling what_ = telling::nothing;
  detail::trace_note begun_;  // the message that is handled, if it is a sample, or is told when it sends to focus
  std::uint64_t begun_id_ = 0;
  std::uint64_t begun_ticks_ = 0;
  bool begun_is_recorded_ = false;
  sample sample_;
  std::uint64_t ticks_ = 0;     // the last reading of the clock
  bool nothing_since_ = false;  // that reading was the end of a message, and the thread has done nothing since
};

}  // namespace tact::inspect
