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
#include "tact/detail/core.hpp"
#include "tact/detail/message_type.hpp"
#include "tact/detail/type_name.hpp"
#include "tact/failure.hpp"
#include "tact/timer.hpp"
#include "tact/transaction.hpp"

namespace tact::detail {

// All requests of a join have this one actor as their customer, each of them on a port of its own, which tells the
// answers apart. So a request costs no actor, and an answer no message more than it does without a join. The last port
// is that of the time limit.
inline constexpr unsigned join_answers_max = messages_max - 1;
inline constexpr unsigned join_limit_port = join_answers_max;

// The untyped part. A join handles one message at a time, and its runs change its state in place. A run may fail behind
// such a change, and then the message is gone: so each run owes an answer to its own port, and a run that fails is
// heard there as a failure, by a run that looks at the state again.
struct join_base : closure {
  // REQUIRES: asked <= join_answers_max.
  join_base(const behavior_type& t, const context_node* in, unsigned asked) noexcept
      : closure{&t}, made_in(hold(in)), missing((std::uint64_t{1} << asked) - 1) {}
  join_base(const join_base&) = delete;
  join_base& operator=(const join_base&) = delete;
  ~join_base() { release(made_in); }

  // What comes of the answers runs in the context in which the requests were made, whatever the answers bring.
  void return_to_context(const run& r) const noexcept {
    if (r.context != made_in) exchange_context(made_in);
  }

  // True when this is the first that was heard of a request.
  bool is_first_of(unsigned index) noexcept {
    const std::uint64_t bit = std::uint64_t{1} << index;
    const bool was_missing = (missing & bit) != 0;
    missing &= ~bit;
    return was_missing;
  }

  // Without memory the timer stays, and its message is a dead letter.
  void cancel_limit() const noexcept {
    try {
      limit.cancel();
    } catch (const std::bad_alloc&) {
    }
  }

  const context_node* const made_in;
  std::uint64_t missing;  // a bit for each request of which nothing was heard
  timer limit{};
  bool has_concluded = false;  // the run that concludes has begun
};

// What the runs of all joins do. Join, the class at the end of the derivation, has
// - void hear(index, answer&) noexcept for each of its ports, and void hear(unsigned index, const failure&) noexcept
// for
//   all of them, join_limit_port included. For the same index it may be called again, with a failure, and ignores that;
// - bool has_enough() const noexcept;
// - void conclude(transaction&), called once, when it has enough;
// - void give_up(transaction&, const failure&), called in its place, when the run that concludes has failed.
template <class Join>
struct joining : join_base {
  using join_base::join_base;

  template <class Index, class M>
  static void go_on(closure& c, run& r, Index index, M& heard) {
    Join& self = static_cast<Join&>(c);
    const port here = handled_port(r);
    owe(r, here);
    self.return_to_context(r);
    auto tx = access::make_self<transaction>(r);
    if (self.has_concluded) {
      give_up_at_last(self, tx, heard);
    } else {
      note(self, index, heard);
      if (self.has_enough()) conclude_once(self, tx);
    }
    settle_debt(access::run_of(tx), here);
    access::finish(tx);
  }
  static unsigned index_of_run(run& r) noexcept { return static_cast<unsigned>(handled_port(r) & index_mask); }
  static void failed(closure& c, run& r, void* message) {
    go_on(c, r, index_of_run(r), *static_cast<const failure*>(message));
  }
  static void end(closure& c, allocation) noexcept { box<Join>::end(static_cast<Join*>(&c)); }

 private:
  template <class Index, class M>
  static void note(Join& self, Index index, M& heard) noexcept {
    const unfailing sure;
    self.hear(index, heard);
    if (self.has_enough()) self.cancel_limit();
  }
  // Stops behind what the user's function does, because that may wait.
  static void conclude_once(Join& self, transaction& tx) {
    self.has_concluded = true;
    self.conclude(tx);
    stage_stop(access::run_of(tx), {});
  }
  static void give_up_at_last(Join& self, transaction& tx, const failure& f) {
    const unfailing sure;
    self.cancel_limit();
    self.give_up(tx, f);
    stage_stop(access::run_of(tx), {});
  }
  // An answer that comes before the join has heard that its last run failed.
  template <class R>
  static void give_up_at_last(Join&, transaction&, R&) noexcept {}
};

// A join of requests that have answers of the same type.
template <class Join, class R>
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
  static constexpr behavior_type type_of_join{entries.data(),      messages_max,     &joining<Join>::failed,
                                              &joining<Join>::end, actor_kind::join, "tact::join",
                                              names.data()};
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
  } else if (limit) {
    takes_over.limit = tx.send_after(*limit, to_limit, timed_out_notice());
  }
  return at;
}

}  // namespace tact::detail
