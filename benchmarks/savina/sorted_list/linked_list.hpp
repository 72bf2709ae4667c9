// The sorted list that changes in place. Every operation looks at the list element by element, as the suite wants it.
#pragma once

#include <algorithm>
#include <forward_list>
#include <iterator>

#include "savina/sorted_list/workload.hpp"

namespace bench {

class linked_list {
 public:
  // Before the first greater one.
  void insert(std::int32_t value) {
    auto before = values_.before_begin();
    for (auto at = values_.begin(); at != values_.end() && *at <= value; ++at) before = at;
    values_.insert_after(before, value);
  }
  // Does not make use of the order.
  [[nodiscard]] bool contains(std::int32_t value) const {
    return std::find(values_.begin(), values_.end(), value) != values_.end();
  }
  [[nodiscard]] std::int32_t size() const {
    return static_cast<std::int32_t>(std::distance(values_.begin(), values_.end()));
  }
  [[nodiscard]] list_contents contents() const { return {values_.begin(), values_.end()}; }

  // REQUIRES: it is empty. The numbers from 0 on.
  void fill(std::uint64_t numbers) {
    while (numbers != 0) values_.push_front(static_cast<std::int32_t>(--numbers));
  }

 private:
  std::forward_list<std::int32_t> values_;
};

}  // namespace bench
