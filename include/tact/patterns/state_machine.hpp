// tact::state_machine: an actor whose states are classes, with time limits and actions at their beginning and end.
#include "tact/detail/begin.hpp"  // first
#pragma once

#include <cstdint>
#include <iosfwd>
#include <optional>
#include <stdexcept>
#include <string>
#include <type_traits>
#include <utility>
#include <variant>

#include "tact/behavior.hpp"
#include "tact/detail/message_type.hpp"
#include "tact/detail/type_name.hpp"
#include "tact/patterns/stash.hpp"
#include "tact/protocol.hpp"
#include "tact/ref.hpp"
#include "tact/self.hpp"
#include "tact/timer.hpp"

namespace tact {

// What becomes of a message that a state does not handle: its `static constexpr tact::unhandled otherwise = ...`.
enum class unhandled : unsigned char {
  fails,        // the run throws std::logic_error, which is reported; the customer of a request is told
  waits,        // it is put aside until the next transition (tact::stash), and is then in front of what waits
  dead_letter,  // it is dropped, and counted as a dead letter; the customer of a request is told target_ended
};
std::ostream& operator<<(std::ostream&, unhandled);

// What a state handles when it has lasted for its time limit.
struct state_timeout {};
// Makes a machine enter its first state, if it has not done so yet.
struct start_states {};

namespace detail {

struct state_time_over {
  std::uint64_t entry;  // the transition that began the state
};

}  // namespace detail

// The protocol of a state machine: the messages of P, tact::start_states, and its own, for which no limit holds.
template <class P>
struct state_machine_protocol : protocol<P, start_states, detail::own_words<detail::state_time_over>> {};

namespace detail {

template <class S>
concept has_time_limit = requires(const S& s) { s.time_limit(); };

template <class S>
consteval unhandled rest_of() {
  if constexpr (requires { S::otherwise; }) {
    return S::otherwise;
  } else {
    return unhandled::fails;
  }
}

// The behaviour of a machine in state S. A time limit is a timer that repeats, so that a run which fails is followed by
// another one; the first that does not fail cancels it. Its messages name the transition, so those of a state that was
// left are out of date.
template <class P, class S>
class machine_state {
  using self_type = self<state_machine_protocol<P>>;
  template <class M>
  static constexpr bool handles = std::is_invocable_v<const S&, self_type&, const M&>;
  static_assert(std::is_copy_constructible_v<S>, "tact::state_machine: a state is a value that can be copied");
  static_assert(
      !has_time_limit<S> || requires(const S& s) { whole_ns(s.time_limit()); },
      "tact::state_machine: time_limit() returns a std::chrono duration, and is const");
  static_assert(!has_time_limit<S> || handles<state_timeout>,
                "tact::state_machine: a state with a time_limit() handles tact::state_timeout");

 public:
  explicit machine_state(S state, std::uint64_t nth = 0) : state_(std::move(state)), entry_(nth) {}

  template <class M>
    requires accepts<P, M>
  void operator()(self_type& self, const M& m) const {
    machine_state now = started(self);
    if constexpr (handles<M>) {
      if (!now.run(self, m) && !has_begun_) self.become(std::move(now));
    } else if constexpr (rest_of<S>() == unhandled::waits) {
      now.waiting_ = now.waiting_.put(self, m);
      self.become(std::move(now));
    } else if constexpr (rest_of<S>() == unhandled::dead_letter) {
      self.pass_on(ref<M>(), m);
      if (!has_begun_) self.become(std::move(now));
    } else {
      throw std::logic_error("tact::state_machine: the state " + std::string(type_name<S>) + " does not handle " +
                             std::string(type_name<M>));
    }
  }
  void operator()(self_type& self, const start_states&) const {
    if (!has_begun_) self.become(started(self));
  }
  void operator()(self_type& self, const state_time_over& m) const {
    if constexpr (has_time_limit<S> && handles<state_timeout>) {
      if (m.entry != entry_ || limit_ == timer()) return;
      if (run(self, state_timeout{})) return;
      machine_state now = *this;
      std::exchange(now.limit_, timer()).cancel();
      self.become(std::move(now));
    }
  }

  // This state at its beginning.
  [[nodiscard]] machine_state started(self_type& self) const {
    machine_state now = *this;
    if (std::exchange(now.has_begun_, true)) return now;
    if constexpr (has_time_limit<S>) {
      now.limit_ = self.send_every(state_.time_limit(), self.ref(), state_time_over{entry_});
    }
    if constexpr (requires { state_.enter(self); }) state_.enter(self);
    return now;
  }

 private:
  // Handles m; true: the state was left.
  template <class M>
  bool run(self_type& self, const M& m) const {
    if constexpr (std::is_void_v<std::invoke_result_t<const S&, self_type&, const M&>>) {
      state_(self, m);
      return false;
    } else {
      return go(self, state_(self, m));
    }
  }
  template <class Next>
  bool go(self_type& self, Next next) const {
    if (limit_ != timer()) limit_.cancel();
    if constexpr (requires { state_.leave(self); }) state_.leave(self);
    self.become(machine_state<P, Next>(std::move(next), entry_ + 1).started(self));
    if (!waiting_.empty()) waiting_.give_back_in_front(self);
    return true;
  }
  template <class Next>
  bool go(self_type& self, std::optional<Next> next) const {
    return next && go(self, std::move(*next));
  }
  template <class... Next>
  bool go(self_type& self, std::variant<Next...> next) const {
    return std::visit([&](auto& one) { return go(self, std::move(one)); }, next);
  }

  S state_;
  std::uint64_t entry_;
  bool has_begun_ = false;
  timer limit_{};
  stash<P> waiting_{};
};

}  // namespace detail

// struct unlocked;
// struct locked {
//   unlocked operator()(auto& self, const coin&) const;
// };
// struct unlocked {
//   locked operator()(auto&, const push&) const { return {}; }
//   locked operator()(auto&, const tact::state_timeout&) const { return {}; }
//   std::chrono::seconds time_limit() const { return 10s; }
// };
// unlocked locked::operator()(auto&, const coin&) const { return {}; }
//
// const auto gate = engine.create(tact::state_machine<turnstile>(locked{}));
//
// A machine for the messages of P. A state is a class, whose members are its data: a value that can be copied. It has a
// call operator, const, for each message that it handles, `next operator()(auto& self, const M&) const`, and the state
// that it returns is the next one. With void, or an empty std::optional, the machine stays; a std::variant, or an
// optional of it, chooses among several. A transition into the same class is one, too. A state may have besides:
//
// - `time_limit()`, a duration. When the state has lasted that long it handles tact::state_timeout, once; if it stays
//   then, there is no further one. The timer of a state that was left is cancelled, and what it has sent by then is
//   ignored. If the run throws, it is tried again after the same time.
// - `enter(auto& self) const` and `leave(auto& self) const`, which run in the transition, behind the handler.
// - `static constexpr tact::unhandled otherwise`: see there. What waits is given back in the transition, in its order
//   and in front of the mailbox; requests that wait when the machine ends are told (target_ended).
//
// A transition is part of its run: one that throws leaves the machine, its timer and what waits as they were. The first
// state is entered by the first message; send tact::start_states if its time limit is to begin before. A handler ends
// the machine by self.stop(), and returns no state then. Created tact::parallel it promises the same except for the
// order. Costs: nothing but a become for each transition; a timer for a state with a time limit; for what waits see
// tact::stash. Throws usage_error, in a run, when a time limit is not positive. Source of the idea: Erlang's
// gen_statem.
template <class P, class S>
[[nodiscard]] behavior<state_machine_protocol<P>> state_machine(S first) {
  return detail::machine_state<P, S>(std::move(first));
}

// Names of earlier versions; they go with the next one.
template <class P>
using in_states [[deprecated("use tact::state_machine_protocol")]] = state_machine_protocol<P>;

}  // namespace tact

#include "tact/detail/end.hpp"  // last
