// tact::timer: a message that will be sent later, or again and again; and how engines and transactions set one.
#include "tact/detail/begin.hpp"  // first
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

// The handle of a timer. It is freely copied, keeps nothing alive, and is harmless for ever, also after the engine is
// gone. A default-constructed handle is that of no timer.
class timer {
 public:
  timer() = default;

  // Cancels the timer, on any thread: at once outside of handlers; inside a handler at its commit, and not at all if
  // the run does not commit. True: its message has not been sent and never will be; of a timer that repeats, no further
  // message will be sent. False: the message was sent and is counted as such, or the timer was cancelled before, or it
  // was dropped with its engine, or the run that was to set it has not committed. Inside a handler the result is false:
  // a message that leaves before the commit has left; and there the call may throw std::bad_alloc. Outside of handlers
  // the call waits for a message that is leaving at this moment.
  bool cancel() const { return detail::cancel_timer(id_); }  // NOLINT(modernize-use-nodiscard): callers may ignore it

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
timer_again again_after(std::chrono::duration<Rep, Period> period, std::type_identity<M>,
                        const char* unless_positive = "send_every: the period must be positive") {
  if (!is_positive(period)) throw usage_error(unless_positive);
  return {whole_ns(period), &copy_payload<M>};
}

// The calls that set timers. An engine sets them at once, or in the run of a handler; a transaction sets them in its
// run. Self has set(in_run, at_once), which calls one of the two functions, with a run or with a core.
template <class Self>
class setter {
 public:
  // Sends m, a message of P, when `delay` has passed from now on; in a handler, from the commit on. When the timer is
  // due the message is sent as by a thread outside. A delay that is negative is 0; one that the clock cannot say is for
  // ever. Inside a handler nothing is set if the run does not commit. Throws what copying the message throws, and
  // std::bad_alloc; the first timer of an engine starts a thread, for which std::system_error may be thrown.
  template <class Rep, class Period, class P, class M, class problem = without<send_problem<P, M>>>
  timer send_after(std::chrono::duration<Rep, Period> delay, ref<P> to, M&& m) {
    return set(to, std::forward<M>(m), due_after(delay), nullptr);
  }
  template <class Rep, class Period, class P, class M, some problem = send_problem<P, M>>
  timer send_after(std::chrono::duration<Rep, Period> delay, ref<P> to, M&& m) = delete;

  // Sends m, as send_after does, at a point of time of steady_clock, or of system_clock. The latter is read once, when
  // the timer is set: changes of the system's time after that move no timer.
  template <clock_of_timers Clock, class Duration, class P, class M, class problem = without<send_problem<P, M>>>
  timer send_at(std::chrono::time_point<Clock, Duration> when, ref<P> to, M&& m) {
    return set(to, std::forward<M>(m), due_at(when), nullptr);
  }
  template <clock_of_timers Clock, class Duration, class P, class M, some problem = send_problem<P, M>>
  timer send_at(std::chrono::time_point<Clock, Duration> when, ref<P> to, M&& m) = delete;

  // Sends a copy of m each time that `period` has passed, first after one period. This goes on until the timer is
  // cancelled or the actor has ended; in the latter case one last message is a dead letter. When the system or the
  // engine was late, one message is sent for all that were missed, and then the timer goes on in its old step. It does
  // not wait for copies that the actor has not handled yet: these add up. A copy that throws is left out. Throws
  // usage_error when the period is not positive.
  template <class Rep, class Period, class P, class M, class problem = without<send_problem<P, const M&>>>
  timer send_every(std::chrono::duration<Rep, Period> period, ref<P> to, const M& m) {
    using message = sent_as_t<P, const M&>;
    const timer_again again = again_after(period, std::type_identity<message>{});
    return set(to, message(m), {due_time::from::setting, again.period_ns}, &again);
  }
  template <class Rep, class Period, class P, class M, some problem = send_problem<P, const M&>>
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

#include "tact/detail/end.hpp"  // last
