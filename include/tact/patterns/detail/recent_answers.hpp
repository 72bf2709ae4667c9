// recent_answers: the answers in a cache, of which the least recently used goes first.
#pragma once

#include <atomic>
#include <chrono>
#include <cstddef>
#include <cstdint>
#include <utility>

#include "tact/data/map.hpp"
#include "tact/detail/counted.hpp"
#include "tact/detail/deadline.hpp"
#include "tact/patterns/detail/kept_value.hpp"
#include "tact/patterns/detail/value_at.hpp"

namespace tact::detail {

// Never changes, except for the notes of when an answer was used; the calls with... make another one. So a hit changes
// no behaviour, and costs no memory: several at once do not collide. A use that is noted by a run which fails is a use
// all the same: no answer depends on it, only which one goes first. Each answer is filed under the number of a use.
// When its turn to go comes, and it was used since, it is filed anew; for each hit that takes at most as many steps as
// a table of that size is deep. Thread safety: as a shared pointer.
template <class Q, class R>
class recent_answers {
 public:
  using time = std::chrono::steady_clock::time_point;

  recent_answers() : uses_(counted<counter>::make()) {}

  // The answer, which counts as used now; null if there is none that came behind `oldest`.
  [[nodiscard]] const R* find(const Q& query, time oldest) const {
    const filed* const f = value_at(by_query_, query);
    if (f == nullptr || f->what->came <= oldest) return nullptr;
    f->what->used = ++uses_->count;
    return &f->what->value->value;
  }
  // With one answer more, and `most` at most.
  [[nodiscard]] recent_answers with(const kept<Q>& query, kept<R> value, time came, std::size_t most) const {
    recent_answers next = *this;
    next.drop(query->value);
    while (next.by_query_.size() >= most) next.drop_least_used();
    next.file(query, counted<entry>::make(std::move(value), came, ++uses_->count));
    return next;
  }

 private:
  struct counter {
    std::atomic<std::uint64_t> count{0};
  };
  struct entry {
    entry(kept<R> v, time t, std::uint64_t n) : value(std::move(v)), came(t), used(n) {}
    const kept<R> value;
    const time came;
    std::atomic<std::uint64_t> used;
  };
  struct filed {
    counted<entry> what;
    std::uint64_t under;
  };

  void file(const kept<Q>& query, const counted<entry>& what) {
    const std::uint64_t under = what->used;
    by_query_ = std::move(by_query_).insert_or_assign(query, {what, under});
    by_use_ = std::move(by_use_).insert_or_assign(under, query);
  }
  void drop(const Q& query) {
    const filed* const f = value_at(by_query_, query);
    if (f == nullptr) return;
    by_use_ = std::move(by_use_).erase(f->under);
    by_query_ = std::move(by_query_).erase(query);
  }
  void drop_least_used() {
    for (;;) {
      const auto [under, query] = *by_use_.begin();
      const counted<entry> what = by_query_.at(query->value).what;
      const bool was_used_since = what->used != under;
      drop(query->value);
      if (!was_used_since) return;
      file(query, what);
    }
  }

  counted<counter> uses_;
  map<kept<Q>, filed, kept_order> by_query_{};
  map<std::uint64_t, kept<Q>> by_use_{};
};

}  // namespace tact::detail
