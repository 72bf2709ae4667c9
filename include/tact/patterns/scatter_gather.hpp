// tact::scatter_gather: a router that sends a request to all of its members, and answers with what came of it.
#include "tact/detail/begin.hpp"  // first
#pragma once

#include <algorithm>
#include <chrono>
#include <cstddef>
#include <cstdint>
#include <iosfwd>
#include <optional>
#include <type_traits>
#include <utility>
#include <vector>

#include "tact/behavior.hpp"
#include "tact/detail/access.hpp"
#include "tact/failure.hpp"
#include "tact/patterns/all_of.hpp"
#include "tact/patterns/detail/gathering.hpp"
#include "tact/patterns/detail/member_list.hpp"
#include "tact/patterns/detail/quorum_join.hpp"
#include "tact/patterns/detail/racing.hpp"
#include "tact/patterns/detail/sure_run.hpp"
#include "tact/patterns/outcome.hpp"
#include "tact/patterns/router.hpp"
#include "tact/protocol.hpp"
#include "tact/ref.hpp"
#include "tact/request.hpp"
#include "tact/self.hpp"

namespace tact {

// When a tact::scatter_gather answers.
struct scatter_options {
  std::size_t quorum = 0;                           // when so many members have answered; 0: when all have ended
  std::optional<std::chrono::nanoseconds> limit{};  // counted from the commit of the router's run
};
std::ostream& operator<<(std::ostream&, const scatter_options&);

// The protocol of a scatter_gather: programs send request<to_all<Q>>, and change its members. No limit holds for word
// of their ends.
template <class Q>
struct scatter_gather_protocol : protocol<request<to_all<Q>>, add_member<request<Q>>, remove_member<request<Q>>,
                                          detail::own_words<detail::member_ended>, failure> {};

namespace detail {

template <class Q>
class scatter_routing {
  using self_type = self<scatter_gather_protocol<Q>>;
  using service = ref<request<Q>>;
  using services = member_list<service>;
  using reply = typename to_all<Q>::reply;

 public:
  scatter_routing(const std::vector<service>& members, const scatter_options& how) : how_(how) {
    for (const service m : members) {
      if (m && !members_.has(m)) members_ = members_.with(next_++, m, {});
    }
  }

  void operator()(self_type& self, const request<to_all<Q>>& m) const {
    ask(self, m);
    if (is_watching_) return;
    scatter_routing after = *this;
    after.watch_all(self);
    self.become(std::move(after));
  }
  void operator()(self_type& self, const add_member<request<Q>>& m) const {
    if (!m.member || members_.has(m.member)) return;
    scatter_routing after = *this;
    const std::uint64_t number = after.next_++;
    after.members_ = members_.with(number, m.member, is_watching_ ? watch_member(self, number, m.member) : monitor());
    if (!is_watching_) after.watch_all(self);
    self.become(std::move(after));
  }
  void operator()(self_type& self, const remove_member<request<Q>>& m) const {
    if (const std::uint64_t number = members_.number_of(m.member)) become(self, members_.leave(number));
  }
  void operator()(self_type& self, const member_ended& m) const {
    const sure_run sure(self);
    if (members_.find(m.number) != nullptr) become(self, members_.erase(m.number));
  }
  // A run that should have handled the end of a member has failed. It is not known which member that was, so all are
  // watched again, and the new monitors report at once which have ended.
  void operator()(self_type& self, const failure&) const {
    const sure_run sure(self);
    scatter_routing after = *this;
    after.watch_all(self);
    self.become(std::move(after));
  }

 private:
  void ask(self_type& self, const request<to_all<Q>>& m) const {
    if (members_.size() < std::max<std::size_t>(how_.quorum, 1)) {
      return self.fail(m, {failure_reason::target_ended, "scatter_gather: it has fewer members than it needs"});
    }
    how_.quorum == 0 ? ask_all(self, m) : ask_quorum(self, m);
    self.defer(m);
  }
  void ask_all(self_type& self, const request<to_all<Q>>& m) const {
    const auto answer = [to = m.customer](transaction& later, reply&& all) { later.send(to, std::move(all)); };
    gather(self, members_, m.body.query, how_.limit, answer, failing_customer<reply>{m.customer});
  }
  void ask_quorum(self_type& self, const request<to_all<Q>>& m) const {
    refuse_long_race(members_.size());
    const cancel_flag losers;
    auto& made = *box<quorum_join<Q>>(access::run_of(self).context, static_cast<unsigned>(members_.size()), how_.quorum,
                                      losers, m.customer)
                      .release();
    ask_racers(self, begin_join(self, made, how_.limit), self.context().with_flag(losers), members_, m.body.query);
  }

  void become(self_type& self, services members) const {
    scatter_routing after = *this;
    after.members_ = std::move(members);
    self.become(std::move(after));
  }
  void watch_all(self_type& self) {
    is_watching_ = true;
    members_ = watched_again(members_, self);
  }

  scatter_options how_;
  services members_{};
  std::uint64_t next_ = 1;    // the number of the next member
  bool is_watching_ = false;  // the first run watches the members with which the router began
};

}  // namespace detail

// const auto shops = engine.create(tact::scatter_gather<quote>({near, far}, {.quorum = 1, .limit = 1s}));
// engine.send(shops, tact::add_member<tact::request<quote>>{new_one});
// for (const auto& price : engine.ask(shops, tact::to_all<quote>{{"tea"}})) ...
//
// Sends a copy of each request to all actors that are members at that time, and answers with a
// std::vector<tact::outcome<R>>. Without a quorum it answers when each of them has answered or failed, with the
// outcomes in the order in which the members came; one that has not ended within the limit has failed with timed_out.
// With a quorum it answers with the first so many answers, in the order in which they came, and the other members are
// cancelled, as self.ask_first says. When a quorum cannot be reached any more, or not within the limit, the request
// fails with the reason of the member that failed last, or timed_out; its `causes` say why each member failed. With
// fewer members than the quorum, or none, a request fails at once with target_ended.
//
// Members come and go by tact::add_member<request<Q>> and tact::remove_member<request<Q>>. They are watched from the
// first request on, and leave when they end. A request to n members costs what tact::all_of costs: n requests, n
// answers, its own two messages, and one actor for 62 members. With tact::parallel, several workers begin requests at
// once. With a quorum there are at most 62 members; a request fails when there are more. Source of the idea: Akka's
// ScatterGatherFirstCompletedPool, and the fork of Lisp-Actors.
template <class Q>
[[nodiscard]] behavior<scatter_gather_protocol<Q>> scatter_gather(const std::vector<ref<request<Q>>>& members,
                                                                  const scatter_options& options = {}) {
  static_assert(std::is_copy_constructible_v<Q>,
                "tact::scatter_gather: each member is sent a copy of the query, so Q must be copyable");
  return detail::scatter_routing<Q>(members, options);
}

// Names of earlier versions; they go with the next one.
template <class Q>
using scattering [[deprecated("use tact::scatter_gather_protocol")]] = scatter_gather_protocol<Q>;

}  // namespace tact

#include "tact/detail/end.hpp"  // last
