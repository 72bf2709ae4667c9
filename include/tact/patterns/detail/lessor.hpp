// The behaviour of a ticket office and of a read_write_lock, which lend places.
#pragma once

#include <chrono>
#include <cstdint>
#include <string>
#include <utility>

#include "tact/behavior.hpp"
#include "tact/context.hpp"
#include "tact/data/map.hpp"
#include "tact/data/queue.hpp"
#include "tact/detail/deadline.hpp"
#include "tact/detail/held_message.hpp"
#include "tact/failure.hpp"
#include "tact/failure_rule.hpp"
#include "tact/patterns/detail/leaving.hpp"
#include "tact/patterns/detail/sure_run.hpp"
#include "tact/patterns/detail/value_at.hpp"
#include "tact/patterns/give_back.hpp"
#include "tact/protocol.hpp"
#include "tact/ref.hpp"
#include "tact/request.hpp"
#include "tact/self.hpp"
#include "tact/timer.hpp"

namespace tact::detail {

// True for a query that wants all places; others want one.
template <class Q>
inline constexpr bool takes_all_places = false;

// How many places are wanted, and the actor whose end ends the lease.
struct claim {
  using reply = ticket;
  std::uint64_t places = 1;
  port holder = 0;
};

struct run_out {};  // to a ticket: its time, or its holder, has come to an end
struct ticket_holder : protocol<give_back, own_words<run_out>> {};

// The actor behind a ticket ends with the first message that it gets. So the end of a lease is that of an actor, of
// which a monitor tells the lessor once, whatever ends it: also a run of this actor that fails.
inline behavior<ticket_holder> ticket_behavior() {
  return {[](self<ticket_holder>& self, const auto&) { self.stop(); }};
}

struct lease_over {
  std::uint64_t number;
};

// A lease that has not ended.
struct granted_lease {
  ref<ticket_holder> ticket;
  timer limit;
  std::uint64_t places;
};

template <class Rep, class Period>
std::chrono::nanoseconds lease_limit(std::chrono::duration<Rep, Period> limit, const char* who) {
  if (!is_positive(limit)) throw usage_error(std::string(who) + ": the time limit of a lease must be positive");
  return std::chrono::nanoseconds(whole_ns(limit));
}

// Grants leases in the order in which they were asked for, as long as there are places for the first that waits. P is
// the protocol: requests whose queries name a holder, lease_over and failure.
template <class P>
class lessor {
  using waiting_claim = held<request<claim>>;

 public:
  lessor(std::chrono::nanoseconds limit, std::uint64_t places) noexcept : limit_(limit), all_(places), free_(places) {}

  template <query Q>
  void operator()(self<P>& self, const request<Q>& m) const {
    const claim c{takes_all_places<Q> ? all_ : 1, m.body.holder};
    lessor next = *this;
    next.let_in(self);  // the first that waits may have given up
    if (self.context().is_over()) {
      refuse(self, m.customer);
    } else if (next.waiting_.empty() && c.places <= next.free_) {
      next.grant(self, c, m.customer);
    } else {
      next.waiting_ =
          std::move(next.waiting_).push_back(hold_back(self, request<claim>{m.customer, c}, "actor that lends"));
    }
    self.become(std::move(next));
  }
  void operator()(self<P>& self, const lease_over& m) const {
    const sure_run sure(self);
    const granted_lease* const ended = value_at(leases_, m.number);
    if (ended == nullptr) return;  // a second monitor of the same lease has told it
    ended->limit.cancel();
    lessor next = *this;
    next.free_ += ended->places;
    next.leases_ = std::move(next.leases_).erase(m.number);
    next.let_in(self);
    self.become(std::move(next));
  }
  // A run that should have handled the end of a lease has failed. It is not known which lease that was, so the tickets
  // of all are watched a second time, and the new monitors report at once which have ended.
  void operator()(self<P>& self, const failure&) const {
    const unfailing sure;
    for (const auto& [number, lease] : leases_) self.monitor(lease.ticket, lease_over{number});
  }

 private:
  static void refuse(transaction& tx, ref<ticket> customer) {
    tx.fail(customer, {failure_reason::timed_out, "the context of the request was over before its turn came"});
  }

  void grant(self<P>& self, const claim& c, ref<ticket> customer) {
    const auto t = self.create(ticket_behavior(), failure_rule(failure_policy::end));
    const timer over = self.send_after(limit_, t, run_out{});
    self.monitor(t, lease_over{number_});
    if (c.holder != 0) self.monitor(access::make_ref<done>(c.holder), t, run_out{});
    self.send(customer, ticket(t));
    leases_ = std::move(leases_).insert_or_assign(number_++, {t, over, c.places});
    free_ -= c.places;
  }
  // Grants leases to the requests that wait, as long as there are places for the first of them.
  void let_in(self<P>& self) {
    leaving<request<claim>> served(self);
    for (; !waiting_.empty(); waiting_ = std::move(waiting_).pop_front()) {
      const waiting_claim first = waiting_.front();
      const bool is_over = first->in.is_over();
      const request<claim>& m = first->message;
      if (!is_over && m.body.places > free_) break;
      with_context(first->in, [&] { is_over ? refuse(self, m.customer) : grant(self, m.body, m.customer); });
      served.note(first);
    }
    served.commit();
  }

  std::chrono::nanoseconds limit_;
  std::uint64_t all_;
  std::uint64_t free_;
  std::uint64_t number_ = 1;  // of the next lease
  map<std::uint64_t, granted_lease> leases_{};
  queue<waiting_claim> waiting_{};
};

}  // namespace tact::detail
