// The behaviour of a tact::pool.
#pragma once

#include <cstddef>
#include <cstdint>
#include <exception>
#include <optional>
#include <utility>
#include <vector>

#include "tact/behavior.hpp"
#include "tact/context.hpp"
#include "tact/data/map.hpp"
#include "tact/data/queue.hpp"
#include "tact/detail/counted.hpp"
#include "tact/detail/held_message.hpp"
#include "tact/failure.hpp"
#include "tact/patterns/detail/leaving.hpp"
#include "tact/patterns/detail/pool_turn.hpp"
#include "tact/patterns/detail/sure_run.hpp"
#include "tact/patterns/detail/value_at.hpp"
#include "tact/protocol.hpp"
#include "tact/ref.hpp"
#include "tact/request.hpp"
#include "tact/self.hpp"

namespace tact {

template <class Q>
struct pool_protocol;

namespace detail {

struct pool_member_gone {
  std::uint64_t seat;
};

// Stands for the factory of a pool that has none.
struct makes_none {};

// A member of a pool.
template <class Q>
struct pool_seat {
  ref<request<Q>> service;
  counted<pool_turn_end> at_work{};  // null: it has no request
  std::uint64_t turn = 0;
  bool is_gone = false;  // it has ended, but its last turn has not
};

// The end of a turn is told by the beta that heard its outcome, and that of a member by a monitor. So both are told
// whatever fails; and when a run that should have handled one fails, the pool looks at all turns, and watches all
// members again.
template <class Q, class F>
class pooled_service {
  using self_type = self<pool_protocol<Q>>;
  using customer_type = ref<typename request<Q>::reply>;
  using waiter_type = held<request<Q>>;

 public:
  pooled_service(F make, std::vector<ref<request<Q>>> members, std::size_t members_max, std::size_t queue_max)
      : setup_(counted<setup>::make(std::move(make), std::move(members), members_max, queue_max)) {}

  void operator()(self_type& self, const request<Q>& m) const {
    pooled_service next = *this;
    next.open(self);
    if (next.finds_idle(self)) {
      next.begin(self, m.body, m.customer, {});
      self.defer(m);
    } else if (next.members_ == 0) {
      self.fail(m, {failure_reason::target_ended, "no member of the pool is left"});
    } else if (next.count_ >= setup_->queue_max) {
      self.fail(m, {failure_reason::mailbox_full, "so many requests wait in the pool as its options allow"});
    } else {
      next.waiting_ = waiting_.push_back(hold_back(self, m, "pool"));
      ++next.count_;
    }
    self.become(std::move(next));
  }
  void operator()(self_type& self, const pool_turn_over& m) const {
    const sure_run sure(self);
    m.note_arrival();
    const pool_seat<Q>* const seat = value_at(seats_, m.seat);
    if (seat == nullptr || !seat->at_work || seat->turn != m.turn) return;  // it was found to be over before
    pooled_service next = *this;
    next.free(m.seat, *seat);
    next.let_in(self);
    self.become(std::move(next));
  }
  void operator()(self_type& self, const pool_member_gone& m) const {
    const sure_run sure(self);
    const pool_seat<Q>* const seat = value_at(seats_, m.seat);
    if (seat == nullptr || seat->is_gone) return;
    pooled_service next = *this;
    next.lose(m.seat, *seat);
    next.let_in(self);
    self.become(std::move(next));
  }
  // A run that should have handled the end of a turn or of a member has failed.
  void operator()(self_type& self, const failure&) const {
    const sure_run sure(self);
    pooled_service next = *this;
    for (const auto& [id, seat] : seats_) {
      if (!seat.is_gone) self.monitor(seat.service, pool_member_gone{id});
      if (seat.at_work && seat.at_work->has_come) next.free(id, seat);
    }
    next.let_in(self);
    self.become(std::move(next));
  }

 private:
  struct setup {
    const F make;
    const std::vector<ref<request<Q>>> members;
    const std::size_t members_max;
    const std::size_t queue_max;
  };

  // What becomes of the first request that waits.
  enum class fate : unsigned char { begun, waits, refused };

  // Watches the members with which the pool begins: its first run does that.
  void open(self_type& self) {
    if (std::exchange(is_open_, true)) return;
    for (const auto& service : setup_->members) add(self, service);
  }
  void add(self_type& self, ref<request<Q>> service) {
    const std::uint64_t id = next_++;
    self.monitor(service, pool_member_gone{id});
    seats_ = std::move(seats_).insert_or_assign(id, {service});
    idle_ = std::move(idle_).push_back(id);
    ++members_;
  }
  // Is there a member without a request? Then it is idle_.front(). May make one.
  bool finds_idle(self_type& self) {
    while (!idle_.empty() && !seats_.contains(idle_.front()))
      idle_ = std::move(idle_).pop_front();  // it ended while idle
    if constexpr (!std::is_same_v<F, makes_none>) {
      if (idle_.empty() && members_ < setup_->members_max) add(self, setup_->make(self));
    }
    return !idle_.empty();
  }
  void begin(self_type& self, Q query, customer_type customer, const waiter_type& waited) {
    const std::uint64_t id = idle_.front();
    const ref<request<Q>> service = seats_.at(id).service;
    const std::uint64_t turn = next_++;
    const auto end = counted<pool_turn_end>::make();
    const pool_turn<Q> then{customer, waited, end, self.ref(), id, turn};
    access::ask_regardless<transaction>(self, std::nullopt, service, std::move(query), then, then);
    seats_ = std::move(seats_).insert_or_assign(id, {service, end, turn});
    idle_ = std::move(idle_).pop_front();
  }
  void free(std::uint64_t id, const pool_seat<Q>& seat) {
    if (seat.is_gone) {
      seats_ = std::move(seats_).erase(id);
    } else {
      seats_ = std::move(seats_).insert_or_assign(id, {seat.service});
      idle_ = std::move(idle_).push_back(id);
    }
  }
  void lose(std::uint64_t id, const pool_seat<Q>& seat) {
    seats_ =
        seat.at_work ? seats_.insert_or_assign(id, {seat.service, seat.at_work, seat.turn, true}) : seats_.erase(id);
    --members_;
  }

  // Gives the first that wait to members that have nothing to do; when no member is left, all that wait fail.
  void let_in(self_type& self) {
    leaving<request<Q>> refused(self);
    while (!waiting_.empty()) {
      const waiter_type first = waiting_.front();
      const fate of_first = with_context(first->in, [&] { return try_to_begin(self, first); });
      if (of_first == fate::waits) break;
      waiting_ = std::move(waiting_).pop_front();
      --count_;
      if (of_first == fate::refused) refused.note(first);
    }
    refused.commit();
  }
  fate try_to_begin(self_type& self, const waiter_type& first) {
    const customer_type customer = first->message.customer;
    try {
      if (finds_idle(self)) {
        begin(self, first->message.body, customer, first);
        return fate::begun;
      }
    } catch (const std::exception& e) {
      return refuse(self, customer, failure_reason::handler_threw, e.what());
    } catch (...) {
      return refuse(self, customer, failure_reason::handler_threw, "an exception that is no std::exception");
    }
    if (members_ != 0) return fate::waits;
    return refuse(self, customer, failure_reason::target_ended, "no member of the pool is left");
  }
  static fate refuse(self_type& self, customer_type customer, failure_reason reason, const char* why) {
    self.fail(customer, {reason, why});
    return fate::refused;
  }

  counted<setup> setup_;
  bool is_open_ = false;
  std::size_t members_ = 0;  // that have not ended
  std::size_t count_ = 0;    // of requests that wait
  std::uint64_t next_ = 1;   // number of a seat or of a turn
  map<std::uint64_t, pool_seat<Q>> seats_{};
  queue<std::uint64_t> idle_{};  // seats; also of members that have ended since
  queue<waiter_type> waiting_{};
};

}  // namespace detail
}  // namespace tact
