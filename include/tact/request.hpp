// tact::request: a message that wants an answer.
#include "tact/detail/begin.hpp"  // first
#pragma once

#include <iterator>
#include <type_traits>
#include <utility>

#include "tact/detail/message_type.hpp"
#include "tact/protocol.hpp"
#include "tact/ref.hpp"

namespace tact {

// The reason why an ask does not compile: Q does not name the type of its answer.
template <class Q>
struct query_names_no_reply;
// The reason why a behaviour or a reply does not compile: it takes the query by itself, and cannot answer that. R is
// the request to be taken instead, by const R&.
template <class R>
struct handler_must_take;
// Each of these names a reason why a reply does not compile.
template <class R>
struct answer_must_be;  // an R, as the query says; for void there is none
template <class M>
struct not_a_request;  // M is neither a request nor the query of one: the first argument of reply is the request

namespace detail {

template <class Q>
concept query = requires { typename Q::reply; };

template <class R>
using reply_message = std::conditional_t<std::is_void_v<R>, done, R>;

}  // namespace detail

// A query Q names the type of its answer: struct balance { using reply = long; }; with `void` the answer is tact::done.
// The receiver answers with self.reply(request, value), passes the request on, or defers it; otherwise the customer is
// told that it will not be answered. A request to an actor that has ended, or one whose handler throws, fails at once
// as well. A request takes 8 bytes more than its body. Source of the idea: the customers of Hewitt and of Lisp-Actors.
template <class Q>
struct request {
  static_assert(detail::query<Q>, "tact::request<Q>: a query names the type of its answer: using reply = ...;");
  using reply = detail::reply_message<typename Q::reply>;

  ref<reply> customer{};
  [[no_unique_address]] Q body{};
};

template <class Q>
inline constexpr bool detail::has_customer<request<Q>> = true;
template <class Q>
inline constexpr auto detail::customer_of<request<Q>> =
    +[](const void* message) noexcept { return access::port_of(static_cast<const request<Q>*>(message)->customer); };

namespace detail {

template <class R, class... V>
consteval auto find_reply_problem() {
  if constexpr (has_customer<R>) {
    using answer = typename decltype(R::body)::reply;
    if constexpr (std::is_void_v<answer> ? sizeof...(V) == 0
                                         : (std::is_convertible_v<V, answer> && ... && (sizeof...(V) == 1))) {
      return std::type_identity<no_problem>{};
    } else {
      return std::type_identity<answer_must_be<answer>>{};
    }
  } else if constexpr (query<R>) {
    return std::type_identity<handler_must_take<request<R>>>{};
  } else {
    return std::type_identity<not_a_request<R>>{};
  }
}
// The reason why a reply does not compile. An answer that would be cut off to the type that the query names is a
// problem, too.
template <class R, class... V>
struct reply_problem_of : decltype(find_reply_problem<R, V...>()) {};
template <class Q, class V>
  requires sliced_as<typename request<Q>::reply, V>
struct reply_problem_of<request<Q>, V> : std::type_identity<message_would_be_sliced<std::remove_cvref_t<V>>> {};
template <class R, class... V>
using reply_problem = typename reply_problem_of<R, V...>::type;

template <class P, class Q>
consteval auto find_ask_problem() {
  if constexpr (!query<Q>) {
    return std::type_identity<query_names_no_reply<Q>>{};
  } else {
    return std::type_identity<send_problem<P, request<Q>>>{};
  }
}
template <class P, class Q>
using ask_problem = typename decltype(find_ask_problem<P, Q>())::type;

template <class T>
concept iterable = requires(const T& t) {
  std::ranges::begin(t);
  std::ranges::end(t);
};

template <class P>
std::type_identity<P> protocol_of(ref<P>);
// The protocol of the refs of a range.
template <class Refs>
using protocol_of_each = typename decltype(protocol_of(*std::ranges::begin(std::declval<const Refs&>())))::type;
// The reason why asking each ref of a range does not compile; no_problem when it does.
template <class Refs, class Q>
using ask_all_problem = ask_problem<protocol_of_each<Refs>, Q>;
// The reason why sending a copy of an M to each ref of a range does not compile; no_problem when it does.
template <class Refs, class M>
using send_all_problem = send_problem<protocol_of_each<Refs>, const M&>;

}  // namespace detail
}  // namespace tact

#include "tact/detail/end.hpp"  // last
