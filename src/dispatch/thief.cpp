#include "dispatch/thief.hpp"

#include <algorithm>
#include <optional>
#include <span>

#include "dispatch/dispatcher.hpp"

namespace tact::dispatch {

thief::thief(dispatcher& owner, unsigned index)
    : owner_(&owner),
      index_(index),
      random_((index + std::uint64_t{1}) * 0x9e3779b97f4a7c15U),
      stamps_(owner.worker_count()) {
  static_assert(idle_set::workers_max <= 1U << 16);
  const auto& plan = owner.plan();
  const unsigned workers = owner.worker_count();
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

theft<mailbox::shard> thief::steal(theft_counters& counters) {
  counters.steal_attempts.add(1);
  const auto result = attempt();
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

theft<mailbox::shard> thief::attempt() {
  owner_->stealing().tick();
  const auto& workers = owner_->workers();
  // The number of workers that run. This worker is counted among them, though it may have been told to go.
  const std::size_t running = std::max(owner_->running(), index_ + 1);
  for (std::size_t i = 0; i < running; ++i) stamps_[i] = workers[i]->stamp();
  const std::uint64_t random = next_random();
  const std::span seen(stamps_.data(), running);
  const std::optional<unsigned> victim = owner_->stealing().victims()(
      {index_, seen, owner_->plan(), random, std::span(distances_.data(), running), failures_});
  // The policy may be the user's, so it may return anything.
  if (!victim || *victim >= running || *victim == index_) return {};
  return owner_->stealing().table().steal(index_, *victim, random >> 32, [&](unsigned told) { workers[told]->wake(); });
}

void thief::wake_another() noexcept {
  const auto& workers = owner_->workers();
  for (const unsigned other : neighbours_) {
    if (owner_->announcer().idle().has(other) && workers[other]->sleeps()) return workers[other]->wake();
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
