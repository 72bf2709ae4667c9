// tact::timer: a message that will be sent later, or again and again; and how engines and transactions set one.
#include "tact/detail/language.hpp"  // first
#pragma once

#include <chrono>
#include <concepts>
#include <type_traits>
#include <utility>

#include "tact/detail/access.hpp"
#include "tact/detail/core.hpp"
#include "tact/detail/deadline.hpp"
#include "tact/detail/message_type.hpp"
#include "tact/failure.hpp"
#include "tact/ref.hpp"

namespace tact {

// A handle, freely copied; it keeps nothing alive, and is harmless for ever, also after the engine is gone. One that is
// made without arguments is that of no timer.
class timer {
 public:
  timer() = default;

  // From any thread outside, at once. True: its message has not been sent and never will be; of one that sends again
  // and again: none will be sent any more. False: the message was sent and is counted as such, or the timer was
  // cancelled before, or the run that was to set it has not committed. Waits for a message that is leaving at this
  // moment. Throws usage_error inside a handler, where self.cancel(t) takes effect at the commit.
  bool cancel() const { return detail::cancel_timer(id_); }  // NOLINT(modernize-use-nodiscard): who need not know

  friend bool operator==(const timer&, const timer&) = default;

 private:
  friend struct detail::access;
  explicit timer(detail::timer_id id) noexcept : id_(id) {}

  detail::timer_id id_;
};

namespace detail {

template <class Clock>
concept clock_of_timers =
    std::same_as<Clock, std::chrono::steady_clock> || std::same_as<Clock, std::chrono::system_clock>;

template <class Rep, class Period>
due_time due_after(std::chrono::duration<Rep, Period> delay) {
  return {due_time::from::setting, whole_ns(delay)};
}
template <clock_of_timers Clock, class Duration>
due_time due_at(std::chrono::time_point<Clock, Duration> when) {
  constexpr bool is_steady = std::same_as<Clock, std::chrono::steady_clock>;
  return {is_steady ? due_time::from::steady : due_time::from::system, whole_ns(when.time_since_epoch())};
}

template <class M>
void copy_payload(const void* message, void* payload) {
  write_message<M>(*static_cast<const M*>(message), [=](const message_type&) { return payload; });
}

template <class Rep, class Period, class M>
timer_again again_after(std::chrono::duration<Rep, Period> period, std::type_identity<M>) {
  // Not written as <= 0: what is no number is no period.
  if (!(period > period.zero())) throw usage_error("send_every: the period must be positive");
  return {whole_ns(period), &copy_payload<M>};
}

// What sets timers: an engine, at once or in the run of a handler, and a transaction. Self has set(in_run, at_once),
// which calls one of them, with a run or with a core.
template <class Self>
class setter {
 public:
  // Sends m, a message of P, that time after now; in a handler after its commit. Then it is as if a thread outside had
  // sent it. A time that has passed is now, one that the clock cannot say is never.
  template <class Rep, class Period, class P, class M>
    requires(!pill<M>) && sendable<P, M>
  timer send_after(std::chrono::duration<Rep, Period> delay, ref<P> to, M&& m) {
    return set(to, std::forward<M>(m), due_after(delay), nullptr);
  }
  template <class Rep, class Period, class P, class M, class problem = send_problem<P, M>>
    requires(!pill<M> && !none<problem>)
  timer send_after(std::chrono::duration<Rep, Period> delay, ref<P> to, M&& m) = delete;

  // The same at a time of steady_clock, or of system_clock, which is read once, when the timer is set: who changes the
  // system's time after that moves no timer.
  template <clock_of_timers Clock, class Duration, class P, class M>
    requires(!pill<M>) && sendable<P, M>
  timer send_at(std::chrono::time_point<Clock, Duration> when, ref<P> to, M&& m) {
    return set(to, std::forward<M>(m), due_at(when), nullptr);
  }
  template <clock_of_timers Clock, class Duration, class P, class M, class problem = send_problem<P, M>>
    requires(!pill<M> && !none<problem>)
  timer send_at(std::chrono::time_point<Clock, Duration> when, ref<P> to, M&& m) = delete;

  // Sends a copy of m each time that so much time has passed, first after one period, until it is cancelled or the
  // actor has ended, which one dead letter finds out. After a delay, of the system or the engine, one message is sent
  // for all that were missed, and then in the old step. Copies that the actor has not handled yet hold up nothing: they
  // add up. A copy that throws is left out. Throws usage_error when the period is not positive.
  template <class Rep, class Period, class P, class M>
    requires(!pill<M>) && sendable<P, const M&>
  timer send_every(std::chrono::duration<Rep, Period> period, ref<P> to, const M& m) {
    using message = sent_as_t<P, const M&>;
    const timer_again again = again_after(period, std::type_identity<message>{});
    return set(to, message(m), {due_time::from::setting, again.period_ns}, &again);
  }
  template <class Rep, class Period, class P, class M, class problem = send_problem<P, const M&>>
    requires(!pill<M> && !none<problem>)
  timer send_every(std::chrono::duration<Rep, Period> period, ref<P> to, const M& m) = delete;

 private:
  template <class P, class M>
  timer set(ref<P> to, M&& m, const due_time& when, const timer_again* again) {
    using message = sent_as_t<P, M>;
    const port p = access::port_of(to) + (to ? index_of<P, message> : 0);
    timer_id made;
    const auto in_run = [&](run& r) {
      write_message<message>(std::forward<M>(m),
                             [&](const message_type& type) { return stage_timer(r, p, type, when, again, made); });
    };
    const auto at_once = [&](core& engine) {
      deliver_message<message>(std::forward<M>(m), [&](const message_type& type, void* payload) {
        made = set_timer(engine, p, type, payload, when, again);
      });
    };
    access::set(static_cast<Self&>(*this), in_run, at_once);
    return access::make_timer(made);
  }
};

}  // namespace detail
}  // namespace tact
