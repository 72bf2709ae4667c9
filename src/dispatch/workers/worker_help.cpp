// What a busy worker does for idle ones and for shards that wait: it looks for mail, and calls for help.
#include <algorithm>

#include "dispatch/workers/worker.hpp"

namespace tact::dispatch {
namespace {

constexpr std::size_t slots_per_glance = 16;

}  // namespace

void worker::call_help_for_shards() noexcept {
  call_help(holds::lasting);
  look_at_crew();
}

// Looks at some of its shards each time, because it is called often, and a worker may have hundreds.
bool worker::has_mail() noexcept {
  for (std::size_t left = std::min(slots_->size(), slots_per_glance); left != 0; --left) {
    if (++next_glance_ >= slots_->size()) next_glance_ = 0;
    const mailbox::shard* const s = (*slots_)[next_glance_].load();
    if (s != nullptr && s->word.has_mail()) return true;
  }
  return false;
}

void worker::call_help(holds known) noexcept {
  if (!exchange_.waker().idle().any() || !exchange_.stealing().steals() || exchange_.stealing().count_searchers() != 0)
    return;
  unsigned waiting = 0;
  std::uint64_t range = 0;
  for (std::size_t i = 0; i < slots_->size(); ++i) {
    const mailbox::shard* const s = (*slots_)[i].load();
    range = range * 31 + (s == nullptr ? 0 : s->number + 1);
    if (s != nullptr && s->word.eligible()) ++waiting;
  }
  waiting += exchange_.waker().any_office_eligible(index_);
  if (waiting == 0 || !(known == holds::lasting || help_.worth(waiting))) return;
  if (help_.may_call(range)) thief_.wake_another();
}

}  // namespace tact::dispatch
