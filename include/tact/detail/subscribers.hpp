// The subscribers of an observable.
#pragma once

#include <algorithm>
#include <iterator>
#include <utility>
#include <vector>

#include "tact/detail/counted.hpp"
#include "tact/ended.hpp"
#include "tact/patterns/subscriber.hpp"
#include "tact/self.hpp"

namespace tact::detail {

// A set that never changes; its calls make another one. A copy copies a pointer, so a change of the value, which keeps
// the subscribers, does not copy them; to subscribe and to leave do, which takes no longer than to tell them all.
// An actor that has left is kept until its end, because a monitor cannot be taken back: else one that comes and goes
// would be watched once more each time. Thread safety: as a shared pointer.
template <class T>
class subscribers {
 public:
  [[nodiscard]] bool watches(const subscriber<T>& who) const noexcept { return place_of(who) != list().end(); }
  [[nodiscard]] subscribers with(const subscriber<T>& who) const { return changed_to(who, true); }
  [[nodiscard]] subscribers silenced(const subscriber<T>& who) const { return changed_to(who, false); }
  [[nodiscard]] subscribers without(const ended& e) const {
    entries rest;
    std::copy_if(list().begin(), list().end(), std::back_inserter(rest), [&](const entry& x) { return !x.who.is(e); });
    return subscribers(std::move(rest));
  }

  void tell_all(self<observed<T>>& self, const T& value) const {
    for (const entry& x : list()) {
      if (x.hears) x.who.tell(self, value);
    }
  }
  void watch_all(self<observed<T>>& self) const {
    for (const entry& x : list()) x.who.watch(self);
  }

  subscribers() noexcept = default;

 private:
  struct entry {
    subscriber<T> who;
    bool hears;
  };
  using entries = std::vector<entry>;
  struct shared_entries {
    explicit shared_entries(entries&& e) noexcept : list(std::move(e)) {}
    const entries list;
  };

  explicit subscribers(entries&& e) : all_(counted<shared_entries>::make(std::move(e))) {}
  [[nodiscard]] const entries& list() const noexcept {
    static const entries none;
    return all_ ? all_->list : none;
  }
  [[nodiscard]] typename entries::const_iterator place_of(const subscriber<T>& who) const noexcept {
    return std::find_if(list().begin(), list().end(), [&](const entry& x) { return x.who == who; });
  }
  [[nodiscard]] subscribers changed_to(const subscriber<T>& who, bool hears) const {
    const auto at = place_of(who) - list().begin();
    entries next = list();
    if (at == std::ssize(next)) {
      next.push_back({who, hears});
    } else {
      next[static_cast<std::size_t>(at)].hears = hears;
    }
    return subscribers(std::move(next));
  }

  counted<shared_entries> all_{};
};

}  // namespace tact::detail
