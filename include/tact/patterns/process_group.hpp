// tact::process_group: actors that belong together, and may be asked for by others.
#include "tact/detail/begin.hpp"  // first
#pragma once

#include <cstdint>
#include <type_traits>
#include <utility>
#include <vector>

#include "tact/behavior.hpp"
#include "tact/failure.hpp"
#include "tact/patterns/detail/member_list.hpp"
#include "tact/patterns/detail/sure_run.hpp"
#include "tact/protocol.hpp"
#include "tact/ref.hpp"
#include "tact/request.hpp"
#include "tact/self.hpp"

namespace tact {

// Asks a group to take `who` in. The answer comes when it is a member. An actor that joins again stays a member once.
template <class P>
struct join_group {
  using reply = void;
  ref<P> who{};
};
// Asks a group to let `who` go. The answer comes when it is no member any more.
template <class P>
struct leave_group {
  using reply = void;
  ref<P> who{};
};
// Asks for the members, in the order in which they joined.
template <class P>
struct group_members {
  using reply = std::vector<ref<P>>;
};
// Tells a watcher that an actor has become a member.
template <class P>
struct member_joined {
  ref<P> who{};
};
// Tells a watcher that a member has left, or has ended.
template <class P>
struct member_left {
  ref<P> who{};
};
// What the watchers of a group hear; the protocol of each watcher includes it.
template <class P>
struct group_changes : protocol<member_joined<P>, member_left<P>> {};
// Asks for the members now, and for word of each change after that, until the watcher ends.
template <class P>
struct watch_group {
  using reply = std::vector<ref<P>>;
  ref<group_changes<P>> watcher{};
};

// The protocol of a group. A message of P that is sent to the group goes to each member. No limit holds for word of the
// end of a member or a watcher.
template <class P>
struct process_group_protocol : protocol<P, request<join_group<P>>, request<leave_group<P>>, request<group_members<P>>,
                                         request<watch_group<P>>, detail::own_words<detail::member_ended>, failure> {};

namespace detail {

template <class P>
struct group_of_members {
  using self_type = self<process_group_protocol<P>>;

  void operator()(self_type& self, const request<join_group<P>>& m) const {
    if (!m.body.who) throw usage_error("tact::join_group: the ref is that of no actor");
    if (!members.has(m.body.who)) {
      self.become(group_of_members{with_watched(members, self, next_number, m.body.who), watchers, next_number + 1});
      watchers.for_each([&](ref<group_changes<P>> w) { self.send(w, member_joined<P>{m.body.who}); });
    }
    self.reply(m);
  }
  void operator()(self_type& self, const request<leave_group<P>>& m) const {
    if (const std::uint64_t number = members.number_of(m.body.who)) {
      become_without(self, members.leave(number), m.body.who);
    }
    self.reply(m);
  }
  void operator()(self_type& self, const request<group_members<P>>& m) const { self.reply(m, list()); }
  void operator()(self_type& self, const request<watch_group<P>>& m) const {
    if (!m.body.watcher) throw usage_error("tact::watch_group: the ref is that of no actor");
    if (!watchers.has(m.body.watcher)) {
      self.become(
          group_of_members{members, with_watched(watchers, self, next_number, m.body.watcher), next_number + 1});
    }
    self.reply(m, list());
  }
  void operator()(self_type& self, const member_ended& m) const {
    const sure_run sure(self);
    if (watchers.find(m.number) != nullptr) {
      self.become(group_of_members{members, watchers.erase(m.number), next_number});
    } else if (const ref<P>* const who = members.find(m.number)) {
      become_without(self, members.erase(m.number), *who);
    }
  }
  // Handles a message of P, or the failure of a run that should have handled a member_ended.
  template <class M>
  void operator()(self_type& self, const M& m) const {
    if constexpr (std::is_same_v<M, failure>) {
      const sure_run sure(self);
      self.become(group_of_members{watched_again(members, self), watched_again(watchers, self), next_number});
    } else {
      static_assert(std::is_copy_constructible_v<M>,
                    "tact::process_group<P>: each member gets a copy of a message, so those of P must be copyable");
      members.for_each([&](ref<P> r) { self.send(r, m); });
      if constexpr (has_customer<M>) {
        if (members.size() == 0) self.fail(m, {failure_reason::target_ended, "process_group: it has no members"});
      }
    }
  }

  void become_without(self_type& self, member_list<ref<P>> rest, ref<P> who) const {
    watchers.for_each([&](ref<group_changes<P>> w) { self.send(w, member_left<P>{who}); });
    self.become(group_of_members{std::move(rest), watchers, next_number});
  }
  [[nodiscard]] std::vector<ref<P>> list() const {
    std::vector<ref<P>> all;
    members.for_each([&](ref<P> r) { all.push_back(r); });
    return all;
  }

  member_list<ref<P>> members{};
  member_list<ref<group_changes<P>>> watchers{};
  std::uint64_t next_number = 1;  // for members and watchers
};

}  // namespace detail

// const auto tellers = engine.create(tact::process_group<teller>());
// self.ask(tellers, tact::join_group<teller>{self.ref()}, [](auto&) {});
// engine.send(tellers, closing_time{});   // to each of them
//
// A group of actors of one protocol, or of one message type. A member that ends leaves by itself, and watchers of the
// group hear of each change. The group is used like a member: what it gets of P it sends to each member, in the order
// in which they joined, and each member hears what one sender sends in its order. Of a request that is sent to the
// group so, the first answer counts. Without members a request fails at once with target_ended, as with
// tact::router, and another message goes to none, as with tact::topic. Give the group a name in a tact::registry to
// find it. P must not list tact::failure; make the group one of a protocol that P includes then. An actor that has
// joined twice is a member once. When a group ends its members do not. Costs: a broadcast one message and one for each
// member; a change one for each watcher, and the logarithm of the number of members; group_members copies them. Source
// of the idea: Erlang's pg.
template <class P>
[[nodiscard]] behavior<process_group_protocol<P>> process_group() {
  static_assert(
      !detail::accepts<P, failure>,
      "tact::process_group<P>: P lists tact::failure, which a group needs for itself: make the group one of a "
      "protocol that P includes");
  if constexpr (!detail::accepts<P, failure>) {
    return detail::group_of_members<P>{};
  } else {
    return {};
  }
}

// Names of earlier versions; they go with the next one.
template <class P>
using grouped [[deprecated("use tact::process_group_protocol")]] = process_group_protocol<P>;

}  // namespace tact

#include "tact/detail/end.hpp"  // last
