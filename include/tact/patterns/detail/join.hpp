// A join: an actor that is the customer of several requests at once, and goes on when it has heard enough of them.
#pragma once

#include <array>
#include <chrono>
#include <cstdint>
#include <new>
#include <optional>
#include <string_view>

#include "tact/detail/access.hpp"
#include "tact/detail/captures.hpp"
#include "tact/detail/context_node.hpp"
#include "tact/detail/copied_failure.hpp"
#include "tact/detail/core.hpp"
#include "tact/detail/message_type.hpp"
#include "tact/detail/type_name.hpp"
#include "tact/failure.hpp"
#include "tact/timer.hpp"
#include "tact/transaction.hpp"

namespace tact::detail {

// All requests of a join have this one actor as their customer, each of them on a port of its own, which tells the
// answers apart. So a request costs no actor, and an answer no message more than it does without a join. The last two
// ports hear failures only: of runs of the join itself, and of the run that concludes or the time limit.
inline constexpr unsigned join_answers_max = messages_max - 2;
inline constexpr unsigned join_own_port = join_answers_max;
inline constexpr unsigned join_limit_port = join_answers_max + 1;

// The untyped part of a join. A join handles one message at a time, and its runs change its state in place. A run may
// fail behind such a change, and then its message is gone. So a run after which the join has more to do owes an answer
// to a port of the join: if the run fails, a failure comes to that port, and the run that handles it looks at the state
// again. A join that has heard enough stays the customer of the services that have not answered, until the last of them
// has, or until the time limit: so what they say is no dead letter.
struct join_base : owing {
  // REQUIRES: asked <= join_answers_max.
  join_base(const behavior_type& t, const context_node* in, unsigned asked) noexcept
      : owing(t), made_in(hold(in)), missing((std::uint64_t{1} << asked) - 1) {}
  join_base(const join_base&) = delete;
  join_base& operator=(const join_base&) = delete;
  ~join_base() { release(made_in); }

  // What comes of the answers runs in the context in which the requests were made, whatever the answers bring.
  void return_to_context(const run& r) const noexcept {
    if (r.context != made_in) exchange_context(made_in);
  }

  [[nodiscard]] bool is_missing(unsigned index) const noexcept { return (missing >> index & 1) != 0; }

  void cancel_limit() const noexcept { detail::cancel_limit(limit); }

  const context_node* const made_in;
  std::uint64_t missing;  // a bit for each request of which nothing was heard
  timer_id limit{};
  bool has_concluded = false;  // the run that concludes has begun
  bool was_last = false;  // and nothing was missing then: only that run, or one that hears of its failure, may stop
};

// What the runs of all joins do. Join, the class at the end of the derivation, has
// - void hear(index, answer&) noexcept for each of its ports, and void hear(unsigned index, const failure&) noexcept,
//   which hears the limit too. Each port is heard once, and none any more when there is enough. What is missing is
//   noted before that, but for the limit, which is heard for all that is missing;
// - bool has_enough() const noexcept;
// - void conclude(transaction&), called once, when it has enough;
// - void give_up(transaction&, const failure&), called when the run that concludes has failed and was the last;
// - port answers_to() const noexcept: the customer whom `conclude` answers, 0 if there is none.
template <class Join>
struct joining : join_base {
  using join_base::join_base;

  static unsigned index_of_run(run& r) noexcept { return static_cast<unsigned>(handled_port(r) & index_mask); }

  template <class Index, class R>
  static void go_on(closure& c, run& r, Index index, R& answer) {
    run_with(c, r, [&](Join& self, transaction& tx) {
      note(self, index, answer);
      return look(self, tx);
    });
  }
  static void failed(closure& c, run& r, void* message) {
    const failure& f = *static_cast<const failure*>(message);
    const unsigned index = index_of_run(r);
    run_with(c, r, [&](Join& self, transaction& tx) {
      if (index == join_limit_port && f.reason == failure_reason::handler_threw) return give_up_at_last(self, tx, f);
      if (index != join_own_port) note(self, index, f);
      return look(self, tx);
    });
  }
  static void end(closure& c, allocation) noexcept { box<Join>::end(static_cast<Join*>(&c)); }

 private:
  template <class F>
  static void run_with(closure& c, run& r, const F& f) {
    Join& self = static_cast<Join&>(c);
    self.return_to_context(r);
    inherit_debt(r, self);
    auto tx = access::make_self<transaction>(r);
    const bool stops = f(self, tx);
    run& now = access::run_of(tx);
    settle_debt(now, handled_port(now));
    if (stops) stage_stop(now, {});  // behind what the user's function does, because that may wait
    access::finish(tx);
  }
  template <class Index, class M>
  static void note(Join& self, Index index, M& heard) noexcept {
    const unfailing sure;
    if (index != join_limit_port && !self.is_missing(index)) return;  // a second answer
    const bool had_enough = self.has_enough();
    if (index != join_limit_port) self.missing &= ~(std::uint64_t{1} << index);
    if (!had_enough) self.hear(index, heard);
    if (index == join_limit_port) self.missing = 0;
    if (self.missing == 0) self.cancel_limit();
  }
  // What these return says whether the join ends with this run.
  static bool look(Join& self, transaction& tx) {
    if (!self.has_concluded && self.has_enough()) return conclude_once(self, tx);
    if (self.was_last) return false;
    if (!self.has_concluded || self.missing == 0) owe_to(tx, join_own_port);
    return self.has_concluded && self.missing == 0;
  }
  // A run that fails while others are missing need not be heard of by the join: the next one of those ends it.
  static bool conclude_once(Join& self, transaction& tx) {
    self.has_concluded = true;
    self.was_last = self.missing == 0;
    if (self.was_last) {
      owe_to(tx, join_limit_port);
    } else if (const port customer = self.answers_to()) {
      owe(access::run_of(tx), customer);
    }
    self.conclude(tx);
    return self.was_last;
  }
  static bool give_up_at_last(Join& self, transaction& tx, const failure& f) {
    const unfailing sure;
    owe_to(tx, join_limit_port);
    self.cancel_limit();
    self.give_up(tx, f);
    return true;
  }
  static void owe_to(transaction& tx, unsigned own) noexcept {
    run& r = access::run_of(tx);
    owe(r, (handled_port(r) & ~index_mask) | own);
  }
};

// A join of requests that have answers of the same type. Asked is the request, or what stands for several.
template <class Join, class R, class Asked>
struct join : joining<Join> {
  join(const context_node* in, unsigned asked) noexcept : joining<Join>(type_of_join, in, asked) {}

  static void answered(closure& c, run& r, void* message) {
    joining<Join>::go_on(c, r, joining<Join>::index_of_run(r), *static_cast<R*>(message));
  }

  template <class T>
  static consteval std::array<T, messages_max> on_all_ports(T same) {
    std::array<T, messages_max> all{};
    all.fill(same);
    return all;
  }
  static constexpr std::array<entry, messages_max> entries = on_all_ports<entry>(&answered);
  static constexpr std::array<std::string_view, messages_max> names = on_all_ports(type_name<R>);
  static constexpr behavior_type type_of_join{entries.data(),
                                              messages_max,
                                              &joining<Join>::failed,
                                              &joining<Join>::end,
                                              actor_kind::join,
                                              type_name<Asked>,
                                              names.data(),
                                              large_block,
                                              true,
                                              0,
                                              false,
                                              true};
};

// What a join does when the run that concludes has failed. For a function of a user's that is nothing: it is reported.
struct nothing_else {
  void operator()(transaction&, const failure&) const noexcept {}
  [[nodiscard]] static constexpr port customer() noexcept { return 0; }
};
// For a service: its customer is told.
template <class R>
struct failing_customer {
  void operator()(transaction& tx, const failure& f) const { tx.fail(to, as_far_as_memory_goes(f)); }
  [[nodiscard]] port customer() const noexcept { return access::port_of(to); }
  ref<R> to;
};

// Makes the join exist, at the commit, with a time limit if there is one. Returns the port of its first request. A join
// of no requests goes on at once.
template <class Join>
port begin_join(transaction& tx, Join& takes_over, const std::optional<std::chrono::nanoseconds>& limit) {
  const bool is_empty = takes_over.missing == 0;
  const port at = create(access::run_of(tx), takes_over, placement::ordered);
  const auto to_limit = access::make_ref<failure>(at + join_limit_port);
  // Until the commit no other thread runs the join, so its limit may be noted.
  if (is_empty) {
    tx.send(to_limit, failure{failure_reason::unanswered, "nothing was asked: there is no actor", {}});
  } else {
    takes_over.limit = limit_ask(access::run_of(tx), at + join_limit_port, limit ? whole_ns(*limit) : due_time::never);
  }
  return at;
}

}  // namespace tact::detail
