// Members in the order in which they came: of a topic, a group or a scatter_gather, or the subscribers of an
// observable.
#pragma once

#include <compare>
#include <cstddef>
#include <cstdint>
#include <utility>

#include "tact/data/map.hpp"
#include "tact/data/set.hpp"
#include "tact/detail/access.hpp"
#include "tact/monitor.hpp"
#include "tact/patterns/detail/value_at.hpp"
#include "tact/ref.hpp"

namespace tact::detail {

// Tells that the member of that number has ended.
struct member_ended {
  std::uint64_t number;
};

// An actor, and the number by which it is a member.
struct membership {
  port actor;
  std::uint64_t number;
  friend auto operator<=>(const membership&, const membership&) = default;
};

template <class P>
[[nodiscard]] port address_of_member(ref<P> who) noexcept {
  return access::port_of(who);
}

// Actors, each with a number of its own and with the monitor that tells of its end, which names the number. The
// list does not prevent that an actor is a member several times: the parts ask has(who) before they add one. A member
// that leaves is taken out, and its monitor is cancelled. Who is the address of
// an actor, a ref for example, for which address_of_member(who) returns its port. All calls but for_each and
// watch_again take the logarithm of the number of members. Thread safety: as a shared pointer.
template <class Who>
class member_list {
  struct entry {
    Who who;
    monitor watch;
  };
  using entries = map<std::uint64_t, entry>;

 public:
  // Goes through the members in the order of their numbers. REQUIRES: the list lives on.
  class iterator {
   public:
    using value_type = Who;
    using difference_type = std::ptrdiff_t;

    iterator() noexcept = default;
    explicit iterator(typename entries::iterator at) noexcept : at_(at) {}
    const Who& operator*() const noexcept { return at_->second.who; }
    iterator& operator++() noexcept {
      ++at_;
      return *this;
    }
    iterator operator++(int) noexcept {
      const iterator before = *this;
      ++*this;
      return before;
    }
    friend bool operator==(const iterator& a, const iterator& b) noexcept { return a.at_ == b.at_; }

   private:
    typename entries::iterator at_{};
  };
  [[nodiscard]] iterator begin() const noexcept { return iterator(all_.begin()); }
  [[nodiscard]] iterator end() const noexcept { return iterator(all_.end()); }
  [[nodiscard]] std::size_t size() const noexcept { return all_.size(); }
  [[nodiscard]] bool has(const Who& who) const noexcept { return number_of(who) != 0; }
  // Null if there is no member of that number.
  [[nodiscard]] const Who* find(std::uint64_t number) const noexcept {
    const entry* const e = value_at(all_, number);
    return e == nullptr ? nullptr : &e->who;
  }
  // The number by which the actor is a member; the latest if it has several, 0 if it has none.
  [[nodiscard]] std::uint64_t number_of(const Who& who) const noexcept {
    auto last = by_actor_.upper_bound(membership{address_of_member(who), ~std::uint64_t{0}});
    if (last == by_actor_.begin()) return 0;
    --last;
    return last->actor == address_of_member(who) ? last->number : 0;
  }
  // The number of a member that is this actor, whatever its ref was narrowed to; 0 if there is none.
  [[nodiscard]] std::uint64_t number_of_actor(port actor) const noexcept {
    const auto first = by_actor_.lower_bound(membership{actor & ~index_mask, 0});
    return first == by_actor_.end() || !same_actor(first->actor, actor) ? 0 : first->number;
  }

  // The members with one more, which `watch` watches. `number` is above each one that was used before, and not 0.
  [[nodiscard]] member_list with(std::uint64_t number, const Who& who, monitor watch) const {
    member_list more = *this;
    more.all_ = std::move(more.all_).insert_or_assign(number, {who, std::move(watch)});
    more.by_actor_ = std::move(more.by_actor_).insert({address_of_member(who), number});
    return more;
  }
  // The members without the one of that number, whose monitor is cancelled. REQUIRES: find(number) is not null.
  [[nodiscard]] member_list leave(std::uint64_t number) const {
    all_.at(number).watch.cancel();
    return erase(number);
  }
  // The members without the one of that number, if there is one; it has ended, so its monitor is left alone.
  [[nodiscard]] member_list erase(std::uint64_t number) const {
    const Who* const who = find(number);
    if (who == nullptr) return *this;
    member_list fewer = *this;
    fewer.by_actor_ = std::move(fewer.by_actor_).erase(membership{address_of_member(*who), number});
    fewer.all_ = std::move(fewer.all_).erase(number);
    return fewer;
  }
  // The same members, each watched anew by watch(number, who), which returns a monitor. The monitors so far are
  // cancelled.
  template <class Watch>
  [[nodiscard]] member_list watch_again(const Watch& watch) const {
    member_list same = *this;
    for (const auto& [number, e] : all_) {
      e.watch.cancel();
      same.all_ = std::move(same.all_).insert_or_assign(number, {e.who, watch(number, e.who)});
    }
    return same;
  }
  // Calls f(who) for each, in the order of their numbers.
  template <class F>
  void for_each(const F& f) const {
    for (const auto& [number, e] : all_) f(e.who);
  }

  member_list() noexcept = default;

 private:
  entries all_{};
  set<membership> by_actor_{};
};

// Makes the actor `self` hear of the end of a member by member_ended.
template <class Self, class P>
[[nodiscard]] monitor watch_member(Self& self, std::uint64_t number, ref<P> who) {
  return self.monitor(who, member_ended{number});
}
template <class Self, class P>
[[nodiscard]] member_list<ref<P>> with_watched(const member_list<ref<P>>& all, Self& self, std::uint64_t number,
                                               ref<P> who) {
  return all.with(number, who, watch_member(self, number, who));
}
// Watches all members anew, because word of an end may have been lost: the new monitor of a member that has ended tells
// that at once.
template <class Self, class P>
[[nodiscard]] member_list<ref<P>> watched_again(const member_list<ref<P>>& all, Self& self) {
  return all.watch_again([&](std::uint64_t number, ref<P> who) { return watch_member(self, number, who); });
}

}  // namespace tact::detail
