// tact::debounce: a behaviour that passes the last message on when no further one has come for a while.
#include "tact/detail/begin.hpp"  // first
#pragma once

#include <chrono>
#include <cstdint>
#include <type_traits>

#include "tact/behavior.hpp"
#include "tact/detail/deadline.hpp"
#include "tact/detail/held_message.hpp"
#include "tact/failure.hpp"
#include "tact/patterns/detail/leaving.hpp"
#include "tact/patterns/detail/sure_run.hpp"
#include "tact/protocol.hpp"
#include "tact/ref.hpp"
#include "tact/self.hpp"

namespace tact {

namespace detail {

// The timer has gone off, so it may have been quiet for long enough.
struct may_be_quiet {};

}  // namespace detail

// The protocol of a debouncer. Programs send M; the rest is its own, and no limit holds for that.
template <class M>
struct debounce_protocol : protocol<M, detail::own_words<detail::may_be_quiet>, failure> {};

namespace detail {

// While a message is held, one timer runs, however many come: when it goes off too early it is set anew.
template <class M>
struct debouncer {
  using self_type = self<debounce_protocol<M>>;

  void operator()(self_type& self, const M& m) const {
    if (!last) self.send_after(quiet, self.ref(), may_be_quiet{});
    self.become(debouncer{to, quiet, hold_back(self, m), deadline_after(quiet)});
  }
  void operator()(self_type& self, const may_be_quiet&) const { look(self); }
  // The run for which the timer had gone off has failed.
  void operator()(self_type& self, const failure&) const { look(self); }

  void look(self_type& self) const {
    const sure_run sure(self);
    if (!last || !due) return;
    const auto now = detail::now();
    if (now < *due) {
      self.send_after(*due - now, self.ref(), may_be_quiet{});
      return;
    }
    leaving<M>(self).send(last, to);
    self.become(debouncer{to, quiet});
  }

  ref<M> to;
  std::chrono::nanoseconds quiet;
  held<M> last{};
  deadline due{};
};

}  // namespace detail

// const auto settled = engine.create(tact::debounce(layout, 100ms));
// engine.send(settled, resized{...});   // as often as it likes
//
// Passes a message on to `to` when no further one has come for `quiet`; a message that is followed by another one
// before that is dropped. For news of which only the last counts: a window that is resized, a file that is written.
// What never stops coming is never passed on. The message goes on in its own context. When the debouncer ends, what it
// holds is lost. M is no request, because the customer of one that is dropped would hear nothing. Costs: a message for
// each that comes, one for each that goes, and about one timer for each `quiet` while messages come. Source of the
// idea: the debouncing of switches.
template <class M, class Rep, class Period>
[[nodiscard]] behavior<debounce_protocol<M>> debounce(ref<M> to, std::chrono::duration<Rep, Period> quiet) {
  static_assert(!detail::some_protocol<M>, "tact::debounce: it passes one type of message on: narrow the ref to it");
  static_assert(!detail::has_customer<M>, "tact::debounce: a request must be answered, so it is not dropped");
  static_assert(std::is_copy_constructible_v<M>, "tact::debounce: what it holds is copied, so M must be copyable");
  return detail::debouncer<M>{to, std::chrono::nanoseconds(detail::whole_ns(quiet))};
}

// Names of earlier versions; they go with the next one.
template <class M>
using debounced [[deprecated("use tact::debounce_protocol")]] = debounce_protocol<M>;

}  // namespace tact

#include "tact/detail/end.hpp"  // last
