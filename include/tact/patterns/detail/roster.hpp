// The members of a router.
#pragma once

#include <atomic>
#include <cstddef>
#include <cstdint>
#include <utility>

#include "tact/data/map.hpp"
#include "tact/data/vector.hpp"
#include "tact/detail/access.hpp"
#include "tact/detail/counted.hpp"
#include "tact/monitor.hpp"
#include "tact/ref.hpp"

namespace tact::detail {

// How many answers a member owes.
struct owed_answers {
  std::atomic<std::uint64_t> count{0};
};
// One answer is owed as long as this object lives.
class owed_answer {
 public:
  explicit owed_answer(counted<owed_answers> by) noexcept : by_(std::move(by)) { by_->count.fetch_add(1); }
  owed_answer(const owed_answer&) = delete;
  owed_answer& operator=(const owed_answer&) = delete;
  ~owed_answer() { by_->count.fetch_sub(1); }

 private:
  counted<owed_answers> by_;
};

template <class P>
struct roster_member {
  ref<P> to{};
  std::uint64_t number = 0;  // given once, so that what is chosen by it does not depend on addresses
  counted<owed_answers> owed{};
};

// The members of a router, each of them once, by their places: when one leaves, the last one takes its place. A copy
// copies some pointers; a change takes the logarithm of their number. Thread safety: as a shared pointer.
template <class P>
class roster {
 public:
  [[nodiscard]] std::size_t size() const noexcept { return members_.size(); }
  [[nodiscard]] const roster_member<P>& operator[](std::size_t place) const noexcept { return members_[place]; }
  [[nodiscard]] bool has(ref<P> m) const noexcept { return known_.contains(access::port_of(m)); }
  // Calls f(member) for each.
  template <class F>
  void for_each(const F& f) const {
    for (const roster_member<P>& one : members_) f(one);
  }

  // REQUIRES: it is no member. `watch` tells of its end. Returns its number.
  std::uint64_t add(ref<P> m, monitor watch) {
    const std::uint64_t number = next_;
    members_ = std::move(members_).push_back({m, number, counted<owed_answers>::make()});
    known_ = std::move(known_).insert_or_assign(access::port_of(m), {members_.size() - 1, std::move(watch)});
    ++next_;
    return number;
  }
  // The monitor that tells of its end. REQUIRES: it is a member.
  [[nodiscard]] const monitor& watch_of(ref<P> m) const noexcept { return known_.at(access::port_of(m)).watch; }
  // REQUIRES: it is a member. Returns its number.
  std::uint64_t remove(ref<P> m) {
    const std::size_t place = known_.at(access::port_of(m)).place;
    const std::uint64_t number = members_[place].number;
    const roster_member<P> last = members_.back();
    members_ = std::move(members_).set(place, last).pop_back();
    known_ = std::move(known_).insert_or_assign(access::port_of(last.to), {place, watch_of(last.to)});
    known_ = std::move(known_).erase(access::port_of(m));
    return number;
  }
  // Watches all members anew by watch(member), which returns a monitor, in the place of the monitors so far.
  template <class Watch>
  void watch_all(const Watch& watch) {
    const auto before = known_;
    for (const auto& [who, k] : before) {
      k.watch.cancel();
      known_ = std::move(known_).insert_or_assign(who, {k.place, watch(members_[k.place].to)});
    }
  }

 private:
  struct known {
    std::size_t place;
    monitor watch;
  };

  vector<roster_member<P>> members_{};
  map<port, known> known_{};  // by their ports
  std::uint64_t next_ = 0;
};

}  // namespace tact::detail
