// How a holder runs what it holds, publishes, and lets go.
#pragma once

#include <utility>

#include "dispatch/holder.hpp"
#include "dispatch/publish.hpp"
#include "dispatch/wake_price.hpp"

namespace tact::dispatch {

template <class Context>
void holder<Context>::hold(shard& s) {
  if (!gulp(s)) return;
  run_held(s);
  run_kept();
}

template <class Context>
void holder<Context>::hold_stolen(shard& s) {
  if (!gulp(s)) return;
  counters_.messages_stolen.add(s.lane.count_messages());
  run_held(s);
  run_kept();
}

template <class Context>
bool holder<Context>::gulp(shard& s) noexcept {
  mailbox::gulped<chunk> came;
  if (!s.word.try_gulp(came)) {
    counters_.missed_gulps.add(1);
    return false;
  }
  last_gulp_ = count_gulp(s.accept(came, chunks_));
  return true;
}

template <class Context>
std::uint64_t holder<Context>::count_gulp(std::uint64_t messages) noexcept {
  counters_.gulps.add(1);
  counters_.gulped.add(messages);
  return messages;
}

template <class Context>
void holder<Context>::run_held(shard& s) {
  held_.begin(s);
  takes_up();
  run_until_empty(s);
  held_.end();
  has_run();
}

// Runs the shard until nothing is left or its turn is over; then lets go of it.
template <class Context>
void holder<Context>::run_until_empty(shard& s) {
  for (unsigned gulps = 1;; ++gulps) {
    // The lane is empty at first if another worker held an office from which messages were to come.
    if (!s.lane.empty()) {
      do runner_->run_lane(s);
      while (goes_on(s));
    }
    part(s);
    if (!s.lane.empty()) {
      const bool keeps = rather_keeps();
      if (planted(sync::fault::release_before_flush)) s.word.release_with_rest();
      flush_or_keep(keeps);
      runner_->publish_counters(false);  // counted before others can run what is left
      if (!planted(sync::fault::release_before_flush)) s.word.release_with_rest();
      return left_behind(s);
    }
    flush_or_keep(may_keep(s));
    s.lane.recycle(chunks_);
    if (s.word.release()) return;
    if (gulps == Context::gulps_per_hold || stops()) {
      s.word.hand_over();
      return left_behind(s);
    }
    // More messages came for this shard, so the worker does not get to the office that it has kept: it announces the
    // office.
    if (kept_ != nullptr && !planted(sync::fault::kept_forgotten))
      owner_->announcer().announce(*std::exchange(kept_, nullptr));
    let_more_come(s);
    take(s, s.word.gulp(), s);
  }
}

// Each gulp slows down a thread outside that sends message after message, because it takes away that thread's cache
// lines. So a few large gulps are better than many small ones.
template <class Context>
void holder<Context>::let_more_come(const shard& s) const noexcept {
  if (last_gulp_ < Context::small_gulp && s.word.has_mail()) pause();
}

// Announces a shard in which messages are left, if another worker owns it: it may have been stolen while it was held. A
// worker's own shards need no announcement, because the worker looks at them before it parks.
template <class Context>
void holder<Context>::left_behind(const shard& s) noexcept {
  if (s.owner.load() != index_ && !planted(sync::fault::rest_not_announced)) owner_->announcer().announce(s);
}

template <class Context>
void holder<Context>::let_go(shard& s) noexcept {
  if (!s.lane.empty() && !planted(sync::fault::part_forgets)) {
    s.word.release_with_rest();
  } else if (s.word.release()) {
    return;
  } else {
    s.word.hand_over();
  }
  left_behind(s);
}

// -- keeping

// Returns the office to which this worker has sent, if its outbox is the only one that is open, and if another worker
// looks at the office and is idle. Else null.
template <class Context>
auto holder<Context>::only_outbox_to_sleeper() const noexcept -> office* {
  if (outboxes_.count_open() != 1) return nullptr;
  const std::uint32_t number = outboxes_.all_open().front();
  if (!owner_->mail().is_office(number) || outboxes_.at(number).queue.empty()) return nullptr;
  office& o = owner_->mail().office_of_outbox(number);
  const unsigned owner = owner_->announcer().owner_of_office(o.index);
  return owner != index_ && owner_->stealing().is_idle(owner) ? &o : nullptr;
}

// May this worker deal that office out itself, instead of waking the other worker? Only if it has nothing else to do.
template <class Context>
bool holder<Context>::may_keep(const shard& held) const noexcept {
  return only_outbox_to_sleeper() != nullptr && held.word.nothing_came() && !stops() && !anything_eligible();
}

// The same in the midst of a lane: only if running those messages takes less time than the call that wakes the other
// worker.
template <class Context>
bool holder<Context>::rather_keeps() noexcept {
  if (!held_.is_first_alone()) return false;
  const office* const o = only_outbox_to_sleeper();
  if (o == nullptr || !o->word.is_idle()) return false;
  mailbox::copy_queue& sent = outboxes_.at(o->number).queue;
  const auto to = runner_->first_in(sent);
  const std::uint64_t each = to ? owner_->mail().shard_at(*to).own_ns.read() : 0;
  return each != 0 && sent.slots_waiting() * each <= waking_ns && !anything_eligible() && !stops();
}

// Publishes at the end of a hold. If `may` is true, this worker notes the office as kept, and does not wake the worker
// that looks at it.
template <class Context>
void holder<Context>::flush_or_keep(bool may) {
  if (!may) return flush();
  this->publish([this](std::uint32_t number) { kept_ = &owner_->mail().office_of_outbox(number); });
}

template <class Context>
void holder<Context>::run_kept() {
  for (unsigned n = 0; kept_ != nullptr; ++n) {
    office& o = *std::exchange(kept_, nullptr);
    if (n == Context::kept_in_a_row || stops()) {
      if (!planted(sync::fault::kept_not_announced)) owner_->announcer().announce(o);
      return;
    }
    hold_office(o);
  }
}

}  // namespace tact::dispatch
