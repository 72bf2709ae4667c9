// What a busy worker does for idle ones and for shards that wait: it calls for help, and finds homes for new actors.
#include <algorithm>

#include "base/blocks.hpp"
#include "dispatch/worker.hpp"

namespace tact::dispatch {
namespace {

constexpr std::size_t slots_per_glance = 16;
constexpr std::size_t slots_to_spare_one = 4;

}  // namespace

void worker::call_help_for_shards() noexcept {
  call_help(true);
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

void worker::call_help(bool holds_are_long) noexcept {
  if (!exchange_.announcer().idle().any() || !exchange_.stealing().steals() ||
      exchange_.stealing().count_searchers() != 0)
    return;
  unsigned waiting = 0;
  std::uint64_t range = 0;
  for (std::size_t i = 0; i < slots_->size(); ++i) {
    const mailbox::shard* const s = (*slots_)[i].load();
    range = range * 31 + (s == nullptr ? 0 : s->number + 1);
    if (s != nullptr && s->word.eligible()) ++waiting;
  }
  waiting += exchange_.announcer().any_office_eligible(index_);
  if (waiting == 0 || !(holds_are_long || help_.worth(waiting))) return;
  if (help_.may_call(range)) thief_.wake_another();
}

std::size_t worker::find_homes(std::span<std::uint32_t> homes) noexcept {
  const std::optional<std::uint32_t> creating = shard_to_leave_out();
  std::size_t own = 0;
  for (std::size_t looked_at = 0; looked_at < slots_->size() && own < homes.size(); ++looked_at) {
    if (++next_slot_ >= slots_->size()) next_slot_ = 0;
    const mailbox::shard* s = (*slots_)[next_slot_].load();
    if (s != nullptr && exchange_.mail().is_ordinary(s->number) && s->number != creating) homes[own++] = s->number;
  }
  if (own == 0 && creating) homes[own++] = *creating;
  if (own == 0)
    homes[own++] = exchange_.posting().next_shard_round();  // it has no ordinary shard now, after thefts for example
  set_round(own);
  const std::size_t rounds = homes.size() / own;
  for (std::size_t i = own; i < rounds * own; ++i) homes[i] = homes[i - own];
  return rounds * own;
}

// The shard in which the creating actor lives. What it creates is likely to answer it: if one of these were in the same
// shard, answers would wait behind that one, and all others for it. Where shards are held together, messages wait for
// each other in any case; where they are few, one less would be missed.
std::optional<std::uint32_t> worker::shard_to_leave_out() const noexcept {
  if (!held_.is_any() || !held_.is_first_alone() || slots_->size() < slots_to_spare_one) return std::nullopt;
  const std::uint32_t creating = held_.first().number;
  return exchange_.mail().is_ordinary(creating) ? std::optional(creating) : std::nullopt;
}

// The next idle worker gets a round; this one has its turn after the last of them.
std::size_t worker::find_homes_elsewhere(std::span<std::uint32_t> homes, bool is_first) noexcept {
  if (!exchange_.stealing().steals()) return 0;
  if (is_first) last_elsewhere_ = index_;
  const unsigned running = exchange_.running();
  const auto turns_to = [&](unsigned w) { return (w + running - index_) % running; };
  const auto next = exchange_.announcer().idle().next_after(last_elsewhere_);
  const unsigned last = std::exchange(last_elsewhere_, index_);
  if (!next || *next >= running || turns_to(*next) <= turns_to(last)) return 0;
  last_elsewhere_ = *next;
  tact::base::place_closures(tact::base::place_of_worker(*next));
  const auto& slots = exchange_.stealing().table().of(*next);
  std::size_t found = 0;
  for (std::size_t i = 0, size = slots.size(); i < size && found < homes.size(); ++i) {
    const mailbox::shard* const s = slots[i].load();
    if (s != nullptr && exchange_.mail().is_ordinary(s->number)) homes[found++] = s->number;
  }
  return found;
}

}  // namespace tact::dispatch
