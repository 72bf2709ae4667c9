// The threads of a model that have a processing unit and wait for their turn.
#pragma once

#include <algorithm>
#include <functional>
#include <utility>
#include <vector>

#include "tools/modelled/thread_record.hpp"

namespace tact::modelled {

// In the order of how far they have come; of two that are equally far the one with the lower number is first. Thread
// safety: the real thread.
class ready_queue {
 public:
  void add(unsigned thread, picoseconds clock) {
    heap_.emplace_back(clock, thread);
    std::push_heap(heap_.begin(), heap_.end(), std::greater<>());
  }
  // How far the first one is; `never`: there is none.
  [[nodiscard]] picoseconds first_clock() const noexcept { return heap_.empty() ? never : heap_.front().first; }
  // REQUIRES: there is one.
  [[nodiscard]] unsigned take_first() noexcept {
    std::pop_heap(heap_.begin(), heap_.end(), std::greater<>());
    const unsigned first = heap_.back().second;
    heap_.pop_back();
    return first;
  }

 private:
  std::vector<std::pair<picoseconds, unsigned>> heap_;
};

}  // namespace tact::modelled
