// tact::ref: the address of an actor.
#include "tact/detail/begin.hpp"  // first
#pragma once

#include <compare>
#include <concepts>
#include <cstddef>
#include <functional>
#include <iosfwd>
#include <string>
#include <string_view>
#include <type_traits>
#include <utility>

#include "tact/detail/access.hpp"
#include "tact/detail/message_type.hpp"
#include "tact/ended.hpp"
#include "tact/poison_pill.hpp"
#include "tact/protocol.hpp"

namespace tact {

// Each of these names a reason why a send does not compile; the compiler prints it as `problem`.
template <class M>
struct protocol_lacks;  // the actor's protocol has no message M
template <class M>
struct message_cannot_be_copied;  // M moves only: send it with std::move, handle it by const M&
template <class M>
struct message_would_be_sliced;  // M is derived from the message type of the protocol, which has no room for the rest
template <class P>
struct list_poison_pill_in_the_protocol_or_use_a_wider_ref;  // P, by which the ref goes, does not list the pill

// The address of an actor that accepts the messages of P: 8 bytes, freely copied. P is a protocol, a message type
// alone, or the class of a classic actor. To have a ref is the permission to send (Hewitt). A ref keeps nothing alive,
// and is harmless after the actor or its engine has ended: messages to it become dead letters. A default-constructed
// ref is the address of no actor. P may be incomplete where a ref is only kept or copied. Thread safety: a value like
// an int; sending is allowed from any thread.
template <class P>
class ref {
 public:
  constexpr ref() noexcept = default;

  // Narrows to one message of Q, or to a protocol that Q includes. Never widens.
  template <class Q>
    requires(!std::same_as<P, Q> && detail::index_of<Q, P> != detail::not_included)
  constexpr ref(ref<Q> wide) noexcept  // NOLINT: implicit by design
      : port_(wide ? detail::access::port_of(wide) + detail::index_of<Q, P> : 0) {}

  // True unless the ref is that of no actor. Says nothing about whether the actor is alive.
  constexpr explicit operator bool() const noexcept { return port_ != 0; }

  // Equal refs lead to the same actor, narrowed to the same messages. The order is arbitrary but total.
  friend constexpr bool operator==(ref, ref) noexcept = default;
  friend constexpr std::strong_ordering operator<=>(ref, ref) noexcept = default;

 private:
  friend struct detail::access;
  friend struct std::hash<ref>;
  constexpr explicit ref(detail::port p) noexcept : port_(p) {}

  detail::port port_ = 0;
};

namespace detail {

template <class P>
constexpr port address_of(ref<P> r) noexcept {
  return access::port_of(r);
}

struct no_problem;

// Would an Arg be sent to P as an object of its base class, which cuts off what Arg adds to it?
template <class P, class Arg>
concept sliced_as = std::derived_from<std::remove_cvref_t<Arg>, P> && !std::same_as<std::remove_cvref_t<Arg>, P>;

// The type of the message as which an Arg is sent to P: its own type, or P itself if P is a single message to which the
// Arg converts.
template <class P, class Arg>
concept converts_to_message = !some_protocol<P> && !accepts<P, std::remove_cvref_t<Arg>> && !sliced_as<P, Arg> &&
                              std::convertible_to<Arg, P> && requires(Arg&& arg) { P{std::forward<Arg>(arg)}; };
template <bool Converts>
struct sent_as {
  template <class, class Arg>
  using type = std::remove_cvref_t<Arg>;
};
template <>
struct sent_as<true> {
  template <class P, class>
  using type = P;
};
template <class P, class Arg>
using sent_as_t = typename sent_as<converts_to_message<P, Arg>>::template type<P, Arg>;

template <class M, class Arg>
inline constexpr bool can_be_made_of = __is_constructible(M, Arg) || sent_by_reference<Arg>;

template <class P, class Arg>
concept sendable = complete<P> && accepts<P, sent_as_t<P, Arg>> && can_be_made_of<sent_as_t<P, Arg>, Arg>;

template <class T>
concept pill = std::same_as<std::remove_cvref_t<T>, poison_pill>;

// The problem is looked for only where the concept `sendable` does not hold, so that a correct send costs the compiler
// no more than the concept.
template <bool Sendable>
struct problem_of_send {
  template <class, class>
  using type = no_problem;
};
template <>
struct problem_of_send<false> {
  template <class P, class Arg>
  static consteval auto find() {
    if constexpr (!complete<P>) {
      return std::type_identity<protocol_must_be_complete<P>>{};
    } else if constexpr (pill<Arg> && !accepts<P, poison_pill>) {
      return std::type_identity<list_poison_pill_in_the_protocol_or_use_a_wider_ref<P>>{};
    } else if constexpr (!accepts<P, sent_as_t<P, Arg>>) {
      using M = std::remove_cvref_t<Arg>;
      return std::type_identity<std::conditional_t<sliced_as<P, Arg>, message_would_be_sliced<M>, protocol_lacks<M>>>{};
    } else {
      return std::type_identity<message_cannot_be_copied<std::remove_cvref_t<Arg>>>{};
    }
  }
  template <class P, class Arg>
  using type = typename decltype(find<P, Arg>())::type;
};
template <class P, class Arg>
using send_problem = typename problem_of_send<sendable<P, Arg>>::template type<P, Arg>;

// The problem of a message that is passed on as it is.
template <class P, class M>
consteval auto find_pass_problem() {
  if constexpr (!complete<P>) {
    return std::type_identity<protocol_must_be_complete<P>>{};
  } else if constexpr (!accepts<P, M>) {
    return std::type_identity<protocol_lacks<M>>{};
  } else {
    return std::type_identity<no_problem>{};
  }
}
template <class P, class M>
using pass_problem = typename decltype(find_pass_problem<P, M>())::type;

// A function that sends or asks has a deleted twin, which exists only for arguments with `some` problem: the compiler
// prints the problem on the line of the call. The function itself exists only `without` a problem. `without` is no
// concept, so the compiler does not say at length why the function was left out.
template <class Problem>
concept some = !std::same_as<Problem, no_problem>;
template <class Problem>
struct with_none {};
template <>
struct with_none<no_problem> {
  using type = no_problem;
};
template <class Problem>
using without = typename with_none<Problem>::type;

template <class P, class Arg>
void stage_to(run& r, ref<P> to, Arg&& arg) {
  using M = sent_as_t<P, Arg>;
  const port p = access::port_of(to) + index_of<P, M>;  // the null port plus any index is below all other ports
  if constexpr (written_plainly<M, Arg>) {
    ::new (stage(r, p, message_type_of<M>)) M(static_cast<Arg&&>(arg));
  } else {
    stage_message<M>(r, p, static_cast<Arg&&>(arg));
  }
}
// Stages as the function above does, but a parallel actor handles the message in the next shard, round over those of
// all workers.
template <class P, class Arg>
void stage_round_to(run& r, ref<P> to, Arg&& arg) {
  using M = sent_as_t<P, Arg>;
  const port p = access::port_of(to) + index_of<P, M>;
  write_message<M>(std::forward<Arg>(arg), [&](const message_type& type) { return stage_round(r, p, type); });
}

// Writes the message into a buffer on the stack and calls deliver(port, type, payload), which moves it on.
template <class P, class Arg, class Deliver>
void deliver_to(ref<P> to, Arg&& arg, Deliver deliver) {
  using M = sent_as_t<P, Arg>;
  const port p = access::port_of(to) + (to ? index_of<P, M> : 0);
  deliver_message<M>(std::forward<Arg>(arg),
                     [&](const message_type& type, void* payload) { deliver(p, type, payload); });
}
// Sends to whichever engine the actor lives in; the message is staged when this thread runs a handler.
template <class P, class Arg>
void send_anywhere(ref<P> to, Arg&& arg) {
  if (run* r = current_run()) {
    stage_to(*r, to, std::forward<Arg>(arg));
  } else {
    deliver_to(to, std::forward<Arg>(arg),
               [](port p, const message_type& type, void* payload) { detail::send(p, type, payload); });
  }
}

// "account@7f3a40#12": name, cell, generation.
inline std::string describe(std::string_view name, port p) {
  if (p == 0) return std::string(name) + "@nobody";
  std::string digits;
  for (port cell = (p & 0xFFFF'FFFF'FFFF) >> index_bits; cell != 0; cell >>= 4) digits += "0123456789abcdef"[cell & 15];
  return std::string(name) + '@' + std::string(digits.rbegin(), digits.rend()) + '#' + std::to_string(p >> 48);
}

}  // namespace detail

// Sends a message. `a | m | n` sends m, then n. Inside a handler the message is staged and leaves at the commit;
// elsewhere it is in the actor's queue on return. M is a message of P, sent by value, or by reference if it is an
// lvalue derived from tact::message. Throws what copying the message throws, and std::bad_alloc; then nothing is sent.
// Source of the form: C∀.
template <class P, class M, class problem = detail::without<detail::send_problem<P, M>>>
ref<P> operator|(ref<P> to, M&& message) {
  detail::send_anywhere(to, std::forward<M>(message));
  return to;
}
template <class P, class M, detail::some problem = detail::send_problem<P, M>>
ref<P> operator|(ref<P> to, M&& message) = delete;

// Prints the address for people: "account@7f3a40#12".
template <class P>
std::ostream& operator<<(std::ostream& out, ref<P> r) {
  return out << detail::describe(detail::type_name<P>, detail::access::port_of(r));
}

}  // namespace tact

template <class P>
struct std::hash<tact::ref<P>> {
  std::size_t operator()(tact::ref<P> r) const noexcept { return std::hash<tact::detail::port>{}(r.port_); }
};

#include "tact/detail/end.hpp"  // last
