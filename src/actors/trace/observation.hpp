// What looks on while a thread runs messages: a simulation, a rehearsal, a record of steps.
#pragma once

#include <new>

#include "actors/common/names.hpp"
#include "actors/trace/sampling.hpp"
#include "actors/trace/tracing.hpp"
#include "sync/policy.hpp"

namespace tact::actors {

// Thread safety: the thread of the run only, except where a function says otherwise.
class observation {
 public:
  // `always`: a simulation looks on, or handlers are rehearsed.
  observation(const tracing& recorded, bool always) noexcept : is_on_(always), recorded_(recorded) {}

  // More is to be done with each message than to run it.
  // relaxed: hint; a message more or less is recorded.
  [[nodiscard]] bool is_on() const noexcept { return is_on_.load(std::memory_order_relaxed); }
  // From now on it is so. Any thread.
  void begin() noexcept { is_on_.store(true, std::memory_order_relaxed); }

  // The run that goes on will be undone: see rehearser.
  [[nodiscard]] bool is_rehearsed() const noexcept { return is_rehearsed_; }
  void rehearse(bool whether) noexcept { is_rehearsed_ = whether; }

  // The engine has a sink for steps.
  [[nodiscard]] bool is_recorded() const noexcept { return recorded_.sink() != nullptr; }
  // Every message is shown to the sink.
  [[nodiscard]] bool shows_all() const noexcept {
    const detail::trace_sink* const to = recorded_.sink();
    return to != nullptr && to->sees_all();
  }
  [[nodiscard]] actors::sampling& samples() noexcept { return samples_; }
  // Where this thread tells its steps while the sink is on; null: it is not. It is opened by the name that this
  // function returns, when it is first asked for.
  template <class Name>
  [[nodiscard]] detail::trace_track* track(Name name) noexcept {
    detail::trace_sink* const to = recorded_.active();
    if (to == nullptr) return nullptr;
    if (!has_opened_track_) open(*to, name);
    return track_;
  }
  // The same, if it was opened.
  [[nodiscard]] detail::trace_track* opened_track() const noexcept { return track_; }
  // The same while the message that is handled is observed; else null. See run_state::trace_by.
  [[nodiscard]] detail::trace_track* tracer() const noexcept { return tracer_; }
  void set_tracer(detail::trace_track* to) noexcept { tracer_ = to; }
  // The customer of an ask is told that there will be no answer.
  void note_given_up(port customer) const noexcept {
    if (detail::trace_sink* const to = is_on() ? recorded_.active() : nullptr) to->give_up(customer);
  }

 private:
  // Without memory for the name it is tried again at the next message.
  template <class Name>
  void open(detail::trace_sink& to, Name name) noexcept {
    try {
      track_ = to.open(name());
      has_opened_track_ = true;
    } catch (const std::bad_alloc&) {
      track_ = nullptr;
    }
  }

  bool is_rehearsed_ = false;
  bool has_opened_track_ = false;
  sync::atomic<bool> is_on_;
  const tracing& recorded_;
  actors::sampling samples_;
  detail::trace_track* track_ = nullptr;  // owned by the sink
  detail::trace_track* tracer_ = nullptr;
};

}  // namespace tact::actors
