// The members of a router.
#pragma once

#include <algorithm>
#include <atomic>
#include <cstddef>
#include <cstdint>
#include <utility>
#include <vector>

#include "tact/detail/counted.hpp"
#include "tact/ref.hpp"

namespace tact::detail {

// How many answers a member owes.
struct owed_answers {
  std::atomic<std::uint64_t> count{0};
};
// One of them, as long as this object lives.
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
  ref<P> to;
  std::uint64_t number;  // given once, so that what is chosen by it does not depend on addresses
  counted<owed_answers> owed;
};

// A list of members. Each member is in it once.
template <class P>
class roster {
 public:
  explicit roster(const std::vector<ref<P>>& members) {
    for (const ref<P> m : members)
      if (m && !has(m)) add(m);
  }

  [[nodiscard]] std::size_t size() const noexcept { return members_.size(); }
  [[nodiscard]] auto begin() const noexcept { return members_.begin(); }
  [[nodiscard]] auto end() const noexcept { return members_.end(); }
  [[nodiscard]] const roster_member<P>& operator[](std::size_t i) const noexcept { return members_[i]; }
  [[nodiscard]] bool has(ref<P> m) const noexcept {
    return std::any_of(begin(), end(), [m](const auto& one) { return one.to == m; });
  }
  [[nodiscard]] roster and_also(ref<P> m) const {
    roster more = *this;
    more.add(m);
    return more;
  }
  [[nodiscard]] roster without(ref<P> m) const {
    roster fewer = *this;
    std::erase_if(fewer.members_, [m](const auto& one) { return one.to == m; });
    return fewer;
  }

 private:
  void add(ref<P> m) { members_.push_back({m, next_++, counted<owed_answers>::make()}); }

  std::vector<roster_member<P>> members_{};
  std::uint64_t next_ = 0;
};

}  // namespace tact::detail
