#include "dispatch/thief.hpp"

#include <algorithm>
#include <chrono>
#include <optional>
#include <span>

#include "dispatch/dispatcher.hpp"
#include "dispatch/prices.hpp"

namespace tact::dispatch {
namespace {

constexpr std::chrono::nanoseconds long_handler{prices::long_ns};  // no hold of quick messages lasts longer

}  // namespace

thief::thief(dispatcher& owner, unsigned index)
    : owner_(&owner),
      index_(index),
      random_((index + std::uint64_t{1}) * 0x9e3779b97f4a7c15U),
      stamps_(owner.worker_count()),
      seen_(owner.worker_count()) {
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
  owner_->stealing().tick();
  const auto& workers = owner_->workers();
  // The number of workers that run. This worker is counted among them, though it may have been told to go.
  const std::size_t running = std::max(owner_->running(), index_ + 1);
  const auto now = clock::now();
  for (unsigned i = 0; i < running; ++i) {
    const std::uint64_t stamp = workers[i]->stamp();
    if (seen_[i].stamp != stamp) seen_[i] = {stamp, now};
    stamps_[i] = may_take_from(i, patient) ? stamp : steal_view::no_stamp;
  }
  theft<mailbox::shard> found;
  for (unsigned looked_at = 0; found.outcome != theft_outcome::stolen && looked_at < running; ++looked_at) {
    const std::uint64_t random = next_random();
    const std::span seen(stamps_.data(), running);
    const std::optional<unsigned> victim = owner_->stealing().victims()(
        {index_, seen, owner_->plan(), random, std::span(distances_.data(), running), failures_ + looked_at});
    // The policy may be the user's, so it may return anything.
    if (!victim || *victim >= running || *victim == index_ || !may_take_from(*victim, patient)) return found;
    if (looked_at != 0 && stamps_[*victim] == steal_view::no_stamp) return found;
    found =
        owner_->stealing().table().steal(index_, *victim, random >> 32, [&](unsigned told) { workers[told]->wake(); });
    // To look at a victim costs about a microsecond. Beside handlers that take ten times as long, all are looked at.
    victim_is_slow_ = workers[*victim]->is_slow();
    if (!victim_is_slow_) return found;
    stamps_[*victim] = steal_view::no_stamp;
  }
  return found;
}

bool thief::may_take_from(unsigned worker, bool patient) const noexcept {
  const dispatch::worker& w = *owner_->workers()[worker];
  if (patient || w.is_worth_moving()) return true;
  return w.stamp() == seen_[worker].stamp && clock::now() - seen_[worker].since >= long_handler;
}

// What a shard gets comes through its office, so the shard had better belong to the worker that looks there: messages
// between actors of its shards need not leave that worker. Thieves scatter shards. A worker that has nothing to do has
// room for one of its own, which is better than to scatter those of others.
bool thief::bring_home(theft_counters& counters) {
  mailbox::shard* const s = find_lost();
  mailbox::shard* const guest = s == nullptr ? nullptr : find_guest(s->owner.load());
  if (guest == nullptr) return false;
  const auto wake = [&](unsigned told) { owner_->workers()[told]->wake(); };
  if (!owner_->stealing().table().exchange(index_, *guest, *s, wake)) return false;
  counters.shards_returned.add(1);
  return s->word.eligible();
}

// Thieves have taken shards from this worker for those of their own, so there are pairs. While both have something to
// do, what is sent to such a shard takes two ways: to the office of its first worker, and from there to the one that
// has it. Pairs with one worker are found in one pass; with several, a part of them, and the rest the next time.
bool thief::bring_all_home(theft_counters& counters) {
  std::size_t slot = 0;
  bool any = false;
  for_each_lost([&](mailbox::shard& s) {
    const std::uint32_t other = s.owner.load();
    if (owner_->announcer().idle().has(other)) return false;
    mailbox::shard* const guest = next_guest(slot, other);
    if (guest == nullptr) return true;
    const auto wake = [&](unsigned told) { owner_->workers()[told]->wake(); };
    if (!owner_->stealing().table().exchange(index_, *guest, s, wake)) return false;
    counters.shards_returned.add(1);
    owner_->workers()[other]->ask_to_part();
    any = true;
    return false;
  });
  return any;
}

template <class F>
void thief::for_each_lost(F f) {
  auto& mail = owner_->mail();
  for (std::uint32_t o = index_; o < owner_->worker_count(); o += owner_->running()) {
    for (std::uint32_t n = o; n < mail.ordinary_shards(); n += owner_->worker_count()) {
      mailbox::shard& s = mail.shard_at(n);
      const std::uint32_t owner = s.owner.load();
      // What is worth moving was moved because this worker had too much. It has nothing to do now, because that owner
      // has not answered yet.
      if (owner == index_ || owner_->workers()[owner]->is_worth_moving()) continue;
      if (f(s)) return;
    }
  }
}

// One with messages if there is any. Null: there is none.
mailbox::shard* thief::find_lost() noexcept {
  mailbox::shard* found = nullptr;
  for_each_lost([&](mailbox::shard& s) {
    found = &s;
    return s.word.eligible();
  });
  return found;
}

// The next shard in this worker's range that is at home with that worker, from this slot on. Null: there is none.
mailbox::shard* thief::next_guest(std::size_t& slot, unsigned home) noexcept {
  auto& slots = owner_->stealing().table().of(index_);
  while (slot < slots.size()) {
    mailbox::shard* const s = slots[slot++].load();
    // A slot may be vacant: then the shard in it belongs to no worker.
    if (s == nullptr || s->owner.load() != index_ || !owner_->mail().is_ordinary(s->number)) continue;
    if (owner_->announcer().owner_of_office(s->office) == home) return s;
  }
  return nullptr;
}

// A shard in this worker's range that is not at home here; if there is one, a shard that is at home with that worker.
// A shard that is reserved for heavy actors is at home nowhere. If its range has one too many, it lacks one of its own.
mailbox::shard* thief::find_guest(unsigned home) noexcept {
  auto& slots = owner_->stealing().table().of(index_);
  mailbox::shard* found = nullptr;
  for (std::size_t i = 0, size = slots.size(); i < size; ++i) {
    mailbox::shard* const s = slots[i].load();
    // A slot may be vacant: then the shard in it belongs to no worker.
    if (s == nullptr || s->owner.load() != index_) continue;
    if (!owner_->mail().is_ordinary(s->number)) {
      if (found == nullptr && s->word.is_idle()) found = s;
      continue;
    }
    const unsigned at = owner_->announcer().owner_of_office(s->office);
    if (at == index_) continue;
    if (at == home) return s;
    found = s;
  }
  return found;
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
