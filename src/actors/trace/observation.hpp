// What looks on while a thread runs messages: a simulation, a rehearsal, a record of steps.
#pragma once

#include <new>
#include <utility>

#include "actors/common/names.hpp"
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
  // Where this thread tells its steps while they are recorded; null: they are not. It is opened by the name that this
  // function returns, when it is first asked for.
  template <class Name>
  [[nodiscard]] detail::trace_track* track(Name name) noexcept {
    detail::trace_sink* const to = recorded_.active();
    if (to == nullptr) return nullptr;
    if (!has_opened_track_) open(*to, name);
    return track_;
  }
  // Whether the thread comes straight from the end of a recorded message, and whether it does so from now on.
  [[nodiscard]] bool follows(bool from_now_on) noexcept { return std::exchange(follows_, from_now_on); }
  // The same while the message that is handled is recorded; else null. See run_state::trace_by.
  [[nodiscard]] detail::trace_track* tracer() const noexcept { return tracer_; }
  void set_tracer(detail::trace_track* to) noexcept { tracer_ = to; }

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
  bool follows_ = false;
  sync::atomic<bool> is_on_;
  const tracing& recorded_;
  detail::trace_track* track_ = nullptr;  // owned by the sink
  detail::trace_track* tracer_ = nullptr;
};

}  // namespace tact::actors
