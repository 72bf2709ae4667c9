// The messages of a mailbox that has an order, the first in that order first.
// Protocol page: docs/protocols/pressure.md.
#pragma once

#include <compare>
#include <cstdint>
#include <limits>
#include <map>
#include <new>
#include <utility>

#include "base/pooled_allocator.hpp"

namespace tact::actors {

// Messages of equal rank keep the order in which they came. An end comes behind all messages that came before it, and
// ahead of all that come after it: it begins a new epoch, and an earlier epoch comes first.
// Thread safety: none.
template <class Message>
class ranked_messages {
 public:
  [[nodiscard]] bool empty() const noexcept { return all_.empty(); }
  [[nodiscard]] std::size_t size() const noexcept { return all_.size(); }

  // Throw std::bad_alloc, except while a base::may_use_reserve lives; then nothing has changed.
  void push(const Message& m, std::int64_t rank) {
    all_.emplace(place{epoch_, rank, number_}, m);
    ++number_;
  }
  void push_end(const Message& m) {
    push(m, std::numeric_limits<std::int64_t>::max());
    ++epoch_;
  }
  // REQUIRES: not empty.
  Message pop_first() noexcept { return take(all_.begin()); }
  // Takes out the first message for which is_meant(message) holds. False: there is none. It looks at all of them.
  template <class IsMeant>
  [[nodiscard]] bool try_pop(IsMeant is_meant, Message& taken) noexcept {
    for (auto at = all_.begin(); at != all_.end(); ++at) {
      if (!is_meant(at->second)) continue;
      taken = take(at);
      return true;
    }
    return false;
  }
  template <class F>
  void for_each(F f) const {
    for (const auto& [at, message] : all_) f(message);
  }
  // Takes out the message that would come last; of those with its rank the oldest. False: a new message of this rank
  // would come behind that one. REQUIRES: there is a message that is no end.
  template <class IsEnd>
  [[nodiscard]] bool try_pop_before(std::int64_t rank, IsEnd is_end, Message& taken) noexcept {
    auto last = all_.end();
    do --last;
    while (is_end(last->second));
    place of_last = last->first;
    if (std::pair(epoch_, rank) > std::pair(of_last.epoch, of_last.rank)) return false;
    of_last.number = 0;
    taken = take(all_.lower_bound(of_last));
    return true;
  }

 private:
  struct place {
    std::uint64_t epoch;
    std::int64_t rank;
    std::uint64_t number;
    friend auto operator<=>(const place&, const place&) noexcept = default;
  };
  using tree = std::map<place, Message, std::less<>, base::pooled_allocator<std::pair<const place, Message>>>;

  Message take(typename tree::iterator at) noexcept {
    const Message m = at->second;
    all_.erase(at);
    return m;
  }

  tree all_;
  std::uint64_t epoch_ = 0;
  std::uint64_t number_ = 0;
};

}  // namespace tact::actors
