// One-shot actors that a transaction makes on the spot: betas, the continuations of asks, and on_commit.
#pragma once

#include <chrono>
#include <concepts>
#include <string_view>
#include <type_traits>
#include <utility>

#include "tact/detail/access.hpp"
#include "tact/detail/ask_limit.hpp"
#include "tact/detail/captures.hpp"
#include "tact/detail/context_node.hpp"
#include "tact/detail/handlers.hpp"
#include "tact/detail/type_name.hpp"
#include "tact/failure.hpp"
#include "tact/request.hpp"
#include "tact/timer.hpp"

namespace tact {

class transaction;

namespace detail {

struct no_failure_handler {};

// The message that runs a function of on_commit.
struct on_commit : done {};
// The name of a continuation in reports: the request that was asked, the message for which a beta waits; for on_commit
// the function, spelled with the handler around it.
template <class M, class F, class Asked>
inline constexpr std::string_view name_of_continuation = type_name<Asked>;
template <class M, class F>
inline constexpr std::string_view name_of_continuation<M, F, void> = type_name<M>;
template <class F>
inline constexpr std::string_view name_of_continuation<on_commit, F, void> = name_with_scope<F>;

// Calls f with as many of (transaction, message) as it takes. The message is delivered once, so it may be moved out.
template <class F, class M>
auto call_once(F& f, transaction& tx, M& m) {
  if constexpr (std::is_invocable_v<F&, transaction&, M&&>) {
    return f(tx, std::move(m));
  } else if constexpr (std::is_invocable_v<F&, transaction&, M&>) {
    return f(tx, m);
  } else if constexpr (std::is_invocable_v<F&, transaction&>) {
    return f(tx);
  } else {
    return f();
  }
}

template <class G>
void call_otherwise(G& g, transaction& tx, const failure& f);

template <class F, class M>
concept calls_once = std::is_invocable_v<F&, transaction&, M&&> || std::is_invocable_v<F&, transaction&, M&> ||
                     (std::same_as<M, done> && (std::is_invocable_v<F&, transaction&> || std::is_invocable_v<F&>));

template <class G>
concept hears_failure = std::same_as<G, no_failure_handler> || std::is_invocable_v<G&, transaction&, const failure&> ||
                        std::is_invocable_v<G&, const failure&>;

template <class F, class M>
using result_of_once = decltype(call_once(std::declval<F&>(), std::declval<transaction&>(), std::declval<M&>()));
template <class G>
consteval bool failure_handler_returns_void() {
  if constexpr (std::is_invocable_v<G&, transaction&, const failure&>) {
    return std::is_void_v<std::invoke_result_t<G&, transaction&, const failure&>>;
  } else if constexpr (std::is_invocable_v<G&, const failure&>) {
    return std::is_void_v<std::invoke_result_t<G&, const failure&>>;
  } else {
    return true;  // there is no handler of failures
  }
}

// Asked is the request of an ask; void for others.
template <class M, class F, class G, class Asked = void, class Captures = captures_looked_at>
struct continuation : owing {
  continuation(const context_node* made_in, const Captures& referred_to, F& then, G& otherwise)
      : owing(type_of_continuation),
        made_in_(hold(made_in)),
        captures_(referred_to),
        then_(std::move(then)),
        otherwise_(std::move(otherwise)) {}
  continuation(const continuation&) = delete;
  continuation& operator=(const continuation&) = delete;
  ~continuation() { release(made_in_); }

  // A continuation runs in the context in which it was made, whichever actor answers.
  void return_to_context(const run& r) const noexcept {
    if (r.context != made_in_) exchange_context(made_in_);
  }

  static void enter(closure& c, run& r, void* message);
  static void fail(closure& c, run& r, void* message);
  static void end(closure& c, allocation) noexcept { box<continuation>::end(static_cast<continuation*>(&c)); }

  static constexpr entry entries[] = {&enter};
  static constexpr behavior_type type_of_continuation{entries,
                                                      1,
                                                      std::same_as<G, no_failure_handler> ? nullptr : &fail,
                                                      &end,
                                                      actor_kind::once,
                                                      name_of_continuation<M, F, Asked>,
                                                      &type_name<M>,
                                                      large_block,
                                                      !std::is_void_v<Asked>,
                                                      0,
                                                      false,
                                                      true};

  const context_node* const made_in_;
  timer_id limit_{};  // of an ask; noted before the commit, so before any thread runs this
  [[no_unique_address]] const Captures captures_;
  [[no_unique_address]] F then_;
  [[no_unique_address]] G otherwise_;
};

// The message for which a continuation waits: the type of its second parameter, `done` if there is none.
template <class Shape>
struct continuation_message : std::type_identity<void> {};
template <bool Const, class R, class S, class M>
struct continuation_message<shape<Const, R, S, M>> : std::type_identity<std::remove_cvref_t<M>> {};
template <bool Const, class R, class S>
struct continuation_message<shape<Const, R, S>> : std::type_identity<done> {};

template <class F>
using message_of_continuation = typename continuation_message<typename handler<F, transaction>::shape>::type;

// What is wrong with a pair of which F can be called with an M.
template <class F, class G, class M>
consteval auto find_once_problem() {
  if constexpr (!hears_failure<G>) {
    return std::type_identity<otherwise_must_take_failure>{};
  } else if constexpr (!std::is_void_v<result_of_once<F, M>>) {
    return std::type_identity<continuation_must_return_void<M>>{};
  } else {
    return std::type_identity<problem_if<!failure_handler_returns_void<G>(), continuation_must_return_void<failure>>>{};
  }
}

template <class F, class G>
consteval auto find_continuation_problem() {
  using M = message_of_continuation<F>;
  if constexpr (std::is_void_v<M>) {
    return std::type_identity<continuation_names_no_message>{};
  } else if constexpr (!calls_once<F, M>) {
    return std::type_identity<handler_has_another_self>{};
  } else {
    return find_once_problem<F, G, M>();
  }
}
template <class F, class G>
using continuation_problem = typename decltype(find_continuation_problem<F, G>())::type;

template <class F>
consteval auto find_commit_problem() {
  if constexpr (!calls_once<F, done>) {
    return std::type_identity<continuation_must_take<done>>{};
  } else {
    return find_once_problem<F, no_failure_handler, done>();
  }
}
template <class F>
using commit_problem = typename decltype(find_commit_problem<F>())::type;

template <class T>
inline constexpr bool is_duration = false;
template <class Rep, class Period>
inline constexpr bool is_duration<std::chrono::duration<Rep, Period>> = true;

template <class P, class Q, class F, class G>
consteval auto find_ask_then_problem() {
  if constexpr (some<ask_problem<P, Q>>) {
    return std::type_identity<ask_problem<P, Q>>{};
  } else if constexpr (is_duration<F>) {
    return std::type_identity<limit_wants_otherwise>{};
  } else if constexpr (!calls_once<F, typename request<Q>::reply> &&
                       std::is_invocable_v<F&, typename request<Q>::reply>) {
    return std::type_identity<continuation_takes_transaction_first<typename request<Q>::reply>>{};
  } else if constexpr (!calls_once<F, typename request<Q>::reply>) {
    return std::type_identity<continuation_must_take<typename request<Q>::reply>>{};
  } else {
    return find_once_problem<F, G, typename request<Q>::reply>();
  }
}
template <class P, class Q, class F, class G>
using ask_then_problem = typename decltype(find_ask_then_problem<P, Q, F, G>())::type;

}  // namespace detail
}  // namespace tact
