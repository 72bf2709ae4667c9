#include "dispatch/helper.hpp"

#include "dispatch/dispatcher.hpp"

namespace tact::dispatch {

void helper::begin() noexcept {
  runner_->on_start();
  owner_->reclamation().online(index_);
}

void helper::end() noexcept {
  runner_->publish_counters(true);
  owner_->reclamation().offline(index_);
  runner_->on_leave();
}

void helper::trim() noexcept { give_back(0); }

std::size_t helper::find_homes(std::span<std::uint32_t> homes) noexcept {
  homes[0] = next_++ % owner_->ordinary_shards();
  return 1;
}

// Not those of heavy actors, which would keep the thread for long.
bool helper::find() noexcept {
  for (std::uint32_t n = 0; n < owner_->ordinary_shards() && !owner_->stopping(); ++n) {
    mailbox::shard& s = owner_->shard_at(next_++ % owner_->ordinary_shards());
    if (!s.word.eligible()) continue;
    mailbox::gulped<mailbox::chunk> taken;
    if (!s.word.try_gulp(taken)) {
      counters_.missed_gulps.add(1);
      continue;
    }
    counters_.gulps.add(1);
    counters_.gulped.add(s.accept(taken, chunks_));
    held_ = &s;
    return true;
  }
  return false;
}

void helper::run() {
  runner_->run_lane(*held_);
  runner_->publish_counters(false);
  flush();
  owner_->reclamation().quiesce(index_);
}

bool helper::goes_on() const noexcept { return !held_->lane.empty() && !owner_->stopping(); }

// The worker that looks at this shard was told of nothing that came while it was held here.
void helper::let_go() noexcept {
  mailbox::shard& s = *held_;
  held_ = nullptr;
  if (!s.lane.empty()) {
    s.word.release_with_rest();
  } else {
    s.lane.recycle(chunks_);
    if (s.word.release()) return;
    s.word.hand_over();
  }
  owner_->announce(s);
}

}  // namespace tact::dispatch
