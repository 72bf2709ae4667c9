#include "dispatch/holding/lane_sharing.hpp"

#include "dispatch/holding/dealing.hpp"
#include "mailbox/route.hpp"

namespace tact::dispatch {

using mailbox::bound_for;
using mailbox::envelope;

lane_sharing::lane_sharing(thread_context& at, const lane_measures& known) noexcept
    : at_(at), known_(known), running_(at.exchange().running()) {
  policy_.begin_anew(now());
}

situation lane_sharing::now() const noexcept {
  return {known_.handled,      known_.meter.ns_per_message(),   known_.meter.is_quick(),   known_.meter.is_brief(),
          known_.asleep.any(), at_.exchange().has_one_runner(), at_.exchange().some_rest()};
}

bool lane_sharing::may_join(const mailbox::shard& held) const noexcept {
  return known_.joins && at_.exchange().mail().is_ordinary(held.number) && policy_.may_join(now());
}

bool lane_sharing::is_short(const mailbox::copy_queue& lane) const noexcept {
  return sharing_policy::is_over_soon(now(), lane.slots_waiting());
}

bool lane_sharing::may_stay_joined(const mailbox::shard& held) noexcept {
  if (running_ != at_.exchange().running()) return false;  // shards that are joined are at home elsewhere now
  return policy_.may_stay_joined(now(), held.lane.slots_waiting(), [&] { return for_others(held.lane); });
}

// How many slots of what waits in the queue others could run while this thread runs the rest. If one shard has more
// than half, this thread keeps that shard; otherwise it keeps one half. This is estimated by the first message of each
// chunk.
std::uint64_t lane_sharing::for_others(const mailbox::copy_queue& queue) const noexcept {
  const std::uint32_t ordinary = at_.exchange().mail().ordinary_shards();
  // In the end this is the shard that has more than half, if any has. Source: Boyer and Moore's majority vote.
  std::optional<std::uint32_t> most;
  std::uint64_t lead = 0;
  queue.sample([&](const envelope& e) {
    const auto to = bound_for(e, ordinary);
    if (lead == 0) most = to;
    most == to ? ++lead : --lead;
  });
  std::uint64_t all = 0;
  std::uint64_t of_most = 0;
  queue.sample([&](const envelope& e) {
    ++all;
    of_most += most && bound_for(e, ordinary) == most;
  });
  const std::uint64_t waiting = queue.slots_waiting();
  return of_most * 2 <= all ? waiting / 2 : waiting * (all - of_most) / all;
}

void lane_sharing::separate(mailbox::shard& held) noexcept {
  const std::uint32_t ordinary = at_.exchange().mail().ordinary_shards();
  if (!held.lane.empty()) policy_.will_divide(now(), [&] { return for_others(held.lane); });
  const auto moved = dispatch::separate(at_, held, [=](const envelope& e) { return bound_for(e, ordinary); });
  policy_.has_divided(now(), moved);
  running_ = at_.exchange().running();
}

std::optional<std::uint32_t> lane_sharing::first_in(mailbox::copy_queue& from) const noexcept {
  return bound_for(from.front(), at_.exchange().mail().ordinary_shards());
}

void lane_sharing::deal_out(mailbox::office& from, mailbox::shard* into) noexcept {
  const auto& mail = at_.exchange().mail();
  // A message may have been sent to run anywhere, to an actor that has gone home to another office's shard since. Then
  // it is not dealt out to that shard; the worker that dispatches it forwards it.
  dispatch::deal_out(at_, from, into, [&](const envelope& e) {
    const auto bound = bound_for(e, mail.ordinary_shards());
    return bound && mail.outbox_for(*bound) == from.number ? bound : std::nullopt;
  });
}

}  // namespace tact::dispatch
