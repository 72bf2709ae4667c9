#include "actors/lane_sharing.hpp"

#include <algorithm>
#include <optional>

#include "dispatch/dealing.hpp"

namespace tact::detail {

using mailbox::envelope;

lane_sharing::lane_sharing(run_state& r)
    : run_(r),
      joins_(r.engine().options().joint_holds && r.worker().is_worker() && r.engine().options().workers != 0) {}

bool lane_sharing::may_join(const mailbox::shard& held) const noexcept {
  if (!joins_ || !run_.engine().workers().mail().is_ordinary(held.number)) return false;
  if (run_.engine().workers().has_one_runner()) return true;
  if (!run_.meter().is_quick() || run_.tally().committed < apart_until_) return false;
  const std::size_t waiting = held.lane.slots_waiting();
  return !(run_.sleepers().any() && run_.meter().worth_sharing(waiting));
}

// A worker that has just run out of work may get some of its own the next moment. So a long lane is divided only when
// several looks in a row have found a worker asleep.
bool lane_sharing::may_stay_joined(const mailbox::shard& held) noexcept {
  if (run_.engine().workers().has_one_runner()) return true;
  if (!run_.meter().is_quick()) return false;
  const std::size_t waiting = held.lane.slots_waiting();
  const bool would_help = run_.sleepers().any() && run_.meter().worth_sharing(waiting);
  looks_at_idle_ = would_help ? looks_at_idle_ + 1 : 0;
  if (!would_help || !run_.meter().took_longer(looks_at_idle_, waiting)) return true;
  if (run_.meter().worth_parting(for_others(held.lane), waiting)) return false;
  looks_at_idle_ = 0;
  return true;
}

namespace {

// The shard in which a message has to be run, whichever worker has it now; none if it may be run anywhere.
std::optional<std::uint32_t> bound_for(const envelope& e, std::uint32_t ordinary) noexcept {
  const actors::route r = actors::route_of(e.target());
  const bool is_bound = (r.is_exclusive() || e.is_forwarded()) && r.shard() < ordinary;
  return is_bound ? std::optional(r.shard()) : std::nullopt;
}

}  // namespace

// How many slots of what waits in the queue others could run while this worker runs the rest. If one shard has more
// than half, this worker keeps that shard; otherwise it keeps one half. This is estimated by the first message of each
// chunk.
std::uint64_t lane_sharing::for_others(const mailbox::copy_queue& queue) const noexcept {
  const std::uint32_t ordinary = run_.engine().workers().mail().ordinary_shards();
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
  const std::uint32_t ordinary = run_.engine().workers().mail().ordinary_shards();
  const auto waiting =
      dispatch::separate(run_.worker(), held, [=](const envelope& e) { return bound_for(e, ordinary); });
  looks_at_idle_ = 0;
  apart_until_ = run_.tally().committed + waiting;
}

std::optional<std::uint32_t> lane_sharing::first_in(mailbox::copy_queue& from) const {
  return bound_for(from.front(), run_.engine().workers().mail().ordinary_shards());
}

void lane_sharing::deal_out(mailbox::office& from, mailbox::shard* into) noexcept {
  const auto& mail = run_.engine().workers().mail();
  // A message may have been sent to run anywhere, to an actor that has gone home to another office's shard since. Then
  // it is not dealt out to that shard; the worker that dispatches it forwards it.
  dispatch::deal_out(run_.worker(), from, into, [&](const envelope& e) {
    const auto bound = bound_for(e, mail.ordinary_shards());
    return bound && mail.outbox_for(*bound) == from.number ? bound : std::nullopt;
  });
}

// Hands messages that may run anywhere to the workers that sleep, so that each of them and this worker gets an equal
// part of what is waiting. It takes them from the front of the lane, and stops at the first one that belongs to this
// shard.
void lane_sharing::share_with_sleepers() {
  mailbox::copy_queue& waiting_here = run_.shard().lane;
  const unsigned waiting = waiting_here.messages_in_head();
  const unsigned more = waiting_here.has_more_chunks() ? mailbox::chunk::capacity_slots : 0;
  if (waiting == 0 || !run_.meter().worth_sharing(waiting - 1 + more)) return;
  const unsigned kept = (waiting + more + run_.sleepers().count()) / (run_.sleepers().count() + 1);
  for (unsigned left = std::min(waiting - 1, waiting + more - kept); left != 0; --left) {
    envelope& e = waiting_here.front();
    if (e.is_forwarded() || e.is_special() || actors::cell_of(e.target()).where().is_exclusive()) break;
    const auto sleeper = run_.sleepers().next();
    if (!sleeper) break;
    const unsigned slots = e.slots();
    try {
      e.relocate(run_.worker()
                     .outboxes()
                     .open(run_.engine().workers().mail().outbox_to_worker(*sleeper))
                     .queue.reserve(slots, run_.worker().chunks()));
    } catch (const std::bad_alloc&) {
      // While memory is short this worker handles all of them.
      break;
    }
    waiting_here.pop(slots, run_.worker().chunks());
  }
  run_.worker().flush();
}

}  // namespace tact::detail
