// What a router makes of its members and its policy, and how a message is passed on by it.
#pragma once

#include <algorithm>
#include <compare>
#include <concepts>
#include <cstddef>
#include <cstdint>
#include <functional>
#include <type_traits>
#include <utility>
#include <vector>

#include "tact/detail/copied_failure.hpp"
#include "tact/detail/mix.hpp"
#include "tact/detail/roster.hpp"
#include "tact/detail/sure_run.hpp"
#include "tact/failure.hpp"
#include "tact/forwarder.hpp"
#include "tact/patterns/routing.hpp"
#include "tact/ref.hpp"
#include "tact/request.hpp"
#include "tact/transaction.hpp"

namespace tact::detail {

// A route never changes, but for what its policy counts. `how` outlives it. Here the policy is a function.
template <class P, class Policy>
struct route {
  route(const Policy& how, roster<P> m) noexcept : members(std::move(m)), how_(how) {}

  template <class M>
  void pass(transaction& tx, const M& m) const {
    static_assert(std::is_invocable_r_v<std::size_t, const Policy&, const M&, std::size_t>,
                  "tact::router: a policy is a function of a message and the number of members, and returns an index");
    const std::size_t count = members.size();
    hand_over(tx, count == 0 ? ref<P>() : members[how_(m, count) % count].to, m);
  }

  const roster<P> members;

 private:
  const Policy& how_;
};

template <class P>
struct route<P, broadcast> {
  route(broadcast, roster<P> m) noexcept : members(std::move(m)) {}

  template <class M>
  void pass(transaction& tx, const M& m) const {
    static_assert(std::is_copy_constructible_v<M>,
                  "tact::broadcast: each member gets a copy, so messages are copyable");
    for (const auto& one : members) tx.send(one.to, m);
    if (members.size() == 0) hand_over(tx, ref<P>(), m);
  }

  const roster<P> members;
};

template <class P>
struct route<P, least_outstanding> {
  route(least_outstanding, roster<P> m) noexcept : members(std::move(m)) {}

  template <class M>
  void pass(transaction& tx, const M& m) const {
    static_assert(has_customer<M>,
                  "tact::least_outstanding: a router does not see when a message that is no request was handled");
    if (members.size() == 0) return hand_over(tx, ref<P>(), m);
    ask(tx, *std::min_element(members.begin(), members.end(), owes_less), m);
  }

  const roster<P> members;

 private:
  static bool owes_less(const roster_member<P>& a, const roster_member<P>& b) noexcept {
    return a.owed->count < b.owed->count;
  }
  // The answer is owed until the two functions are gone: because one of them has run, or because this run has failed.
  template <class Q>
  static void ask(transaction& tx, const roster_member<P>& one, const request<Q>& m) {
    using reply = typename request<Q>::reply;
    const auto owed = counted<owed_answer>::make(one.owed);
    const auto answered = [owed, customer = m.customer](transaction& in, reply& answer) {
      tell_if_it_fails(in, customer);
      in.send(customer, std::move(answer));
    };
    const auto failed = [owed, customer = m.customer](transaction& in, const failure& f) {
      tell_if_it_fails(in, customer);
      in.fail(customer, as_far_as_memory_goes(f));
    };
    tx.ask(one.to, m.body, answered, failed);
    tx.defer(m);
  }
};

template <class K>
[[nodiscard]] std::uint64_t spread_key(const K& key) {
  if constexpr (std::integral<K>) {
    return mix(static_cast<std::uint64_t>(key));
  } else {
    return mix(std::hash<K>()(key));
  }
}

template <class P, class F>
struct route<P, by_key<F>> {
  route(const by_key<F>& how, roster<P> m) : members(std::move(m)), key_(how.key) {
    for (std::size_t i = 0; i != members.size(); ++i) {
      for (std::size_t n = 0; n != how.points; ++n) ring_.push_back({mix(mix(members[i].number) + n), i});
    }
    std::sort(ring_.begin(), ring_.end());
  }

  template <class M>
  void pass(transaction& tx, const M& m) const {
    static_assert(std::is_invocable_v<const F&, const M&>, "tact::by_key: the function must take each message");
    hand_over(tx, ring_.empty() ? ref<P>() : members[at(spread_key(key_(m)))].to, m);
  }

  const roster<P> members;

 private:
  // A place on the ring, and whose it is.
  struct point {
    std::uint64_t place;
    std::size_t member;
    friend auto operator<=>(const point&, const point&) = default;
  };
  // The member at the first place that is not before this one, round the end of the ring.
  [[nodiscard]] std::size_t at(std::uint64_t place) const noexcept {
    const auto found = std::lower_bound(ring_.begin(), ring_.end(), point{place, 0});
    return found == ring_.end() ? ring_.front().member : found->member;
  }

  const F& key_;
  std::vector<point> ring_{};
};

}  // namespace tact::detail
