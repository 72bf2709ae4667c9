// What self.ask_here makes: an answer that comes as a message of the actor itself that has asked.
#pragma once

#include <exception>
#include <functional>
#include <optional>
#include <string_view>
#include <type_traits>
#include <utility>

#include "tact/detail/access.hpp"
#include "tact/detail/captures.hpp"
#include "tact/detail/continuation.hpp"
#include "tact/detail/front.hpp"
#include "tact/detail/message_type.hpp"
#include "tact/failure.hpp"
#include "tact/request.hpp"
#include "tact/timer.hpp"

namespace tact::detail {

// Calls f as a handler of the actor, with as many of (self, message) as it takes. For a classic actor f and the message
// may change in it. For a behaviour both are const, because its run may collide and run again.
template <class F, class S, class M>
auto call_here(F& f, S& self, M& m) {
  if constexpr (std::is_invocable_v<F&, S&, M&>) {
    return f(self, m);
  } else if constexpr (std::is_invocable_v<F&, S&, M&&>) {
    return f(self, std::move(m));
  } else if constexpr (std::is_invocable_v<F&, S&>) {
    return f(self);
  } else {
    return f();
  }
}
template <class F, class S, class M>
concept calls_here =
    std::is_invocable_v<F&, S&, M&> || std::is_invocable_v<F&, S&, M&&> ||
    (std::same_as<std::remove_const_t<M>, done> && (std::is_invocable_v<F&, S&> || std::is_invocable_v<F&>));

// What such a function is called as for the protocol P.
template <class P, class T>
using as_here = std::conditional_t<classic<P>, T, const T>;

// "answer to request<load>".
template <class Q>
struct text_of_own_answer {
  static constexpr std::string_view before = "answer to ";
  static constexpr std::size_t size = before.size() + type_name<request<Q>>.size();
  static constexpr auto text = [] {
    short_text<size> t{};
    for (const char c : before) t.text[t.size++] = c;
    for (const char c : type_name<request<Q>>) t.text[t.size++] = c;
    return t;
  }();
};

// The message. It is made when the actor asks, so that nothing can fail when the answer comes.
template <class P, class Q, class F, class G>
struct brought_answer : own_answer {
  using reply = typename request<Q>::reply;

  brought_answer(std::uint64_t restarts_before, const captures_looked_at& referred_to, F& f, G& g)
      : own_answer{&run_it, restarts_before}, captures(referred_to), then(std::move(f)), otherwise(std::move(g)) {}

  static void run_it(closure&, run& r, void* message) {
    auto& m = *static_cast<brought_answer*>(static_cast<own_answer*>(message));
    auto s = access::make_self<self<P>>(r);
    if (m.answer) {
      m.captures.template tell_if_dangling<F>();
      call_here(static_cast<as_here<P, F>&>(m.then), s, static_cast<as_here<P, reply>&>(*m.answer));
    } else if constexpr (!std::same_as<G, no_failure_handler>) {
      m.captures.template tell_if_dangling<G>();
      call_otherwise_here(static_cast<as_here<P, G>&>(m.otherwise), s, m.why);
    }
    access::finish(s);
  }
  template <class Other>
  static void call_otherwise_here(Other& g, self<P>& s, const failure& f) {
    if constexpr (std::is_invocable_v<Other&, self<P>&, const failure&>) {
      g(s, f);
    } else {
      g(f);
    }
  }

  [[no_unique_address]] const captures_looked_at captures;
  [[no_unique_address]] F then;
  [[no_unique_address]] G otherwise;
  std::optional<reply> answer{};
  failure why{};
};
template <class M, class Q>
consteval message_type describe_own_answer() {
  message_type t{};
  t.name = {text_of_own_answer<Q>::text.text, text_of_own_answer<Q>::size};
  t.role = message_type::own_answer;
  t.indirect = true;
  t.payload_bytes = sizeof(M*);
  t.boxed_bytes = sizeof(M) < UINT32_MAX ? static_cast<std::uint32_t>(sizeof(M)) : UINT32_MAX;
  t.destroy = &destroy_boxed<M>;
  return t.complete(true);
}
template <class M, class Q>
inline constexpr message_type type_of_own_answer = describe_own_answer<M, Q>();

// The customer of the request: a one-shot that sends the message on to the actor. For an exclusive actor it runs in the
// actor's shard, and the message is handled next, so it has the place of the answer among what others send. It runs in
// the context in which the actor has asked, so the message has that context as well. Its handlers do not fail.
template <class P, class Q, class F, class G>
class answer_bearer : public owing {
 public:
  using message = brought_answer<P, Q, F, G>;

  answer_bearer(run& r, const captures_looked_at& referred_to, F& then, G& otherwise)
      : owing(type_of_bearer),
        to_(self_port(r)),
        made_in_(hold(r.context)),
        message_(box<message>(times_restarted(r), referred_to, then, otherwise).release()) {}
  answer_bearer(const answer_bearer&) = delete;
  answer_bearer& operator=(const answer_bearer&) = delete;
  ~answer_bearer() {
    if (message_ != nullptr) box<message>::end(message_);
    release(made_in_);
  }
  // Called before the commit: no thread runs this before.
  void note_limit(timer_id of_ask) noexcept { limit_ = of_ask; }

 private:
  static answer_bearer& at(closure& c) noexcept { return static_cast<answer_bearer&>(c); }
  static void answered(closure& c, run& r, void* m) {
    auto& out = *at(c).message_;
    try {
      out.answer.emplace(std::move(*static_cast<typename message::reply*>(m)));
    } catch (...) {
      if constexpr (std::same_as<G, no_failure_handler>) throw;
      out.why = {failure_reason::handler_threw, "the answer could not be moved"};
    }
    at(c).send(r);
  }
  static void failed(closure& c, run& r, void* m) {
    at(c).message_->why = std::move(*static_cast<failure*>(m));
    at(c).send(r);
  }
  void send(run& r) {
    const unfailing from_the_reserve;
    cancel_limit(limit_);
    if (r.context != made_in_) exchange_context(made_in_);
    ::new (stage_effect(r, to_, type_of_own_answer<message, Q>)) message*(std::exchange(message_, nullptr));
  }
  static void end(closure& c, allocation) noexcept { box<answer_bearer>::end(&at(c)); }

  static constexpr entry entries[] = {&answered};
  static constexpr behavior_type type_of_bearer{entries,
                                                1,
                                                std::same_as<G, no_failure_handler> ? nullptr : &failed,
                                                &end,
                                                actor_kind::once,
                                                type_name<request<Q>>,
                                                &type_name<typename message::reply>,
                                                large_block,
                                                true,
                                                0,
                                                true,
                                                true};

  const port to_;
  const context_node* const made_in_;
  message* message_;  // null: it was sent
  timer_id limit_{};
};

template <class P, class F, class G, class R>
consteval auto find_here_problem() {
  using S = self<P>;
  if constexpr (!calls_here<as_here<P, F>, S, as_here<P, R>>) {
    if constexpr (calls_here<F, S, as_here<P, R>>) {
      return std::type_identity<handler_is_mutable>{};
    } else {
      return std::type_identity<own_continuation_must_take<R>>{};
    }
  } else if constexpr (!std::same_as<G, no_failure_handler> &&
                       !std::is_invocable_v<as_here<P, G>&, S&, const failure&> &&
                       !std::is_invocable_v<as_here<P, G>&, const failure&>) {
    return std::type_identity<otherwise_must_take_failure>{};
  } else {
    using result =
        decltype(call_here(std::declval<as_here<P, F>&>(), std::declval<S&>(), std::declval<as_here<P, R>&>()));
    return std::type_identity<problem_if<!std::is_void_v<result>, continuation_must_return_void<R>>>{};
  }
}
template <class P, class T, class Q, class F, class G>
consteval auto find_ask_here_problem() {
  if constexpr (some<ask_problem<T, Q>>) {
    return std::type_identity<ask_problem<T, Q>>{};
  } else if constexpr (is_duration<F>) {
    return std::type_identity<limit_wants_otherwise>{};
  } else {
    return find_here_problem<P, F, G, typename request<Q>::reply>();
  }
}
template <class P, class T, class Q, class F, class G>
using ask_here_problem = typename decltype(find_ask_here_problem<P, T, Q, F, G>())::type;

}  // namespace tact::detail
