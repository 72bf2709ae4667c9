// Whether a worker runs several shards from one lane. docs/protocols/joint_hold.md.
#include <optional>

#include "actors/transactor.hpp"
#include "dispatch/dealing.hpp"

namespace tact::detail {

using mailbox::envelope;

// Shards are apart so that other threads may take some of them. While there are no others, no lane is too long and no
// handler too slow.
bool transactor::may_join(const mailbox::shard& held) const noexcept {
  if (!joins_ || !engine_->workers().is_ordinary(held.number)) return false;
  if (engine_->workers().has_one_runner()) return true;
  if (!pace_.is_quick() || tally_.committed < apart_until_) return false;
  const std::size_t waiting = held.lane.slots_waiting();
  return !(idle_->any() && pace_.worth_sharing(waiting));
}

// A worker that has just run out of work may get some of its own the next moment. So a long lane is divided only when
// several looks in a row have found a worker asleep.
bool transactor::may_stay_joined(const mailbox::shard& held) noexcept {
  if (engine_->workers().has_one_runner()) return true;
  if (!pace_.is_quick()) return false;
  const std::size_t waiting = held.lane.slots_waiting();
  const bool would_help = idle_->any() && pace_.worth_sharing(waiting);
  looks_at_idle_ = would_help ? looks_at_idle_ + 1 : 0;
  if (!would_help || !pace_.took_longer(looks_at_idle_, waiting)) return true;
  if (pace_.worth_parting(for_others(held.lane), waiting)) return false;
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
std::uint64_t transactor::for_others(const mailbox::copy_queue& queue) const noexcept {
  const std::uint32_t ordinary = engine_->workers().ordinary_shards();
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

void transactor::part(mailbox::shard& held) noexcept {
  const std::uint32_t ordinary = engine_->workers().ordinary_shards();
  const auto waiting = dispatch::part(*worker_, held, [=](const envelope& e) { return bound_for(e, ordinary); });
  looks_at_idle_ = 0;
  apart_until_ = tally_.committed + waiting;
}

std::optional<std::uint32_t> transactor::first_in(mailbox::copy_queue& from) {
  return bound_for(from.front(), engine_->workers().ordinary_shards());
}

void transactor::deal_out(mailbox::office& from, mailbox::shard* into) noexcept {
  const auto& workers = engine_->workers();
  // A message may have been sent to run anywhere, to an actor that has gone home to another office's shard since. Then
  // it is not dealt out to that shard; the worker that dispatches it forwards it.
  dispatch::deal_out(*worker_, from, into, [&](const envelope& e) {
    const auto bound = bound_for(e, workers.ordinary_shards());
    return bound && workers.outbox_for(*bound) == from.number ? bound : std::nullopt;
  });
}

}  // namespace tact::detail
