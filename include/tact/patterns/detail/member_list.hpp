// Members in the order in which they came: of a topic, a group or a scatter_gather, or the subscribers of an
// observable.
#pragma once

#include <compare>
#include <cstddef>
#include <cstdint>
#include <utility>

#include "tact/detail/access.hpp"
#include "tact/monitor.hpp"
#include "tact/patterns/detail/mix.hpp"
#include "tact/patterns/detail/persistent_list.hpp"
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
[[nodiscard]] constexpr std::uint64_t mix(const membership& m) noexcept { return mix(m.actor ^ mix(m.number)); }

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
  using entries = persistent_list<entry>;

 public:
  // Goes through the members in the order of their numbers. REQUIRES: the list lives on.
  class iterator {
   public:
    using value_type = Who;
    using difference_type = std::ptrdiff_t;

    iterator() noexcept = default;
    explicit iterator(const entries& all) noexcept : all_(&all), at_(all.at_or_after(0)) {}
    const Who& operator*() const noexcept { return at_->item.who; }
    iterator& operator++() noexcept {
      at_ = all_->at_or_after(at_->key + 1);
      return *this;
    }
    iterator operator++(int) noexcept {
      const iterator before = *this;
      ++*this;
      return before;
    }
    friend bool operator==(const iterator& a, const iterator& b) noexcept { return a.at_ == b.at_; }

   private:
    const entries* all_ = nullptr;
    const typename entries::entry* at_ = nullptr;
  };
  [[nodiscard]] iterator begin() const noexcept { return iterator(all_); }
  [[nodiscard]] iterator end() const noexcept { return {}; }
  [[nodiscard]] std::size_t size() const noexcept { return size_; }
  [[nodiscard]] bool has(const Who& who) const noexcept { return number_of(who) != 0; }
  // Null if there is no member of that number.
  [[nodiscard]] const Who* find(std::uint64_t number) const noexcept {
    const entry* const e = all_.find(number);
    return e == nullptr ? nullptr : &e->who;
  }
  // The number by which the actor is a member; the latest if it has several, 0 if it has none.
  [[nodiscard]] std::uint64_t number_of(const Who& who) const noexcept {
    const auto* const last = by_actor_.at_or_before({address_of_member(who), ~std::uint64_t{0}});
    return last == nullptr || last->key.actor != address_of_member(who) ? 0 : last->key.number;
  }
  // The number of a member that is this actor, whatever its ref was narrowed to; 0 if there is none.
  [[nodiscard]] std::uint64_t number_of_actor(port actor) const noexcept {
    const auto* const first = by_actor_.at_or_after({actor & ~index_mask, 0});
    return first == nullptr || !same_actor(first->key.actor, actor) ? 0 : first->key.number;
  }

  // The members with one more, which `watch` watches. `number` is above each one that was used before, and not 0.
  [[nodiscard]] member_list with(std::uint64_t number, const Who& who, monitor watch) const {
    member_list more = *this;
    more.all_.insert(number, {who, std::move(watch)});
    more.by_actor_.insert({address_of_member(who), number}, {});
    ++more.size_;
    return more;
  }
  // The members without the one of that number, whose monitor is cancelled. REQUIRES: find(number) is not null.
  [[nodiscard]] member_list leave(std::uint64_t number) const {
    all_.find(number)->watch.cancel();
    return erase(number);
  }
  // The members without the one of that number, if there is one; it has ended, so its monitor is left alone.
  [[nodiscard]] member_list erase(std::uint64_t number) const {
    const Who* const who = find(number);
    if (who == nullptr) return *this;
    member_list fewer = *this;
    fewer.by_actor_.erase({address_of_member(*who), number});
    fewer.all_.erase(number);
    --fewer.size_;
    return fewer;
  }
  // The same members, each watched anew by watch(number, who), which returns a monitor. The monitors so far are
  // cancelled.
  template <class Watch>
  [[nodiscard]] member_list watch_again(const Watch& watch) const {
    member_list same = *this;
    all_.for_each([&](std::uint64_t number, const entry& e) {
      e.watch.cancel();
      same.all_.insert(number, {e.who, watch(number, e.who)});
    });
    return same;
  }
  // Calls f(who) for each, in the order of their numbers.
  template <class F>
  void for_each(const F& f) const {
    all_.for_each([&](std::uint64_t, const entry& e) { f(e.who); });
  }

  member_list() noexcept = default;

 private:
  struct nothing {};

  entries all_{};
  persistent_list<nothing, membership> by_actor_{};
  std::size_t size_ = 0;
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
