#include "actors/cells/own_loops.hpp"

#include <algorithm>
#include <cstddef>
#include <utility>

#include "sync/thread_state.hpp"

namespace tact::actors {

own_loops* own_loops::here() noexcept { return sync::thread_state::of_this_thread().loops; }

void own_loops::install(std::unique_ptr<own_loops> loops) noexcept {
  sync::thread_state::of_this_thread().loops = loops.release();
}

void own_loops::remove(const detail::loop_place& loop) noexcept {
  own_loops* const mine = here();
  std::erase_if(mine->all_, [&](const own& l) {
    return l.place.engine_serial == loop.engine_serial && l.place.shard == loop.shard;
  });
  if (!mine->all_.empty()) return;
  sync::thread_state::of_this_thread().loops = nullptr;
  delete mine;
}

bool own_loops::run(detail::deadline until) noexcept {
  bool is_all = true;
  for (std::size_t i = 0; i < all_.size(); ++i) {
    const own one = all_[i];  // what it runs may add a loop
    is_all = one.run(one.place, until) && is_all;
  }
  return is_all;
}

with_own_loops::with_own_loops(sync::eventcount<sync::real>& waits_at) noexcept : loops_(own_loops::here()) {
  if (loops_ != nullptr) before_ = loops_->bell().move_to(&waits_at);
}

with_own_loops::~with_own_loops() {
  if (loops_ != nullptr) loops_->bell().move_to(before_);
}

}  // namespace tact::actors
