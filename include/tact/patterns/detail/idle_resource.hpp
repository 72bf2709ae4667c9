// The behaviour of an idle_close.
#pragma once

#include <chrono>
#include <cstdint>
#include <exception>
#include <type_traits>
#include <utility>

#include "tact/behavior.hpp"
#include "tact/context.hpp"
#include "tact/data/queue.hpp"
#include "tact/detail/counted.hpp"
#include "tact/detail/held_message.hpp"
#include "tact/failure.hpp"
#include "tact/failure_rule.hpp"
#include "tact/owner.hpp"
#include "tact/patterns/detail/leaving.hpp"
#include "tact/patterns/detail/sure_run.hpp"
#include "tact/patterns/detail/watched_turn.hpp"
#include "tact/ref.hpp"
#include "tact/request.hpp"
#include "tact/self.hpp"
#include "tact/timer.hpp"

namespace tact {

template <class Q>
struct idle_close_protocol;

namespace detail {

template <class T>
inline constexpr bool is_owner = false;
template <class P>
inline constexpr bool is_owner<owner<P>> = true;

// Each of these messages names the use, or the opening, that it is about.
struct use_over {
  std::uint64_t use;
};
struct idle_time_over {
  std::uint64_t use;  // the last one
};
struct resource_gone {
  std::uint64_t opening;
};

// The end of a use, and that of the resource, are told by monitors: when a run that should have handled one fails,
// other monitors tell it again. Closed is the message that tells of the end of a resource.
template <class Q, class F, class Closed>
class idle_resource {
  using self_type = self<idle_close_protocol<Q>>;
  using customer_type = ref<typename request<Q>::reply>;
  using waiter_type = held<request<Q>>;
  using owner_type = std::invoke_result_t<const F&, transaction&>;

 public:
  idle_resource(F open, std::chrono::nanoseconds idle, ref<Closed> told)
      : setup_(counted<setup>::make(std::move(open), idle, told)) {}

  void operator()(self_type& self, const request<Q>& m) const {
    idle_resource next = *this;
    if (at_work_) {
      next.waiting_ = waiting_.push_back(hold_back(self, m, "idle_close"));
    } else {
      next.begin(self, m.body, m.customer, {});
      self.defer(m);
    }
    self.become(std::move(next));
  }
  void operator()(self_type& self, const use_over& m) const {
    const sure_run sure(self);
    if (!at_work_ || m.use != use_) return;  // a second monitor has told it
    idle_resource next = *this;
    next.at_work_ = {};
    next.let_next(self);
    self.become(std::move(next));
  }
  void operator()(self_type& self, const idle_time_over& m) const {
    const sure_run sure(self);
    if (at_work_ || m.use != use_) return;  // it was used since
    idle_resource next = *this;
    next.resource_ = {};
    self.become(std::move(next));
  }
  void operator()(self_type& self, const resource_gone& m) const {
    const sure_run sure(self);
    if (m.opening != opening_) return;
    idle_resource next = *this;
    next.resource_ = {};
    self.become(std::move(next));
  }
  // A run that should have handled one of these messages has failed.
  void operator()(self_type& self, const failure&) const {
    const unfailing sure;
    if (at_work_) self.monitor(at_work_, use_over{use_});
    if (resource_) self.monitor(resource_->ref(), resource_gone{opening_});
    if (resource_ && !at_work_) self.send_after(setup_->idle, self.ref(), idle_time_over{use_});
  }

 private:
  struct setup {
    const F open;
    const std::chrono::nanoseconds idle;
    const ref<Closed> told;
  };

  void open(self_type& self) {
    if (resource_) return;
    resource_ = counted<owner_type>::make(setup_->open(self));
    self.monitor(resource_->ref(), resource_gone{++opening_});
    if (setup_->told) self.monitor(resource_->ref(), setup_->told, Closed{});
  }
  void begin(self_type& self, Q query, customer_type customer, const waiter_type& waited) {
    open(self);
    if (idle_ != timer()) std::exchange(idle_, timer()).cancel();
    at_work_ = self.create(behavior<turn_customer<Q>>(watched_turn<Q>{customer, self.context(), waited}),
                           failure_rule(failure_policy::end));
    self.monitor(at_work_, use_over{++use_});
    self.send(ref<request<Q>>(resource_->ref()), request<Q>{at_work_, std::move(query)});
  }
  // Begins the first request that can be begun; those before it have failed.
  void let_next(self_type& self) {
    leaving<request<Q>> refused(self);
    while (!at_work_ && !waiting_.empty()) {
      const waiter_type first = waiting_.front();
      waiting_ = std::move(waiting_).pop_front();
      with_context(first->in, [&] {
        if (!tries_to_begin(self, first)) refused.note(first);
      });
    }
    if (!at_work_ && resource_) idle_ = self.send_after(setup_->idle, self.ref(), idle_time_over{use_});
    refused.commit();
  }
  bool tries_to_begin(self_type& self, const waiter_type& first) {
    try {
      begin(self, first->message.body, first->message.customer, first);
      return true;
    } catch (const std::exception& e) {
      self.fail(first->message.customer, failure{failure_reason::handler_threw, e.what()});
    } catch (...) {
      self.fail(first->message.customer,
                failure{failure_reason::handler_threw, "an exception that is no std::exception"});
    }
    return false;
  }

  counted<setup> setup_;
  counted<owner_type> resource_{};   // null: it is closed
  ref<turn_customer<Q>> at_work_{};  // the customer of the request that is at the resource; null: there is none
  queue<waiter_type> waiting_{};
  std::uint64_t use_ = 0;
  std::uint64_t opening_ = 0;
  timer idle_{};
};

}  // namespace detail
}  // namespace tact
