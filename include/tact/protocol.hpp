// tact::protocol: the named set of message types that an actor accepts.
#include "tact/detail/begin.hpp"  // first
#pragma once

#include <concepts>
#include <cstdint>
#include <type_traits>

#include "tact/detail/core.hpp"
#include "tact/poison_pill.hpp"

namespace tact {

// struct account : tact::protocol<deposit, tact::request<balance>> {};
// Ms are message types, or other protocols, whose messages are then included, side by side in their own order. Derive a
// struct of your own from it, so that names in symbols and in error messages stay short. A protocol has at most 64
// messages, included ones counted. A message type is any complete, movable object type: a class, a std::string, a long.
// With tact::poison_pill among them the actor may be ended from outside, and has no handler for that.
template <class... Ms>
struct protocol;

class message;

// The answer of a request whose query says `using reply = void`.
struct done {
  friend constexpr bool operator==(done, done) = default;
};

// Why a send, a narrowing or a behaviour does not compile: the protocol P is only declared there, and not defined.
template <class P>
struct protocol_must_be_complete;

namespace detail {

struct classic_tag {};

template <class... Ms>
struct list {
  static constexpr unsigned size = sizeof...(Ms);
};

template <class... Ms>
list<Ms...> parts_of(const protocol<Ms...>*);

template <class T>
concept complete = requires { sizeof(T); };

template <class T>
concept some_protocol = requires(const T* t) { parts_of(t); };

// Classic actors: their class is their protocol.
template <class T>
concept classic = complete<T> && std::derived_from<T, classic_tag>;

template <class... Lists>
struct concat;
template <class... A>
struct concat<list<A...>> {
  using type = list<A...>;
};
template <class... A, class... B, class... Rest>
struct concat<list<A...>, list<B...>, Rest...> : concat<list<A..., B...>, Rest...> {};

template <class T>
struct flat {
  static_assert(complete<T>, "tact: a protocol or message must be defined, not only declared, where it is used");
  using type = list<T>;
};
template <class Parts>
struct flat_parts;
template <class... Ms>
struct flat_parts<list<Ms...>> : concat<typename flat<Ms>::type...> {};
template <class... Ms>
  requires(!some_protocol<Ms> && ...)
struct flat_parts<list<Ms...>> {
  using type = list<Ms...>;
};
template <some_protocol T>
struct flat<T> : flat_parts<decltype(parts_of(static_cast<const T*>(nullptr)))> {};

// All messages of P in the order of its table; a message type alone is a protocol of one.
template <class P>
using messages_of = typename flat<P>::type;

inline constexpr unsigned not_included = messages_max;

template <class Target, class P>
constexpr unsigned find_in();

template <class Target, class... Ms>
constexpr unsigned find_among(list<Ms...>) {
  unsigned at = 0;
  bool found = false;
  if constexpr ((!some_protocol<Ms> && ...)) {
    found = ((__is_same(Target, Ms) || (static_cast<void>(++at), false)) || ...);
  } else {
    const unsigned inside[] = {find_in<Target, Ms>()...};
    const unsigned sizes[] = {messages_of<Ms>::size...};
    for (unsigned i = 0; i != sizeof...(Ms) && !found; ++i) {
      found = inside[i] != not_included;
      at += found ? inside[i] : sizes[i];
    }
  }
  return found ? at : not_included;
}

// Where Target, a message or an included protocol, begins among P's messages.
template <class Target, class P>
constexpr unsigned find_in() {
  static_assert(complete<P>, "tact: a protocol or message must be defined, not only declared, where it is used");
  if constexpr (__is_same(Target, P)) {
    return 0;
  } else if constexpr (!complete<P>) {
    return 0;  // so that the compiler reports nothing else
  } else if constexpr (some_protocol<P>) {
    return find_among<Target>(decltype(parts_of(static_cast<const P*>(nullptr))){});
  } else {
    return not_included;
  }
}

template <class P, class Target>
inline constexpr unsigned index_of = find_in<Target, P>();
// A classic actor takes pills whether its class lists them or not. A pill calls no entry, so any index will do.
template <classic A>
inline constexpr unsigned index_of<A, poison_pill> =
    find_in<poison_pill, A>() == not_included ? 0 : find_in<poison_pill, A>();

// A ref of From may be used where one of To is wanted.
template <class From, class To>
concept narrows_to = index_of<From, To> != not_included;

template <class P, class M>
concept accepts = !some_protocol<M> && index_of<P, M> != not_included;

// A type that is only declared is reported in another way, so the next two functions find nothing wrong with it.
template <class M>
constexpr unsigned count_messages() {
  if constexpr (complete<M>) {
    return messages_of<M>::size;
  } else {
    return 1;
  }
}
template <class M>
constexpr bool can_be_message() {
  if constexpr (complete<M>) {
    return std::is_move_constructible_v<M> || std::is_base_of_v<message, M>;
  } else {
    return true;
  }
}

template <class M, class... Ms>
inline constexpr bool only_once = (unsigned{__is_same(M, Ms)} + ...) == 1;

}  // namespace detail

template <class... Ms>
struct protocol {
  static_assert(sizeof...(Ms) != 0, "tact::protocol: a protocol has at least one message");
  static_assert((detail::complete<Ms> && ...), "tact::protocol: message types must be defined before the protocol");
  static_assert((std::is_same_v<Ms, std::remove_cvref_t<Ms>> && ...),
                "tact::protocol: message types are plain types, without const or &");
  static_assert((detail::can_be_message<Ms>() && ...),
                "tact::protocol: a message is an object that can be moved, and destroyed; put what cannot be moved, or "
                "is abstract, into a std::unique_ptr, or derive it from tact::message and send it by reference");
  static_assert((detail::only_once<Ms, Ms...> && ...), "tact::protocol: a message type is listed twice");
  static_assert((detail::count_messages<Ms>() + ... + 0) <= detail::messages_max,
                "tact::protocol: at most 64 messages, included protocols counted; split the actor");
};

namespace detail {

// The part of a protocol with which an actor of the library is told of what it has begun itself: that a lease, a turn
// or a time is over, that an actor has ended which it watches, what was answered to its own request. Such a word comes
// once, and the actor may wait for it for ever. So no limit holds for it, neither that of the mailbox nor the engine's,
// and it has no rank in a mailbox with an order (docs/pressure.md). It cannot come more often than the actor has begun
// something.
template <class... Ms>
struct own_words : protocol<Ms...> {};

template <class Part>
inline constexpr bool are_own_words = false;
template <class... Ms>
inline constexpr bool are_own_words<own_words<Ms...>> = true;

template <class... Parts>
consteval std::uint64_t mask_of_own_words(list<Parts...>) {
  std::uint64_t mask = 0;
  std::uint64_t at = 1;
  [[maybe_unused]] const auto look = [&](unsigned size, bool are_own) {
    for (unsigned i = 0; i != size; ++i, at <<= 1) mask |= are_own ? at : 0;
  };
  if constexpr ((are_own_words<Parts> || ...)) (look(messages_of<Parts>::size, are_own_words<Parts>), ...);
  return mask;
}

// A bit for each message of P in the order of its table: the own words that P lists itself. Those of a protocol that P
// includes are ordinary messages of P: a program that includes the protocol of a part gets no way past limits by that.
template <class P>
inline constexpr std::uint64_t own_words_of = 0;
template <some_protocol P>
inline constexpr std::uint64_t own_words_of<P> =
    mask_of_own_words(decltype(parts_of(static_cast<const P*>(nullptr))){});

}  // namespace detail

}  // namespace tact

#include "tact/detail/end.hpp"  // last
