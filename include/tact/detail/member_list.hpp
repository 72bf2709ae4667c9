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

// Refs, each with a number of its own by which it is known when its actor has ended.
template <class P>
class member_list {
 public:
  // The members with one more, of whose end the actor `self` is told by member_ended. `number` is larger than each one
  // that was used before.
  template <class Self>
  [[nodiscard]] member_list join(Self& self, std::uint64_t number, ref<P> who) const {
    watch_end(self, number, who);
    return member_list(all_.push(number, who));
  }
  [[nodiscard]] member_list erase(std::uint64_t number) const { return member_list(all_.erase(number)); }
  [[nodiscard]] const ref<P>* find(std::uint64_t number) const noexcept { return all_.find(number); }
  // The number of `who`, the latest if it has several; 0 if it is no member.
  [[nodiscard]] std::uint64_t number_of(ref<P> who) const noexcept {
    std::uint64_t found = 0;
    all_.for_each([&](std::uint64_t number, ref<P> r) { found = r == who ? number : found; });
    return found;
  }
  template <class F>
  void for_each(const F& f) const {
    all_.for_each([&](std::uint64_t, ref<P> r) { f(r); });
  }
  // Watches all of them once more, because word of an end may have been lost.
  template <class Self>
  void watch_again(Self& self) const {
    all_.for_each([&](std::uint64_t number, ref<P> r) { watch_end(self, number, r); });
  }

  member_list() noexcept = default;

 private:
  explicit member_list(persistent_list<ref<P>> all) noexcept : all_(std::move(all)) {}

  template <class Self>
  static void watch_end(Self& self, std::uint64_t number, ref<P> who) {
    self.monitor(who, member_ended{number});
  }

  persistent_list<ref<P>> all_;
};

}  // namespace tact::detail
