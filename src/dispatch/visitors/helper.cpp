#include "dispatch/visitors/helper.hpp"

namespace tact::dispatch {

void helper::trim() noexcept { give_back(0); }

std::size_t helper::find_homes(std::span<std::uint32_t> homes) noexcept {
  homes[0] = next_++ % exchange_.mail().ordinary_shards();
  return 1;
}

// A helper does not look at the shards of heavy actors, whose handlers would keep the thread for long.
bool helper::find() noexcept {
  for (std::uint32_t o = 0; o < exchange_.worker_count(); ++o)
    static_cast<void>(deal_out_for_others(exchange_.mail().office_at(o)));
  for (std::uint32_t n = 0; n < exchange_.mail().ordinary_shards() && !exchange_.stopping(); ++n) {
    mailbox::shard& s = exchange_.mail().shard_at(next_++ % exchange_.mail().ordinary_shards());
    if (!s.word.eligible() || !gulp(s)) continue;
    held_.begin(s);
    return true;
  }
  return false;
}

void helper::run() {
  runner_->run_lane(held_.first());
  flush();
  has_run();
}

void helper::has_run() noexcept {
  runner_->publish_counters();
  exchange_.reclamation().quiesce(index_);
}

bool helper::goes_on() const noexcept { return !held_.first().lane.empty() && !exchange_.stopping(); }

bool helper::stops() const noexcept { return exchange_.stopping(); }

// The worker that looks at this shard was not told of messages that came while it was held here. holder::let_go tells
// it.
void helper::let_go() noexcept {
  mailbox::shard& s = held_.first();
  held_.end();
  if (s.lane.empty()) s.lane.recycle(chunks_);
  holder::let_go(s);
}

}  // namespace tact::dispatch
