// Which message a handler takes, which handler serves which message, and, when they do not fit, the one problem to
// report.
#pragma once

#include <concepts>
#include <cstddef>
#include <memory>
#include <type_traits>
#include <utility>

#include "tact/detail/access.hpp"
#include "tact/detail/core.hpp"
#include "tact/protocol.hpp"
#include "tact/ref.hpp"
#include "tact/request.hpp"

namespace tact {

// Why a behaviour or a continuation does not compile; the compiler prints it as `problem = tact::...`.
template <class M>
struct no_handler_for;  // a message of the protocol is not handled
template <class M>
struct two_handlers_for;                // more than one handler names it
struct the_engine_handles_poison_pill;  // a handler names the pill, which ends the actor by itself
struct handler_is_mutable;              // a handler may run several times at once: it must be const-callable
template <class M>
struct handler_must_take_const_ref;  // const M& or by value: other runs of the message see the same one
struct handler_has_another_self;     // the first parameter is neither self<P>&, transaction& nor auto&
template <class M>
struct handler_must_return_void;       // its value would go nowhere, and a coroutine would outlive its transaction
struct handler_is_a_member_pointer;    // a pointer to a member: write a lambda that calls it
struct handler_takes_no_message;       // not callable with two arguments, self and a message
struct continuation_names_no_message;  // the second parameter must say of which type the answer is
template <class M>
struct continuation_must_return_void;  // of the function given to beta, ask or on_commit, for an M
template <class M>
struct continuation_must_take;  // the continuation of an ask is not callable with a transaction& and the answer, an M
template <class M>
struct continuation_takes_transaction_first;  // it takes only the answer, an M: write [](auto& tx, M answer)
template <class M>
struct own_continuation_must_take;   // that of ask_here is not callable with a self<P>& and the answer, an M
struct limit_wants_otherwise;        // an ask with a limit has two functions: ask(to, query, limit, then, otherwise)
struct otherwise_must_take_failure;  // the last argument is not callable with a const tact::failure&

namespace detail {

template <bool Holds, class Problem>
using problem_if = std::conditional_t<Holds, Problem, no_problem>;

// The first of the problems that is not no_problem.
template <class... Problems>
struct first_problem : std::type_identity<no_problem> {};
template <class Problem, class... Rest>
struct first_problem<Problem, Rest...> : std::type_identity<Problem> {};
template <class... Rest>
struct first_problem<no_problem, Rest...> : first_problem<Rest...> {};

// The result and the parameters of one call operator.
template <bool Const, class R, class... Args>
struct shape {};

template <class F>
struct shape_of;
template <class R, class C, class... A>
struct shape_of<R (C::*)(A...)> : std::type_identity<shape<false, R, A...>> {};
template <class R, class C, class... A>
struct shape_of<R (C::*)(A...) noexcept> : std::type_identity<shape<false, R, A...>> {};
template <class R, class C, class... A>
struct shape_of<R (C::*)(A...) const> : std::type_identity<shape<true, R, A...>> {};
template <class R, class C, class... A>
struct shape_of<R (C::*)(A...) const noexcept> : std::type_identity<shape<true, R, A...>> {};
template <class R, class... A>
struct shape_of<R (*)(A...)> : std::type_identity<shape<true, R, A...>> {};
template <class R, class... A>
struct shape_of<R (*)(A...) noexcept> : std::type_identity<shape<true, R, A...>> {};

// Other shapes of a handler.
struct takes_all {};            // (auto&, const auto&): any message
struct takes_all_of_others {};  // the same, for another self
struct selective {};            // overloaded or constrained: to be tried with each message
template <class R>
struct takes_query {  // (auto&, const Q&), where the protocol has R, a request<Q>, instead
  using wanted = R;
};

// To learn whether a generic lambda takes any message, without instantiating its body: a second call operator is made
// better in one argument and worse in another, so that the call is ambiguous when the lambda could be called.
struct any_message {};
struct any_self {
  template <class S>
  operator S&() const;  // NOLINT: implicit by design
};
struct from_anything {
  template <class T>
  from_anything(T&&);  // NOLINT: implicit by design
};
struct not_the_handler {};

template <class F>
struct rival : F {
  using F::operator();
  not_the_handler operator()(from_anything, any_message&);
};
template <class F>
struct weak_rival : F {
  using F::operator();
  not_the_handler operator()(...);
};

struct call_operator {
  void operator()();
};
template <class F>
struct with_call_operator : F, call_operator {};
// Has F a call operator at all? If it has, the name `operator()` is ambiguous here, and its address cannot be taken.
template <class F>
concept callable_class = std::is_class_v<F> && !std::is_final_v<F> && !requires { &with_call_operator<F>::operator(); };

template <class F, class S, class Message>
concept callable_with = !requires(rival<F>& f, S& self, Message& m) {
  { f(self, m) } -> std::same_as<not_the_handler>;
};
template <class F>
concept callable_with_all_and_any_self = !requires(weak_rival<F>& f, any_self& self, any_message& m) {
  { f(self, m) } -> std::same_as<not_the_handler>;
};

// Does P have a request with the query M, and not M by itself?
template <class P, class M>
concept is_asked = !accepts<P, M> && !has_customer<M> && query<M> && accepts<P, request<M>>;

// A message that becomes any query when it is to be one; and one that becomes only the query of the request R.
struct any_query : any_message {
  template <query Q>
    requires(!has_customer<Q>)
  operator const Q&() const;  // NOLINT: implicit by design
};
template <class R>
struct query_of : any_message {
  operator const decltype(R::body) & () const;  // NOLINT: implicit by design
};
template <class P, class F, class M>
consteval bool takes_query_of() {
  if constexpr (has_customer<M>) {
    return is_asked<P, decltype(M::body)> && callable_with<F, self<P>, query_of<M>>;
  } else {
    return false;
  }
}
template <class P, class F, class... Ms>
typename first_problem<problem_if<takes_query_of<P, F, Ms>(), Ms>...>::type find_asked(list<Ms...>);
// The request of the protocol of which a generic F takes the query in its place; no_problem if there is none. That is
// looked for first, because the body of such an F, which answers, cannot be compiled.
template <class F, class S>
struct asked_by : std::type_identity<no_problem> {};
template <class F, class P>
  requires callable_with<F, self<P>, any_query>
struct asked_by<F, self<P>> : std::type_identity<decltype(find_asked<P, F>(messages_of<P>{}))> {};

template <class F, class S>
consteval auto find_shape() {
  if constexpr (requires { typename shape_of<decltype(&F::operator())>::type; }) {
    return typename shape_of<decltype(&F::operator())>::type{};
  } else if constexpr (requires { typename shape_of<F>::type; }) {
    return typename shape_of<F>::type{};
  } else if constexpr (!callable_class<F>) {
    return selective{};
  } else if constexpr (callable_with<F, S, any_message>) {
    return takes_all{};
  } else if constexpr (callable_with_all_and_any_self<F>) {
    return takes_all_of_others{};
  } else if constexpr (!std::same_as<typename asked_by<F, S>::type, no_problem>) {
    return takes_query<typename asked_by<F, S>::type>{};
  } else if constexpr (requires { &F::template operator()<S>; }) {  // (auto& self, const deposit&)
    return typename shape_of<decltype(&F::template operator()<S>)>::type{};
  } else {
    return selective{};
  }
}

// The self of a handler for P. While P is only declared nothing can be said of it.
template <class P>
using self_of =
    typename std::conditional_t<complete<P>, std::type_identity<self<P>>, std::type_identity<any_self>>::type;

// The message that a handler names; void if it names none.
template <class Shape>
struct named {
  using type = void;
};
template <bool Const, class R, class S, class M>
struct named<shape<Const, R, S, M>> {
  using type = std::remove_cvref_t<M>;
};

template <class F, class S>
struct handler {
  using shape = decltype(find_shape<F, S>());
  using message = typename named<shape>::type;
};

template <class F, class S, class M>
concept calls_const = std::is_invocable_v<const F&, S&, const M&>;

// The engine carries out a pill by itself.
template <class M>
inline constexpr bool is_handled = !__is_same(M, poison_pill);

// Does the overloaded or constrained F take M?
template <class F, class S, class M>
concept selects = is_handled<M> && (calls_const<F, S, M> || std::is_invocable_v<F&, S&, M&>);

// Marks in the place of the index of a handler: above each number of handlers that a behaviour can have.
inline constexpr unsigned engine_serves = 999;
inline constexpr unsigned none_serves = 1000;
inline constexpr unsigned two_serve = 1001;

// For each message of P the index of its handler: one that names it, else one that takes all. A poison_pill has none.
struct choices {
  unsigned at[messages_max] = {};
  unsigned general = none_serves;
  bool has_stranger = false;  // a handler names no message of P

  constexpr void note(unsigned message, unsigned handler) noexcept {
    if (message == not_included) {
      has_stranger = true;
    } else {
      has_stranger = has_stranger || at[message] == engine_serves;
      at[message] = at[message] == none_serves ? handler : two_serve;
    }
  }
  // Has each of the first `size` messages one handler, and each handler a message?
  [[nodiscard]] constexpr bool are_clear(unsigned size) const noexcept {
    for (unsigned i = 0; i != size; ++i)
      if (at[i] >= none_serves) return false;
    return !has_stranger;
  }
};

template <class P, class S, class F, class... Ms>
consteval void note_selected(choices& c, unsigned i, list<Ms...>) {
  ((selects<F, S, Ms> ? c.note(index_of<P, Ms>, i) : void()), ...);
}
template <class P, class S, class F>
consteval void note_handler(choices& c, unsigned i) {
  using shape = typename handler<F, S>::shape;
  using message = typename handler<F, S>::message;
  if constexpr (__is_same(shape, takes_all)) {
    c.general = c.general == none_serves ? i : two_serve;
  } else if constexpr (__is_same(shape, selective)) {
    note_selected<P, S, F>(c, i, messages_of<P>{});
  } else if constexpr (!std::is_void_v<message>) {
    c.note(index_of<P, message>, i);
  }
}

template <class P, class S, class... F>
consteval choices choose_all() {
  choices c;
  for (unsigned& at : c.at) at = none_serves;
  if (accepts<P, poison_pill>) c.at[index_of<P, poison_pill>] = engine_serves;
  unsigned i = 0;
  (note_handler<P, S, F>(c, i++), ...);
  for (unsigned& at : c.at) at = at == none_serves ? c.general : at;
  return c;
}

template <class P, class S, class... F>
inline constexpr choices chosen = choose_all<P, S, F...>();

// Is this the shape of most handlers, which is right for the message that it names, whatever the other handlers take?
template <class S, class Shape>
inline constexpr bool is_plain = false;
template <class S, class M>
inline constexpr bool is_plain<S, shape<true, void, S&, const M&>> = true;
template <class S, class M>
inline constexpr bool is_plain<S, shape<true, void, transaction&, const M&>> = true;

template <class S, class Parameter>
concept fits_self = std::same_as<Parameter, S&> || std::same_as<Parameter, transaction&>;

// What is wrong with the way in which F takes M; no_problem if nothing is wrong.
template <class F, class S, class M, bool Const, class R, class A, class B>
consteval auto find_fault(shape<Const, R, A, B>) {
  if constexpr (!Const) {
    return std::type_identity<handler_is_mutable>{};
  } else if constexpr (std::is_reference_v<B> && !__is_same(B, const M&)) {
    return std::type_identity<handler_must_take_const_ref<M>>{};
  } else if constexpr (!std::is_reference_v<B> && !__is_constructible(M, const M&)) {
    return std::type_identity<message_cannot_be_copied<M>>{};
  } else if constexpr (!fits_self<S, A>) {
    return std::type_identity<handler_has_another_self>{};
  } else {
    return std::type_identity<problem_if<!std::is_void_v<R>, handler_must_return_void<M>>>{};
  }
}
template <class F, class S, class M, class Other>
consteval auto find_fault(Other) {
  if constexpr (calls_const<F, S, M>) {
    using result = decltype(std::declval<const F&>()(std::declval<S&>(), std::declval<const M&>()));
    return std::type_identity<problem_if<!std::is_void_v<result>, handler_must_return_void<M>>>{};
  } else if constexpr (std::is_invocable_v<F&, S&, const M&>) {
    return std::type_identity<handler_is_mutable>{};
  } else if constexpr (std::is_invocable_v<const F&, S&, M&>) {
    return std::type_identity<handler_must_take_const_ref<M>>{};
  } else if constexpr (!std::is_copy_constructible_v<M>) {
    return std::type_identity<message_cannot_be_copied<M>>{};
  } else {
    return std::type_identity<handler_takes_no_message>{};
  }
}
template <class S, class M, class F>
consteval auto fault_of() {
  return find_fault<F, S, M>(typename handler<F, S>::shape{});
}

template <std::size_t I, class T>
struct numbered {};
template <class Indexes, class... T>
struct numbered_all;
template <std::size_t... I, class... T>
struct numbered_all<std::index_sequence<I...>, T...> : numbered<I, T>... {};
template <std::size_t I, class T>
std::type_identity<T> find_numbered(const numbered<I, T>&);
// The I-th of T; one overload resolution instead of I templates.
template <std::size_t I, class... T>
using at_index =
    typename decltype(find_numbered<I>(std::declval<numbered_all<std::index_sequence_for<T...>, T...>>()))::type;

template <class P, class S, class F>
consteval auto stray_problem() {
  using shape = typename handler<F, S>::shape;
  using message = typename handler<F, S>::message;
  if constexpr (std::same_as<shape, takes_all_of_others>) {
    return std::type_identity<handler_has_another_self>{};
  } else if constexpr (std::same_as<shape, takes_all> || std::same_as<shape, selective>) {
    return std::type_identity<no_problem>{};
  } else {
    return std::type_identity<problem_if<std::is_void_v<message>, handler_takes_no_message>>{};
  }
}

template <class P, class S, class F>
consteval auto query_problem() {
  using shape = typename handler<F, S>::shape;
  using message = typename handler<F, S>::message;
  if constexpr (requires { typename shape::wanted; }) {
    return std::type_identity<handler_must_take<typename shape::wanted>>{};
  } else if constexpr (std::is_void_v<message>) {
    return std::type_identity<no_problem>{};
  } else {
    return std::type_identity<problem_if<is_asked<P, message>, handler_must_take<request<message>>>>{};
  }
}

template <class P, class S, class F>
consteval bool names_a_stranger() {
  using message = typename handler<F, S>::message;
  if constexpr (std::is_void_v<message>) {
    return false;
  } else {
    return index_of<P, message> == not_included;
  }
}

template <class P, class S, class F>
inline constexpr bool names_pill = accepts<P, poison_pill> && __is_same(typename handler<F, S>::message, poison_pill);

template <class P, class S, class M, class... F>
consteval auto choice_fault() {
  if constexpr (is_handled<M>) {
    return fault_of<S, M, at_index<chosen<P, S, F...>.at[index_of<P, M>], F...>>();
  } else {
    return std::type_identity<no_problem>{};
  }
}

template <class S, class F, class... Ms>
consteval bool selects_nothing() {
  if constexpr (std::is_same_v<typename handler<F, S>::shape, selective>) {
    return !(selects<F, S, Ms> || ...);
  } else {
    return false;
  }
}

// The one problem of handlers F for protocol P.
template <class P, class S, class... F, class... Ms>
consteval auto look_for_handler_problem(list<Ms...>) {
  constexpr const choices& c = chosen<P, S, F...>;
  using missing = typename first_problem<problem_if<c.at[index_of<P, Ms>] == none_serves, no_handler_for<Ms>>...>::type;
  using stranger = typename first_problem<
      problem_if<names_a_stranger<P, S, F>(), protocol_lacks<typename handler<F, S>::message>>...>::type;
  using doubled = typename first_problem<problem_if<c.at[index_of<P, Ms>] == two_serve, two_handlers_for<Ms>>...>::type;
  using asked = typename first_problem<typename decltype(query_problem<P, S, F>())::type...>::type;
  using pills = problem_if<(names_pill<P, S, F> || ...), the_engine_handles_poison_pill>;
  using structural = typename first_problem<pills, asked, missing, stranger, doubled>::type;
  if constexpr (!std::same_as<structural, no_problem>) {
    return std::type_identity<structural>{};
  } else {
    using faulty = typename first_problem<typename decltype(choice_fault<P, S, Ms, F...>())::type...>::type;
    using stray = typename first_problem<typename decltype(stray_problem<P, S, F>())::type...,
                                         problem_if<selects_nothing<S, F, Ms...>(), handler_takes_no_message>...>::type;
    return std::type_identity<typename first_problem<faulty, stray>::type>{};
  }
}

// Finds the problem of handlers F for protocol P, as the function above does, but quicker: handlers of plain shape
// without a problem are recognised without a look at each message, which takes the compiler many times as long.
template <class P, class S, class... F>
consteval auto find_handler_problem() {
  if constexpr ((is_plain<S, typename handler<F, S>::shape> && ...)) {
    if constexpr (chosen<P, S, F...>.are_clear(messages_of<P>::size)) {
      return std::type_identity<no_problem>{};
    } else {
      return look_for_handler_problem<P, S, F...>(messages_of<P>{});
    }
  } else {
    return look_for_handler_problem<P, S, F...>(messages_of<P>{});
  }
}

template <class P, class... F>
consteval auto start_handler_problem() {
  if constexpr ((std::same_as<F, behavior<P>> || ...)) {
    return std::type_identity<no_problem>{};  // a behaviour that is moved, and no handler
  } else if constexpr (!complete<P>) {
    return std::type_identity<protocol_must_be_complete<P>>{};
  } else if constexpr ((std::is_member_pointer_v<F> || ...)) {
    return std::type_identity<handler_is_a_member_pointer>{};
  } else {
    return find_handler_problem<P, self<P>, F...>();
  }
}
template <class P, class... F>
using handler_problem = typename decltype(start_handler_problem<P, F...>())::type;

// Tells the core of a request before its handler runs, so that it can see whether the request is answered.
template <class M>
void owe_answer(run& r, const M& m) {
  if (const port customer = customer_of<M>(std::addressof(m))) owe(r, customer);
}

}  // namespace detail
}  // namespace tact
