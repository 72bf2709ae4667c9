// What a router makes of its members and its policy, and how a message is passed on by it.
#pragma once

#include <concepts>
#include <cstddef>
#include <cstdint>
#include <functional>
#include <optional>
#include <type_traits>
#include <utility>

#include "tact/data/map.hpp"
#include "tact/detail/copied_failure.hpp"
#include "tact/failure.hpp"
#include "tact/forwarder.hpp"
#include "tact/monitor.hpp"
#include "tact/patterns/detail/mix.hpp"
#include "tact/patterns/detail/roster.hpp"
#include "tact/patterns/detail/sure_run.hpp"
#include "tact/patterns/detail/value_at.hpp"
#include "tact/patterns/routing.hpp"
#include "tact/ref.hpp"
#include "tact/request.hpp"
#include "tact/transaction.hpp"

namespace tact::detail {

// What routes have in common.
template <class P>
struct members_of_route {
  void add(ref<P> m, monitor watch) { members.add(m, std::move(watch)); }
  void remove(ref<P> m) { members.remove(m); }

  roster<P> members{};
};

// A route never changes once it is in a behaviour, but for what its policy counts; before that members are added to a
// copy, and removed. `how` outlives it. Here the policy is a function.
template <class P, class Policy>
class route : public members_of_route<P> {
 public:
  explicit route(const Policy& how) noexcept : how_(&how) {}

  template <class M>
  void pass(transaction& tx, const M& m) const {
    static_assert(std::is_invocable_r_v<std::size_t, const Policy&, const M&, std::size_t>,
                  "tact::router: a policy is a function of a message and the number of members, and returns an index");
    const std::size_t count = this->members.size();
    hand_over(tx, count == 0 ? ref<P>() : this->members[(*how_)(m, count) % count].to, m);
  }

 private:
  const Policy* how_;
};

template <class P>
class route<P, broadcast> : public members_of_route<P> {
 public:
  explicit route(broadcast) noexcept {}

  template <class M>
  void pass(transaction& tx, const M& m) const {
    static_assert(std::is_copy_constructible_v<M>,
                  "tact::broadcast: each member gets a copy, so messages are copyable");
    this->members.for_each([&](const auto& one) { tx.send(one.to, m); });
    if (this->members.size() == 0) hand_over(tx, ref<P>(), m);
  }
};

template <class P>
class route<P, least_outstanding> : public members_of_route<P> {
 public:
  explicit route(least_outstanding) noexcept {}

  template <class M>
  void pass(transaction& tx, const M& m) const {
    static_assert(has_customer<M>,
                  "tact::least_outstanding: a router does not see when a message that is no request was handled");
    const roster_member<P>* least = nullptr;
    std::uint64_t fewest = ~std::uint64_t{0};
    this->members.for_each([&](const roster_member<P>& one) {
      const std::uint64_t owed = one.owed->count;
      if (owed >= fewest) return;
      fewest = owed;
      least = &one;
    });
    least == nullptr ? hand_over(tx, ref<P>(), m) : ask(tx, *least, m);
  }

 private:
  // The member owes the answer until both functions are destroyed, because one of them has run or because this run has
  // failed.
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
    access::ask_regardless<transaction>(tx, std::nullopt, one.to, m.body, answered, failed);
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
class route<P, by_key<F>> : public members_of_route<P> {
 public:
  explicit route(const by_key<F>& how) noexcept : how_(&how) {}

  void add(ref<P> m, monitor watch) {
    const std::uint64_t number = this->members.add(m, std::move(watch));
    for (std::size_t n = 0; n != how_->points; ++n) {
      if (!ring_.contains(place(number, n))) ring_ = std::move(ring_).insert(place(number, n), m);
    }
  }
  // Removes the points of that member only.
  void remove(ref<P> m) {
    const std::uint64_t number = this->members.remove(m);
    for (std::size_t n = 0; n != how_->points; ++n) {
      const ref<P>* const whose = value_at(ring_, place(number, n));
      if (whose != nullptr && *whose == m) ring_ = std::move(ring_).erase(place(number, n));
    }
  }
  template <class M>
  void pass(transaction& tx, const M& m) const {
    static_assert(std::is_invocable_v<const F&, const M&>, "tact::by_key: the function must take each message");
    hand_over(tx, ring_.empty() ? ref<P>() : at(spread_key(how_->key(m))), m);
  }

 private:
  static std::uint64_t place(std::uint64_t number, std::size_t point) noexcept { return mix(mix(number) + point); }
  // The member at the first point that is not before this place, round the end of the ring. REQUIRES: there are points.
  [[nodiscard]] ref<P> at(std::uint64_t place) const noexcept {
    const auto next = ring_.lower_bound(place);
    return next == ring_.end() ? ring_.begin()->second : next->second;
  }

  const by_key<F>* how_;
  map<std::uint64_t, ref<P>> ring_{};  // whose the points are, by their places
};

}  // namespace tact::detail
