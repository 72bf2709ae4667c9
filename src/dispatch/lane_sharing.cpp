#include "dispatch/lane_sharing.hpp"

#include <algorithm>
#include <utility>

#include "dispatch/dealing.hpp"
#include "dispatch/dispatcher.hpp"
#include "dispatch/prices.hpp"
#include "dispatch/worker_context.hpp"
#include "mailbox/route.hpp"

namespace tact::dispatch {

using mailbox::bound_for;
using mailbox::envelope;

lane_sharing::lane_sharing(worker_context& at, const lane_measures& known) noexcept : at_(at), known_(known) {
  begin_anew();
}

// No other thread would take a shard. Workers that rest run again when handlers take long, and then should find some.
bool lane_sharing::is_alone() const noexcept {
  return at_.owner().has_one_runner() && (!at_.owner().some_rest() || known_.meter.is_brief());
}

// A worker that has nothing to do would rather have a part of what takes longer than its way. While there is none, to
// hold shards one by one costs a brief message half of what it takes.
bool lane_sharing::suits_all() const noexcept {
  return known_.meter.is_quick() || (known_.meter.is_brief() && !known_.asleep.any());
}

bool lane_sharing::may_join(const mailbox::shard& held) const noexcept {
  if (!known_.joins || !at_.owner().mail().is_ordinary(held.number)) return false;
  if (is_alone()) return true;
  return suits_all() && known_.handled >= apart_until_;
}

bool lane_sharing::is_short(const mailbox::copy_queue& lane) const noexcept {
  return lane.slots_waiting() * known_.meter.ns_per_message() <= prices::wake_up_ns;
}

// A shard that goes to another worker leaves its messages and actors behind in a cache, and after that messages between
// the two workers cost much. So a lane is divided only when it has gone on beside an idle worker for so long that this
// has been paid for. Source of the idea: the ski rental problem, Karp 1992.
bool lane_sharing::may_stay_joined(const mailbox::shard& held) noexcept {
  if (running_ != at_.owner().running()) return false;  // shards that are joined are at home elsewhere now
  if (is_alone()) return true;
  if (!suits_all()) return false;
  const std::uint64_t handled = known_.handled - std::exchange(looked_at_, known_.handled);
  if (!known_.asleep.any()) return true;
  beside_idle_ += handled;
  if (!known_.meter.took_to_handle(beside_idle_, held.lane.slots_waiting())) return true;
  const std::uint64_t others = for_others(held.lane);
  if (others == 0) return true;
  if (known_.meter.worth_sharing(others)) return false;
  if (is_long_ago()) patience_.begin_anew();
  return known_.meter.ns_to_handle(beside_idle_) < patience_.wait();
}

// How long little work at a time goes on beside an idle worker before it is divided. If its parts send to each other,
// to divide it was wrong, and this worker soon holds them together again. So it waits twice as long each time, and
// begins anew when it has not divided such work for long.
bool lane_sharing::is_long_ago() const noexcept {
  return known_.meter.ns_to_handle(known_.handled - patience_.since()) > remembered_times * patience_.wait();
}

void lane_sharing::note_division(const mailbox::copy_queue& lane) noexcept {
  if (lane.empty() || !known_.asleep.any() || known_.meter.worth_sharing(for_others(lane))) return;
  if (is_long_ago()) patience_.begin_anew();
  patience_.was_in_vain(known_.handled);
}

// How many slots of what waits in the queue others could run while this thread runs the rest. If one shard has more
// than half, this thread keeps that shard; otherwise it keeps one half. This is estimated by the first message of each
// chunk.
std::uint64_t lane_sharing::for_others(const mailbox::copy_queue& queue) const noexcept {
  const std::uint32_t ordinary = at_.owner().mail().ordinary_shards();
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
  const std::uint32_t ordinary = at_.owner().mail().ordinary_shards();
  note_division(held.lane);
  const auto waiting = dispatch::separate(at_, held, [=](const envelope& e) { return bound_for(e, ordinary); });
  begin_anew();
  apart_until_ = known_.handled + waiting;
}

void lane_sharing::begin_anew() noexcept {
  beside_idle_ = 0;
  looked_at_ = known_.handled;
  running_ = at_.owner().running();
}

std::optional<std::uint32_t> lane_sharing::first_in(mailbox::copy_queue& from) const noexcept {
  return bound_for(from.front(), at_.owner().mail().ordinary_shards());
}

void lane_sharing::deal_out(mailbox::office& from, mailbox::shard* into) noexcept {
  const auto& mail = at_.owner().mail();
  // A message may have been sent to run anywhere, to an actor that has gone home to another office's shard since. Then
  // it is not dealt out to that shard; the worker that dispatches it forwards it.
  dispatch::deal_out(at_, from, into, [&](const envelope& e) {
    const auto bound = bound_for(e, mail.ordinary_shards());
    return bound && mail.outbox_for(*bound) == from.number ? bound : std::nullopt;
  });
}

}  // namespace tact::dispatch
