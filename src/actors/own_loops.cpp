#include "actors/own_loops.hpp"

#include <algorithm>
#include <cstddef>
#include <utility>

#include "actors/core.hpp"
#include "actors/loops.hpp"
#include "dispatch/drive_limit.hpp"
#include "sync/thread_state.hpp"

namespace tact::actors {

own_loops* own_loops::here() noexcept { return sync::thread_state::of_this_thread().loops; }

void own_loops::install(std::unique_ptr<own_loops> loops) noexcept {
  sync::thread_state::of_this_thread().loops = loops.release();
}

void own_loops::remove(const detail::core& engine, std::uint32_t place) noexcept {
  own_loops* const mine = here();
  std::erase_if(mine->all_, [&](const loop& l) { return l.engine == &engine && l.place == place; });
  if (!mine->all_.empty()) return;
  sync::thread_state::of_this_thread().loops = nullptr;
  delete mine;
}

bool own_loops::run(detail::deadline until) noexcept {
  bool is_all = true;
  for (std::size_t i = 0; i < all_.size(); ++i) {
    if (all_[i].engine->is_left_behind()) continue;  // in a child process
    is_all = !all_[i].engine->loops().pump(all_[i].place, dispatch::drive_limit::unlimited, until).more && is_all;
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
