// Whether the steps of an engine are recorded, and where.
#pragma once

#include <cstdint>
#include <memory>
#include <utility>

#include "actors/common/names.hpp"
#include "sync/policy.hpp"
#include "sync/thread_state.hpp"
#include "tact/detail/trace_sink.hpp"

namespace tact::actors {

// The number of the message that this thread handles, if it is recorded; else 0.
[[nodiscard]] inline std::uint64_t recorded_message() noexcept {
  const std::uint64_t number = sync::thread_state::of_this_thread().recorded;
  return (number & detail::trace_sample_bit) == 0 ? number : 0;
}

// Invariant: a sink that was set stays, so threads may use it without a look at its life. Thread safety: any thread.
class tracing {
 public:
  tracing() = default;
  tracing(const tracing&) = delete;
  tracing& operator=(const tracing&) = delete;

  // False: there is a sink already. Threads that were known before have to be told: see observation::begin.
  [[nodiscard]] bool set(std::shared_ptr<detail::trace_sink> to) noexcept {
    detail::trace_sink* none = nullptr;
    if (!sink_.compare_exchange_strong(none, to.get())) return false;
    kept_ = std::move(to);
    return true;
  }
  // Null: there is none.
  [[nodiscard]] detail::trace_sink* sink() const noexcept { return sink_.load(); }
  // The sink, if it is on.
  [[nodiscard]] detail::trace_sink* active() const noexcept {
    detail::trace_sink* const s = sink();
    return s != nullptr && s->is_on() ? s : nullptr;
  }
  // The same for one message that this thread sends from outside: if only samples are wanted, nearly always null.
  [[nodiscard]] detail::trace_sink* active_for_send() const noexcept {
    detail::trace_sink* const s = sink();
    if (s == nullptr || s->sees_all()) return s;
    return s->sees_samples() && is_sample() ? s : nullptr;
  }

 private:
  // Of so many messages that a thread sends from outside one is a sample: a message with a number takes a block of
  // memory of its own, and so some 60 ns more. Which one is left to chance, because programs have rhythms.
  static constexpr unsigned sends_per_sample = 64;
  [[nodiscard]] static bool is_sample() noexcept {
    sync::thread_state& here = sync::thread_state::of_this_thread();
    if (here.until_sample == 0)
      here.until_sample = static_cast<std::uint8_t>(1 + random(here.sample_dice) % (2 * sends_per_sample - 1));
    return --here.until_sample == 0;
  }
  // A xorshift of George Marsaglia's, with 16 bits: each copy of the library takes of the memory for thread-locals that
  // the system reserves.
  static unsigned random(std::uint16_t& state) noexcept {
    state = static_cast<std::uint16_t>(state ^ (state << 7));
    state = static_cast<std::uint16_t>(state ^ (state >> 9));
    state = static_cast<std::uint16_t>(state ^ (state << 8));
    return state;
  }

  sync::atomic<detail::trace_sink*> sink_{nullptr};
  std::shared_ptr<detail::trace_sink> kept_;  // owner: the thread that has set the sink
};

}  // namespace tact::actors
