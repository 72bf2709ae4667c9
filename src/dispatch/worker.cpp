#include "dispatch/worker.hpp"

#include <algorithm>
#include <chrono>

#include "dispatch/dispatcher.hpp"

namespace tact::dispatch {
namespace {

constexpr int spin_rounds = 64;         // a few microseconds: less than a sleep and a wake
constexpr unsigned gulps_per_hold = 4;  // then the worker's other shards have their turn
constexpr std::uint64_t small_gulp = 64;
constexpr int mail_rounds = 64;  // about a microsecond
constexpr unsigned adoptions_in_a_row = 16;
constexpr std::uint64_t wake_ns = 3'000;  // what a wake-up costs the one who wakes
constexpr unsigned steals_per_search = 3;
constexpr auto trim_after = std::chrono::milliseconds(500);
constexpr auto watch_first = std::chrono::milliseconds(1);
constexpr auto watch_longest = std::chrono::milliseconds(16);
constexpr unsigned chunks_kept_idle = 1;  // per worker, after a trim

}  // namespace

worker::worker(dispatcher& owner, unsigned index)
    : desk(owner, post::worker, index), slots_(&owner.table().of(index)), thief_(owner, index) {
  stamp_.set(steal_view::no_stamp);
}

inline bool worker::is_over() const noexcept { return owner_->stopping() || goes(); }

void worker::loop() noexcept {
  runner_->on_start();
  owner_->reclamation().online(index_);
  while (!is_over()) {
    if (!round() && !spin() && !search()) park();
  }
  flush();
  runner_->publish_counters(true);
  owner_->reclamation().offline(index_);
  if (!owner_->stopping()) leave_service();
  owner_->on_worker_end();
}

bool worker::round() {
  unsigned found = 0;
  for (std::size_t i = 0, size = slots_->size(); i < size; ++i) {
    mailbox::shard* const s = (*slots_)[i].load();
    if (s == nullptr || !s->word.eligible()) continue;
    if (turn_.is_over()) break;
    say_idle(false);
    hold(*s);
    after_hold(++found);
  }
  if (found == 0) say_idle(true);
  return found != 0;
}

void worker::say_idle(bool idle) noexcept {
  if (idle == idle_) return;
  idle_ = idle;
  if (!idle) {
    watch_for_ = watch_first;
    owner_->idle().remove(index_);
    return call_watch();
  }
  owner_->idle().add(index_);
  stamp_.set(steal_view::no_stamp);
  help_.rest();
}

// Comes from idleness: if it finds more than one shard, and others sleep, somebody should look whether it is long.
void worker::call_watch() noexcept {
  if (!owner_->idle().any() || !owner_->steals() || owner_->has_watch()) return;
  unsigned waiting = 0;
  for (std::size_t i = 0; i < slots_->size(); ++i) {
    const mailbox::shard* const s = (*slots_)[i].load();
    waiting += s != nullptr && s->word.eligible();
  }
  if (waiting > 1) thief_.wake_another();
}

// -- holding

void worker::hold(mailbox::shard& s) {
  mailbox::gulped<mailbox::chunk> taken;
  if (!s.word.try_gulp(taken)) return counters_.missed_gulps.add(1);
  last_gulp_ = s.accept(taken, chunks_);
  counters_.gulped.add(last_gulp_);
  run_held(s);
}

void worker::hold_stolen(mailbox::shard& s) {
  say_idle(false);
  mailbox::gulped<mailbox::chunk> taken;
  if (!s.word.try_gulp(taken)) return counters_.missed_gulps.add(1);
  const std::uint64_t left = s.lane.count_messages();
  const std::uint64_t came = s.accept(taken, chunks_);
  counters_.gulped.add(came);
  counters_.messages_stolen.add(left + came);
  run_held(s);
}

// What it sends to an idle shard may be run right behind it, and so on: see adopt.
void worker::run_held(mailbox::shard& s) {
  adoptions_left_ = 0;
  for (mailbox::shard* held = &s; held != nullptr;) {
    counters_.gulps.add(1);
    stamp_.set(owner_->ticks());
    held = run_one(*held);
    if (adoptions_left_ == 0) owner_->reclamation().quiesce(index_);
  }
  if (adoptions_left_ != 0) owner_->reclamation().quiesce(index_);
  runner_->publish_counters(false);
}

// Runs a shard until it is empty or has had its turn, and lets it go. Returns the one that was adopted meanwhile.
mailbox::shard* worker::run_one(mailbox::shard& s) {
  first_ = &s;
  for (unsigned gulps = 1;; ++gulps) {
    do runner_->run_lane(s);
    while (goes_on(s));
    part(s);
    if (!s.lane.empty()) {
      runner_->publish_counters(false);  // what is left may be run elsewhere: counted first
      mailbox::shard* const adopted = flush_or_adopt(rather_adopts());
      s.word.release_with_rest();
      left_behind(s);
      return adopted;
    }
    mailbox::shard* const adopted = flush_or_adopt(may_adopt(s));
    s.lane.recycle(chunks_);
    if (s.word.release()) return adopted;
    if (adopted != nullptr) {
      runner_->publish_counters(false);  // as above
      adopted->word.release_with_rest();
      owner_->announce(*adopted);
    }
    if (gulps == gulps_per_hold || stops()) {
      s.word.hand_over();
      left_behind(s);
      return nullptr;
    }
    let_more_come(s);
    take(s, s.word.gulp(), s);
  }
}

// A thread outside that sends message after message is slowed down by every gulp, which takes its lines away: rather a
// few large ones than many small ones.
void worker::let_more_come(const mailbox::shard& s) const noexcept {
  if (last_gulp_ >= small_gulp || !s.word.has_mail()) return;
  for (int i = sync::rounds_of_spin(mail_rounds); i != 0; --i) sync::real::pause();
}

bool worker::stops() const noexcept { return is_over() || turn_.is_over(); }

// Its own shards the worker finds by itself; but this one may have been stolen while it was held, or adopted.
void worker::left_behind(const mailbox::shard& s) noexcept {
  if (s.owner.load() != index_) owner_->announce(s);
}

// Instead of waking the owner of the shard that was sent to last, or of finding it in the next round: only with nothing
// else to do, and only if its owner has nothing to do either. Protocol page: docs/protocols/adoption.md.
inline bool worker::may_adopt(const mailbox::shard& held) noexcept {
  if (outboxes_.nothing_open() || outboxes_.last_is_empty()) return false;
  const mailbox::shard& s = owner_->shard_at(outboxes_.last_open());
  if (owner_->is_blocking(s.number)) return false;  // another thread's for good
  const std::uint32_t owner = s.owner.load();
  if (owner != index_ && owner_->workers()[owner]->stamp() != steal_view::no_stamp) return false;
  if (!held.word.nothing_came() || stops()) return false;
  return adoptions_left_ != 0 || nothing_else();
}

bool worker::nothing_else() noexcept {
  if (anything_eligible()) return false;
  adoptions_left_ = adoptions_in_a_row;
  return true;
}

// In the midst of a lane: who waits for this is one sleeper, whose messages take less than it costs to wake him.
bool worker::rather_adopts() const noexcept {
  if (outboxes_.count_open() != 1 || !joined_.empty()) return false;
  const std::uint32_t last = outboxes_.last_open();
  if (owner_->is_blocking(last)) return false;
  const mailbox::shard& s = owner_->shard_at(last);
  const std::uint32_t owner = s.owner.load();
  if (owner == index_ || !owner_->workers()[owner]->sleeps()) return false;
  const std::uint64_t each = s.own_ns.read();
  const std::size_t slots = outboxes_.last().slots_waiting();
  if (each == 0 || slots == 0 || slots * each > wake_ns) return false;
  return s.word.is_idle() && !anything_eligible() && !stops();
}

// Publishes at the end of a hold. But the shard sent to last stays in the hands of this worker, if it may and is idle.
mailbox::shard* worker::flush_or_adopt(bool may) {
  mailbox::shard* adopted = nullptr;
  if (may) {
    mailbox::shard& last = owner_->shard_at(outboxes_.last_open());
    if (last.word.try_hold()) {
      adopted = &last;
      if (adoptions_left_ != 0) --adoptions_left_;
      if (last.owner.load() != index_) counters_.adoptions.add(1);
      counters_.gulped.add(last.accept(outboxes_.take_last(), chunks_));
    }
  }
  flush();
  return adopted;
}

// -- helping each other

void worker::after_hold(unsigned held_in_round) noexcept {
  if (held_in_round > 1 && help_.hold_ended()) call_help(false);
}

// -- nothing to do

bool worker::anything_eligible() const noexcept { return owner_->table().anything_eligible(index_); }

bool worker::spin() const noexcept {
  for (int i = sync::rounds_of_spin(spin_rounds); i != 0; --i) {
    if (anything_eligible() || is_over()) return true;
    sync::real::pause();
  }
  return false;
}

// After two empty rounds. Few search at a time; the last of them that finds something wakes another, if there is more.
bool worker::search() {
  if (!owner_->steals() || !owner_->searching().try_enter()) return false;
  theft<mailbox::shard> found;
  bool own = false;
  for (unsigned n = 0; n < steals_per_search && !own && found.outcome != theft_outcome::stolen; ++n) {
    own = n != 0 && spin();
    if (!own) found = thief_.steal(counters_);
    if (owner_->all_idle()) break;  // nobody to wait for
  }
  const bool stolen = found.outcome == theft_outcome::stolen;
  if (owner_->searching().leave() && stolen && found.more) thief_.wake_another();
  if (stolen) hold_stolen(*found.shard);
  return own || stolen;
}

void worker::park() {
  runner_->publish_counters(true);
  owner_->reclamation().offline(index_);
  const bool watches = owner_->take_watch();
  sync::deadline until = sync::clock::now() + (watches ? watch_for_ : trim_after);
  for (;;) {
    const auto ticket = wakeups_.prepare();
    // Whoever waits for quiet looks at the counters after this, or before it and is in the quiet event already.
    owner_->quiet_event().notify_if([this] { return runner_->sees_quiet(); });
    if (anything_eligible() || is_over()) {
      wakeups_.cancel();
      break;
    }
    counters_.parks.add(1);
    const bool woken = wakeups_.wait(ticket, until);
    counters_.wakes.add(1);
    if (woken || watches) break;
    trim();
    until.reset();
  }
  if (watches) {
    owner_->leave_watch();
    watch_for_ = std::min(watch_for_ * 2, watch_longest);
  }
  owner_->reclamation().online(index_);
}

void worker::trim() noexcept {
  for (std::size_t i = 0; i < slots_->size(); ++i) {
    mailbox::shard* const s = (*slots_)[i].load();
    mailbox::chunk* const spare = s == nullptr ? nullptr : s->outside.take_spare();
    if (spare != nullptr) chunks_.give(spare);
  }
  give_back(chunks_kept_idle);
  if (owner_->pump() == nullptr && !owner_->all_idle()) return;
  owner_->trim_helpers();
  owner_->spare_chunks().trim();
}

}  // namespace tact::dispatch
