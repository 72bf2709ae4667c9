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

void own_loops::remove(const detail::loop_place& loop) noexcept {
  own_loops* const mine = here();
  std::erase_if(mine->all_, [&](const detail::loop_place& l) {
    return l.engine_serial == loop.engine_serial && l.shard == loop.shard;
  });
  if (!mine->all_.empty()) return;
  sync::thread_state::of_this_thread().loops = nullptr;
  delete mine;
}

bool own_loops::run(detail::deadline until) noexcept {
  bool is_all = true;
  for (std::size_t i = 0; i < all_.size(); ++i) {
    const engine_of_loop engine(all_[i]);
    if (engine.get() == nullptr || engine.get()->is_left_behind()) continue;  // it has ended, or is that of the parent
    is_all = !engine.get()->loops().pump(all_[i].shard, dispatch::drive_limit::unlimited, until).more && is_all;
  }
  return is_all;
}

engine_of_loop::engine_of_loop(const detail::loop_place& loop) noexcept
    : gate_(*static_cast<engine_gate*>(loop.gate)), engine_(gate_.enter()) {
  if (engine_ == nullptr || engine_->serial() == loop.engine_serial) return;
  engine_ = nullptr;  // the gate belongs to another engine now
  gate_.leave();
}

engine_of_loop::~engine_of_loop() {
  if (engine_ != nullptr) gate_.leave();
}

with_own_loops::with_own_loops(sync::eventcount<sync::real>& waits_at) noexcept : loops_(own_loops::here()) {
  if (loops_ != nullptr) before_ = loops_->bell().move_to(&waits_at);
}

with_own_loops::~with_own_loops() {
  if (loops_ != nullptr) loops_->bell().move_to(before_);
}

}  // namespace tact::actors
