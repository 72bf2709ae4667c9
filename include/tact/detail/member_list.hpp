// The members of a topic or a group: refs that leave when their actors end.
#pragma once

#include <cstdint>
#include <utility>

#include "tact/detail/persistent_list.hpp"
#include "tact/ref.hpp"

namespace tact::detail {

// The member of that number has ended.
struct member_ended {
  std::uint64_t number;
};

// Refs, each with a number of its own by which it is known when its actor has ended. One that has left is kept until
// its end, because a monitor cannot be taken back: else one that comes and goes would be watched once more each time.
// Thread safety: as a shared pointer.
template <class P>
class member_list {
 public:
  // The members with one more, of whose end the actor `self` is told by member_ended. `number` is larger than each one
  // that was used before.
  template <class Self>
  [[nodiscard]] member_list join(Self& self, std::uint64_t number, ref<P> who) const {
    if (const std::uint64_t before = number_of(who, false)) return changed(before, {who, true}, away_ - 1);
    watch_end(self, number, who);
    return member_list(all_.with(number, {who, true}), away_);
  }
  // The members without `who`, who is one.
  [[nodiscard]] member_list leave(ref<P> who) const { return changed(number_of(who, true), {who, false}, away_ + 1); }
  // The members without the one that has ended.
  [[nodiscard]] member_list erase(std::uint64_t number) const {
    return member_list(all_.without(number), away_ - (is_known(number) && !is_member(number) ? 1 : 0));
  }
  [[nodiscard]] bool has(ref<P> who) const noexcept { return number_of(who, true) != 0; }
  // True for one that has left, too.
  [[nodiscard]] bool is_known(std::uint64_t number) const noexcept { return all_.find(number) != nullptr; }
  // The member of that number; that of no actor if there is none.
  [[nodiscard]] ref<P> find(std::uint64_t number) const noexcept {
    return is_member(number) ? all_.find(number)->who : ref<P>{};
  }
  template <class F>
  void for_each(const F& f) const {
    all_.for_each([&](std::uint64_t, const entry& e) {
      if (e.is_member) f(e.who);
    });
  }
  // Watches all of them once more, because word of an end may have been lost.
  template <class Self>
  void watch_again(Self& self) const {
    all_.for_each([&](std::uint64_t number, const entry& e) { watch_end(self, number, e.who); });
  }

  member_list() noexcept = default;

 private:
  struct entry {
    ref<P> who;
    bool is_member;
  };

  member_list(persistent_list<entry> all, std::uint64_t away) noexcept : all_(std::move(all)), away_(away) {}

  // The number of `who` as a member, or as one that has left; the latest if it has several, 0 if it has none.
  [[nodiscard]] std::uint64_t number_of(ref<P> who, bool as_member) const noexcept {
    std::uint64_t found = 0;
    if (!as_member && away_ == 0) return found;
    all_.for_each([&](std::uint64_t number, const entry& e) {
      if (e.who == who && e.is_member == as_member) found = number;
    });
    return found;
  }
  [[nodiscard]] bool is_member(std::uint64_t number) const noexcept {
    const entry* const e = all_.find(number);
    return e != nullptr && e->is_member;
  }
  [[nodiscard]] member_list changed(std::uint64_t number, entry e, std::uint64_t away) const {
    return member_list(all_.with(number, e), away);
  }
  template <class Self>
  static void watch_end(Self& self, std::uint64_t number, ref<P> who) {
    self.monitor(who, member_ended{number});
  }

  persistent_list<entry> all_;
  std::uint64_t away_ = 0;  // how many have left
};

}  // namespace tact::detail
