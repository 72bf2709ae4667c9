#include "dispatch/workers/thief.hpp"

#include <algorithm>
#include <chrono>
#include <optional>
#include <span>

#include "dispatch/policy/prices.hpp"

namespace tact::dispatch {
namespace {

constexpr std::chrono::nanoseconds long_handler{prices::long_ns};  // no hold of quick messages lasts longer

}  // namespace

thief::thief(exchange& between, unsigned index)
    : exchange_(between),
      index_(index),
      random_((index + std::uint64_t{1}) * 0x9e3779b97f4a7c15U),
      stamps_(between.worker_count()),
      seen_(between.worker_count()) {
  static_assert(idle_set::workers_max <= 1U << 16);
  const auto& plan = between.plan();
  const unsigned workers = between.worker_count();
  for (unsigned other = 0; other < workers; ++other)
    distances_.push_back(static_cast<std::uint8_t>(plan.distance(index, other)));
  // Workers at the same distance follow in the order of their numbers, beginning behind this worker's own, so that not
  // all workers wake the same one.
  for (unsigned distance = 0; neighbours_.size() + 1 < workers; ++distance) {
    for (unsigned n = 1; n < workers; ++n) {
      const unsigned other = (index + n) % workers;
      if (distances_[other] == distance) neighbours_.push_back(static_cast<std::uint16_t>(other));
    }
  }
}

theft<mailbox::shard> thief::steal(theft_counters& counters, bool patient) {
  counters.steal_attempts.add(1);
  const auto result = attempt(patient);
  failures_ = result.outcome == theft_outcome::stolen ? 0 : failures_ + 1;
  switch (result.outcome) {
    case theft_outcome::no_candidate:
      counters.steals_without_candidate.add(1);
      break;
    case theft_outcome::lost:
      counters.steals_failed.add(1);
      break;
    case theft_outcome::stolen:
      counters.shards_stolen.add(1);
      break;
  }
  return result;
}

theft<mailbox::shard> thief::attempt(bool patient) {
  exchange_.stealing().tick();
  // The number of workers that run. This worker is counted among them, though it may have been told to go.
  const std::size_t running = std::max(exchange_.running(), index_ + 1);
  const auto now = clock::now();
  for (unsigned i = 0; i < running; ++i) {
    const std::uint64_t stamp = exchange_.status_of(i).stamp();
    if (seen_[i].stamp != stamp) seen_[i] = {stamp, now};
    stamps_[i] = may_take_from(i, patient) ? stamp : steal_view::no_stamp;
  }
  theft<mailbox::shard> found;
  for (unsigned looked_at = 0; found.outcome != theft_outcome::stolen && looked_at < running; ++looked_at) {
    const std::uint64_t random = next_random();
    const std::span seen(stamps_.data(), running);
    const std::optional<unsigned> victim = exchange_.stealing().victims()(
        {index_, seen, exchange_.plan(), random, std::span(distances_.data(), running), failures_ + looked_at});
    // The policy may be the user's, so it may return anything.
    if (!victim || *victim >= running || *victim == index_ || !may_take_from(*victim, patient)) return found;
    if (looked_at != 0 && stamps_[*victim] == steal_view::no_stamp) return found;
    found = exchange_.stealing().table().steal(index_, *victim, random >> 32,
                                               [this](unsigned told) { exchange_.status_of(told).wake(); });
    // To look at a victim costs about a microsecond. Beside handlers that take ten times as long, all are looked at.
    victim_is_slow_ = exchange_.status_of(*victim).is_slow();
    if (!victim_is_slow_) return found;
    stamps_[*victim] = steal_view::no_stamp;
  }
  return found;
}

bool thief::may_take_from(unsigned worker, bool patient) const noexcept {
  const worker_status& w = exchange_.status_of(worker);
  if (patient || w.is_worth_moving()) return true;
  return w.stamp() == seen_[worker].stamp && clock::now() - seen_[worker].since >= long_handler;
}

void thief::wake_another() noexcept {
  for (const unsigned other : neighbours_) {
    if (exchange_.waker().idle().has(other) && exchange_.status_of(other).sleeps())
      return exchange_.status_of(other).wake();
  }
}

// Marsaglia's xorshift.
std::uint64_t thief::next_random() noexcept {
  random_ ^= random_ << 13;
  random_ ^= random_ >> 7;
  random_ ^= random_ << 17;
  return random_;
}

}  // namespace tact::dispatch
