// tact::router: a behaviour that passes each message on to one of several actors, or to all of them.
#include "tact/detail/begin.hpp"  // first
#pragma once

#include <utility>
#include <vector>

#include "tact/behavior.hpp"
#include "tact/detail/counted.hpp"
#include "tact/failure.hpp"
#include "tact/monitor.hpp"
#include "tact/patterns/detail/route.hpp"
#include "tact/patterns/detail/sure_run.hpp"
#include "tact/patterns/routing.hpp"
#include "tact/protocol.hpp"
#include "tact/ref.hpp"
#include "tact/self.hpp"

namespace tact {

// Adds a member to a router; one that is a member is not added again.
template <class P>
struct add_member {
  ref<P> member;
};
// Takes a member out of a router; what was passed on to it before still arrives.
template <class P>
struct remove_member {
  ref<P> member;
};

namespace detail {
struct router_member_gone {
  port member;
};
}  // namespace detail

// The protocol of a router: P, and what changes its members. No limit holds for word of their ends.
template <class P>
struct router_protocol
    : protocol<P, add_member<P>, remove_member<P>, detail::own_words<detail::router_member_gone>, failure> {};

namespace detail {

template <class P, class Policy>
class routing {
  using self_type = self<router_protocol<P>>;
  using route_type = route<P, Policy>;

 public:
  routing(const std::vector<ref<P>>& members, Policy how)
      : how_(counted<Policy>::make(std::move(how))), route_(counted<route_type>::make(*how_)) {
    for (const ref<P> m : members) {
      if (m && !route_->members.has(m)) route_->add(m, {});
    }
  }

  void operator()(self_type& self, const add_member<P>& m) const {
    if (!m.member || route_->members.has(m.member)) return;
    routing next = copy();
    next.route_->add(m.member, is_watching_ ? watch(self, m.member) : monitor());
    if (!is_watching_) next.watch_all(self);
    self.become(std::move(next));
  }
  void operator()(self_type& self, const remove_member<P>& m) const {
    if (!route_->members.has(m.member)) return;
    route_->members.watch_of(m.member).cancel();
    remove(self, m.member);
  }
  void operator()(self_type& self, const router_member_gone& m) const {
    const sure_run sure(self);
    remove(self, access::make_ref<P>(m.member));
  }
  // A run that should have handled the end of a member has failed. It is not known which member that was, so all are
  // watched again, and the new monitors report at once which have ended.
  void operator()(self_type& self, const failure&) const {
    const unfailing sure;
    watch_again(self);
  }
  template <class M>
  void operator()(self_type& self, const M& m) const {
    route_->pass(self, m);
    if (!is_watching_) watch_again(self);
  }

 private:
  [[nodiscard]] routing copy() const {
    routing next = *this;
    next.route_ = counted<route_type>::make(*route_);
    return next;
  }
  void remove(self_type& self, ref<P> member) const {
    if (!route_->members.has(member)) return;
    routing next = copy();
    next.route_->remove(member);
    self.become(std::move(next));
  }
  void watch_again(self_type& self) const {
    routing next = copy();
    next.watch_all(self);
    self.become(std::move(next));
  }
  static monitor watch(self_type& self, ref<P> member) {
    return self.monitor(member, router_member_gone{access::port_of(member)});
  }
  void watch_all(self_type& self) {
    is_watching_ = true;
    route_->members.watch_all([&](ref<P> member) { return watch(self, member); });
  }

  counted<Policy> how_;
  counted<route_type> route_;
  bool is_watching_ = false;  // the first run watches the members with which the router began
};

}  // namespace detail

// engine.create(tact::router<order>({desk_1, desk_2}, tact::round_robin()), tact::parallel)
//
// Passes each message of P on to the member that the policy chooses: tact::round_robin, tact::at_random,
// tact::least_outstanding, tact::by_key, or a function of your own; or to all: tact::broadcast. Large messages are not
// copied, except by broadcast. A request is answered by the member, directly. A message for which there is no member is
// a dead letter, and a request fails with target_ended.
//
// Members come and go by tact::add_member<P> and tact::remove_member<P>. They are watched from the first message on,
// and leave when they end; a message that was passed on to a member that has ended meanwhile is a dead letter. A member
// that has left by remove_member, and ends after that, has no effect. When a member leaves, the last one takes its
// place in the order in which policies see them. A change takes the logarithm of the number of members, with
// tact::by_key for each point of that member.
//
// A routed message is two messages: one to the router, one to the member. A router that is tact::parallel costs nothing
// beside that, as long as no members come or go; the order in which one sender's messages reach a member is promised
// only for a router that is not parallel. P must not list tact::failure, which the router itself hears. Source of the
// idea: Akka.
template <class P, class Policy>
[[nodiscard]] behavior<router_protocol<P>> router(std::vector<ref<P>> members, Policy policy) {
  static_assert(!detail::accepts<P, failure>, "tact::router: a protocol that lists tact::failure cannot be routed");
  return detail::routing<P, Policy>(std::move(members), std::move(policy));
}

// Names of earlier versions; they go with the next one.
template <class P>
using routed [[deprecated("use tact::router_protocol")]] = router_protocol<P>;

}  // namespace tact

#include "tact/detail/end.hpp"  // last
