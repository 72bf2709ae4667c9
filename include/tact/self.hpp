// tact::self: a handler's first argument, its transaction together with the actor.
#include "tact/detail/begin.hpp"  // first
#pragma once

#include <chrono>
#include <concepts>
#include <type_traits>
#include <utility>

#include "tact/detail/access.hpp"
#include "tact/detail/own_answer.hpp"
#include "tact/ended.hpp"
#include "tact/protocol.hpp"
#include "tact/transaction.hpp"

namespace tact {

// Stands for the behaviour that the actor has: self.become takes it to withdraw an earlier call.
struct unchanged_t {
  explicit constexpr unchanged_t(int) noexcept {}  // so that become({}) can only mean the end
};
inline constexpr unchanged_t unchanged{0};

// The reason why self.idle_after does not compile.
template <class T>
struct idle_time_must_be_a_duration;  // such as std::chrono::seconds(5), or 5s

namespace detail {

template <class P>
behavior<P> forwarding(ref<P> to);

template <class P, class Time, class M>
using idle_problem =
    std::conditional_t<is_duration<Time>, send_problem<P, const M&>, idle_time_must_be_a_duration<Time>>;

}  // namespace detail

// The running transaction and the actor that it runs for. P is the actor's protocol, or the class of a classic actor.
// Thread safety: as transaction.
template <class P>
class self : public transaction {
 public:
  // Sets the actor's next behaviour. It takes effect at the commit, before anything that this run sent can be handled;
  // the run itself goes on with the state it began with. The last call wins. An empty behaviour, behavior<P>{}, ends
  // the actor.
  // Source of the idea: Hewitt; committed by compare-and-swap as in Lisp-Actors.
  void become(behavior<P> next)
    requires(!detail::classic<P>)
  {
    if (detail::closure* c = detail::access::take(next)) {
      detail::stage_become(run_, *c);
    } else {
      detail::stage_stop(run_, {allocation::delete_, end_reason::became_nothing});
    }
  }
  // From the commit on the actor passes on every message to `to`: as become(tact::forwarder(to)). Throws usage_error
  // when `to` is the actor itself, because what is passed on would come back for ever.
  template <class To>
    requires(!detail::classic<P> && std::same_as<To, tact::ref<P>>)
  void become(To to) {
    if (detail::same_actor(detail::access::port_of(to), detail::self_port(run_))) {
      throw usage_error("self.become(ref): the ref is the actor's own, and what is passed on would come back for ever");
    }
    become(detail::forwarding<P>(to));
  }
  // Withdraws an earlier become or stop of this run: the actor stays as it is. Such a run cannot collide.
  void become(unchanged_t) noexcept { detail::stage_unchanged(run_); }
  template <class Next>
    requires(detail::classic<P> && !std::same_as<std::remove_cvref_t<Next>, unchanged_t>)
  void become(Next&&) = delete;  // a classic actor has no behaviour to replace: change its members

  // The actor's own address.
  [[nodiscard]] tact::ref<P> ref() const noexcept { return detail::access::make_ref<P>(detail::self_port(run_)); }

  // Ends the actor at the commit: messages that are handled later are dead letters. A classic actor in your own storage
  // is left untouched, as by allocation::finished.
  void stop() noexcept {
    detail::stage_stop(run_, {detail::classic<P> ? allocation::finished : allocation::delete_, end_reason::stopped});
  }

  // As ask(to, query, then, otherwise), but the answer comes as a message of this actor, in its place among those
  // that the same sender sends: then(self, answer), with the actor's own self<P>&, may use the members of a classic
  // actor, and a behaviour may become in it. So may otherwise(self, failure), which runs when no answer will come;
  // without `otherwise` the failure is a dead letter. In a behaviour both functions are const-callable, as handlers
  // are, because a run that collides runs again. The message is never refused by a limit of the mailbox, and does not
  // wait behind its order. When the actor has ended meanwhile, or was made anew in its place, the answer is a dead
  // letter, so a function may capture `this`. Source of the idea: Akka's pipeToSelf.
  template <class T, class Q, class F, class G = detail::no_failure_handler,
            class problem = detail::without<detail::ask_here_problem<P, T, Q, F, G>>>
  void ask_here(tact::ref<T> to, Q query, F then, G otherwise = {}) {
    ask_here_within(detail::due_time::never, to, query, then, otherwise);
  }
  template <class T, class Q, class F, class G = detail::no_failure_handler,
            detail::some problem = detail::ask_here_problem<P, T, Q, F, G>>
  void ask_here(tact::ref<T> to, Q query, F then, G otherwise = {}) = delete;
  // Asks as the call above does, but the request fails when no answer has come within `limit`, counted from the commit:
  // then `otherwise` hears failure_reason::timed_out, and an answer that comes after all is a dead letter.
  template <class T, class Q, class Rep, class Period, class F, class G,
            class problem = detail::without<detail::ask_here_problem<P, T, Q, F, G>>>
  void ask_here(tact::ref<T> to, Q query, std::chrono::duration<Rep, Period> limit, F then, G otherwise) {
    ask_here_within(detail::whole_ns(limit), to, query, then, otherwise);
  }
  template <class T, class Q, class Rep, class Period, class F, class G,
            detail::some problem = detail::ask_here_problem<P, T, Q, F, G>>
  void ask_here(tact::ref<T> to, Q query, std::chrono::duration<Rep, Period> limit, F then, G otherwise) = delete;

  using transaction::monitor;
  // Sends `message`, one of P, to this actor when `target` has ended. As transaction::monitor.
  template <class T, class M, class problem = detail::without<detail::send_problem<P, M>>>
    requires(!detail::hears_end<M>)
  tact::monitor monitor(tact::ref<T> target, M&& message) {
    return transaction::monitor(target, ref(), std::forward<M>(message));
  }
  template <class T, class M, detail::some problem = detail::send_problem<P, M>>
    requires(!detail::hears_end<M>)
  void monitor(tact::ref<T> target, M&& message) = delete;
  // Sends tact::ended, which says why `target` ended, to this actor. P lists tact::ended.
  template <class T>
    requires(detail::index_of<P, ended> != detail::not_included)
  tact::monitor monitor(tact::ref<T> target) {
    return transaction::monitor(target, tact::ref<ended>(ref()));
  }
  template <class T, detail::some problem = detail::send_problem<P, ended>>
  void monitor(tact::ref<T> target) = delete;

  // From the commit on: each time that this actor has handled no message for `time`, it is sent a copy of `message`,
  // one of P, and handles it before all that waits for it. That copy is a message, too, so the next one comes when the
  // same time has passed again. In force until another call replaces it, or never_idle takes it back, whatever the
  // actor becomes; the actor's end, and its restart, end it too. What counts: docs/time.md. For an actor that is
  // created with tact::parallel its first call counts as a become. Costs a look at the clock for each message of this
  // actor, and a timer for each `time`. Throws usage_error when `time` is not positive, what copying the message
  // throws, and what setting a timer throws. Source: Akka's setReceiveTimeout and the timeout of Erlang's gen_server.
  template <class Time, class M, class problem = detail::without<detail::idle_problem<P, Time, M>>>
  void idle_after(Time time, const M& message) {
    using kept = detail::sent_as_t<P, const M&>;
    const auto again =
        detail::again_after(time, std::type_identity<kept>{}, "self.idle_after: the time must be positive");
    const detail::port to = detail::self_port(run_) + detail::index_of<P, kept>;
    detail::write_message<kept>(
        kept(message), [&](const detail::message_type& type) { return detail::stage_idle(run_, to, type, again); });
  }
  template <class Time, class M, detail::some problem = detail::idle_problem<P, Time, M>>
  void idle_after(Time, const M&) {  // not deleted, as transaction::send
    static_assert(detail::is_duration<Time>,
                  "tact: self.idle_after takes a duration first, such as 5s or std::chrono::seconds(5)");
    static_assert(!detail::is_duration<Time>, "tact: self.idle_after cannot send the actor this: see `problem`");
  }
  // From the commit on no message of an idle_after comes any more. When no idle_after is in force, nothing happens.
  void never_idle() { detail::stage_never_idle(run_); }

 private:
  friend struct detail::access;
  explicit self(detail::run& r) noexcept : transaction(r) {}

  template <class T, class Q, class F, class G>
  void ask_here_within(std::int64_t limit_ns, tact::ref<T> to, Q& query, F& then, G& otherwise) {
    using bearer = detail::answer_bearer<P, Q, F, G>;
    auto& b = *detail::box<bearer>(run_, look_at_captures(then, otherwise), then, otherwise).release();
    const detail::port customer = detail::create_beside(run_, b);
    b.note_limit(detail::limit_ask(run_, customer, limit_ns));
    send(to, request<Q>{detail::access::make_ref<typename request<Q>::reply>(customer), std::move(query)});
  }
};

}  // namespace tact

#include "tact/detail/end.hpp"  // last
