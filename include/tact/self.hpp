// tact::self: a handler's first argument, its transaction together with the actor.
#include "tact/detail/begin.hpp"  // first
#pragma once

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

template <class P>
behavior<P> forwarder(ref<P> to);

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
    become(forwarder<P>(to));
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
  // The same, but the request fails when no answer has come within `limit`, counted from the commit: then `otherwise`
  // hears failure_reason::timed_out, and an answer that comes after all is a dead letter.
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
