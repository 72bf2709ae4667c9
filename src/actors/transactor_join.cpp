// Whether a worker runs several shards from one lane. docs/protocols/joint_hold.md.
#include <optional>

#include "actors/transactor.hpp"
#include "dispatch/dealing.hpp"

namespace tact::detail {

using mailbox::envelope;

// Shards are apart so that others may take some of them. While there are no others nothing is too long or too slow.
bool transactor::may_join(const mailbox::shard& held) const noexcept {
  if (!joins_ || !engine_->workers().is_ordinary(held.number)) return false;
  if (engine_->workers().has_one_runner()) return true;
  if (!pace_.is_quick() || tally_.committed < apart_until_) return false;
  const std::size_t waiting = held.lane.slots_waiting();
  return !(idle_->any() && pace_.worth_sharing(waiting));
}

// Who has just run out of work may have got some a moment ago: it takes more than one look to divide a long lane.
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

// The shard that a message has to come to, whoever runs it elsewhere; none for one that may be run anywhere.
std::optional<std::uint32_t> bound_for(const envelope& e, std::uint32_t ordinary) noexcept {
  const actors::route r = actors::route_of(e.target());
  const bool is_bound = (r.is_exclusive() || e.is_forwarded()) && r.shard() < ordinary;
  return is_bound ? std::optional(r.shard()) : std::nullopt;
}

}  // namespace

// How many slots of what waits there others could run while this worker runs the rest: one shard, the one that has the
// most if it has more than half, or one half. As the first message of each chunk shows.
std::uint64_t transactor::for_others(const mailbox::copy_queue& queue) const noexcept {
  const std::uint32_t ordinary = engine_->workers().ordinary_shards();
  std::optional<std::uint32_t> most;  // in the end, if any has more than half; source: Boyer and Moore's majority vote
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
  // One that was to be run anywhere, whose actor has gone home elsewhere since, is brought there by who runs it.
  dispatch::deal_out(*worker_, from, into, [&](const envelope& e) {
    const auto bound = bound_for(e, workers.ordinary_shards());
    return bound && workers.outbox_for(*bound) == from.number ? bound : std::nullopt;
  });
}

}  // namespace tact::detail
