#include "dispatch/workers/home_finder.hpp"

#include <utility>

#include "base/blocks.hpp"

namespace tact::dispatch {
namespace {

constexpr std::size_t slots_to_spare_one = 4;

}  // namespace

home_finder::found home_finder::find(std::span<std::uint32_t> homes, const joint_hold& held) noexcept {
  const std::optional<std::uint32_t> creating = to_leave_out(held);
  std::size_t own = 0;
  for (std::size_t looked_at = 0; looked_at < slots_.size() && own < homes.size(); ++looked_at) {
    if (++next_slot_ >= slots_.size()) next_slot_ = 0;
    const mailbox::shard* s = slots_[next_slot_].load();
    if (s != nullptr && exchange_.mail().is_ordinary(s->number) && s->number != creating) homes[own++] = s->number;
  }
  if (own == 0 && creating) homes[own++] = *creating;
  // The worker has no ordinary shard now, after thefts for example.
  if (own == 0) homes[own++] = exchange_.posting().next_shard_of_all();
  const std::size_t cycles = homes.size() / own;
  for (std::size_t i = own; i < cycles * own; ++i) homes[i] = homes[i - own];
  return {cycles * own, own};
}

// The shard in which the creating actor lives. What it creates is likely to answer it: if one of these were in the same
// shard, answers would wait behind that one, and all others for it. Where shards are held together, messages wait for
// each other in any case; where they are few, one less would be missed.
std::optional<std::uint32_t> home_finder::to_leave_out(const joint_hold& held) const noexcept {
  if (!held.is_any() || !held.is_first_alone() || slots_.size() < slots_to_spare_one) return std::nullopt;
  const std::uint32_t creating = held.first().number;
  return exchange_.mail().is_ordinary(creating) ? std::optional(creating) : std::nullopt;
}

// The next idle worker gets a cycle; this one has its turn after the last of them.
std::size_t home_finder::find_elsewhere(std::span<std::uint32_t> homes, bool is_first) noexcept {
  if (!exchange_.stealing().steals()) return 0;
  if (is_first) last_elsewhere_ = worker_;
  const unsigned running = exchange_.running();
  const auto turns_to = [&](unsigned w) { return (w + running - worker_) % running; };
  const auto next = exchange_.waker().idle().next_after(last_elsewhere_);
  const unsigned last = std::exchange(last_elsewhere_, worker_);
  if (!next || *next >= running || turns_to(*next) <= turns_to(last)) return 0;
  last_elsewhere_ = *next;
  base::place_closures(base::place_of_worker(*next));
  const auto& slots = exchange_.stealing().table().of(*next);
  std::size_t own = 0;
  for (std::size_t i = 0, size = slots.size(); i < size && own < homes.size(); ++i) {
    const mailbox::shard* const s = slots[i].load();
    if (s != nullptr && exchange_.mail().is_ordinary(s->number)) homes[own++] = s->number;
  }
  return own;
}

}  // namespace tact::dispatch
