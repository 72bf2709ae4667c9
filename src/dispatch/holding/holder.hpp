// How shards and offices are held, run and published: one template for workers and helpers.
#pragma once

#include <cstddef>
#include <cstdint>
#include <utility>

#include "dispatch/holding/office_dealer.hpp"
#include "dispatch/policy/prices.hpp"
#include "mailbox/copy_queue.hpp"

namespace tact::dispatch {

// The last of the four layers: see shard_taker.
//
// Invariants: (1) a shard or an office is let go only after every outbox was flushed; (2) no pointer to a behaviour is
// kept from one hold to the next. Thread safety: the thread of the worker context only. Protocol pages:
// docs/protocols/office.md, docs/protocols/joint_hold.md.
template <class Context>
class holder : public office_dealer<Context> {
  using base = office_dealer<Context>;

 public:
  using shard = typename base::shard;
  using office = typename base::office;

 protected:
  using base::base;
  ~holder() = default;

  // -- what the layers ask of their thread
  [[nodiscard]] virtual bool anything_eligible() const noexcept = 0;
  // May this thread take up the next of its own shards? A worker that rests may, although it stops after each message:
  // no other thread looks at a shard that it has kept.
  [[nodiscard]] virtual bool looks_on() const noexcept { return !this->stops(); }
  // Called when the thread takes up messages, and when it has run some and holds no behaviour.
  virtual void takes_up() noexcept = 0;
  virtual void has_run() noexcept = 0;
  // True: this thread should give back what it holds together, because it holds shards that are other workers' now.
  [[nodiscard]] virtual bool parts() noexcept { return false; }

  // Looks once at each office and each shard of this thread, and holds those that are eligible, until this thread
  // stops, or looks on at its shards no more. Calls begins() before and ended(n) after the n-th hold. Returns the
  // number of holds.
  template <class Begins, class Ended>
  unsigned look_round(Begins begins, Ended ended);
  // Holds the shard and runs what waits there, unless another thread holds it.
  void hold(shard& s);
  void hold_stolen(shard& s);  // as hold, for a shard that this thread has just stolen
  // Holds the office and deals out what waits there, unless another thread holds it; then runs what came into the lane.
  void hold(office& o);

  using base::counters_;
  using base::heavy_waits;
  using base::let_go_offices;
  using base::planted;
  using base::stops;
  using Context::chunks_;
  using Context::exchange_;
  using Context::flush;
  using Context::held_;
  using Context::index_;
  using Context::outboxes_;
  using Context::runner_;

 private:
  // -- dispatch::worker_context
  [[nodiscard]] bool rather_withholds() noexcept final;

  void hold_office(office& o);
  void run_held(shard& s);
  void run_until_empty(shard& s);
  [[nodiscard]] bool goes_on(shard& s);
  void run_withheld();
  void flush_or_withhold(bool may);
  [[nodiscard]] office* only_outbox_to_sleeper() const noexcept;
  [[nodiscard]] bool may_withhold(const shard& held) const noexcept;

  office* withheld_ = nullptr;  // this thread has sent to it, and deals it out next instead of announcing it
};

template <class Context>
template <class Begins, class Ended>
unsigned holder<Context>::look_round(Begins begins, Ended ended) {
  unsigned found = 0;
  for (std::uint32_t o = index_; o < exchange_.worker_count() && !stops(); o += exchange_.running()) {
    if (!exchange_.mail().office_at(o).word.eligible()) continue;
    begins();
    hold(exchange_.mail().office_at(o));
    ended(++found);
  }
  for (std::size_t i = 0, size = this->own_shards(); i < size; ++i) {
    shard* const s = this->own_shard(i);
    if (s == nullptr || !s->word.eligible()) continue;
    if (!looks_on()) break;
    begins();
    hold(*s);
    ended(++found);
  }
  return found;
}

template <class Context>
void holder<Context>::hold(shard& s) {
  if (!this->gulp(s)) return;
  run_held(s);
  run_withheld();
}

template <class Context>
void holder<Context>::hold_stolen(shard& s) {
  if (!this->gulp(s)) return;
  counters_.messages_stolen.add(s.lane.count_messages());
  run_held(s);
  run_withheld();
}

template <class Context>
void holder<Context>::hold(office& o) {
  hold_office(o);
  run_withheld();
}

template <class Context>
void holder<Context>::hold_office(office& o) {
  if (!this->take(o)) return counters_.missed_gulps.add(1);
  shard* const first = o.waiting.empty() ? nullptr : this->take_first(o);
  if (first == nullptr) {
    this->sharing().deal_out(o, nullptr);
    flush();
    return let_go_offices();
  }
  held_.begin(*first);
  if (this->sharing().may_join(*first) && !heavy_waits()) {
    this->gather(*first);
  } else {
    this->join_no_more();
    this->sharing().deal_out(o, first);
    this->join_again();
    if (planted(sync::fault::office_left_early)) let_go_offices();
    flush();
    let_go_offices();
  }
  if (exchange_.waker().owner_of_office(o.index) != index_) counters_.adoptions.add(1);
  run_held(*first);
}

template <class Context>
void holder<Context>::run_held(shard& s) {
  held_.begin(s);
  takes_up();
  run_until_empty(s);
  held_.end();
  has_run();
}

// Runs the shard until nothing is left or the hold has lasted long enough; then lets go of it.
template <class Context>
void holder<Context>::run_until_empty(shard& s) {
  for (unsigned gulps = 1;; ++gulps) {
    // The lane is empty at first if another worker held an office from which messages were to come.
    if (!s.lane.empty()) {
      do runner_->run_lane(s);
      while (goes_on(s));
    }
    this->separate(s);
    if (!s.lane.empty()) {
      const bool withholds = rather_withholds();
      if (planted(sync::fault::release_before_flush)) s.word.release_with_rest();
      flush_or_withhold(withholds);
      runner_->publish_counters();  // counted before others can run what is left
      if (!planted(sync::fault::release_before_flush)) s.word.release_with_rest();
      return this->left_behind(s);
    }
    flush_or_withhold(may_withhold(s));
    s.lane.recycle(chunks_);
    if (s.word.release()) return;
    if (gulps == Context::gulps_per_hold || stops()) {
      s.word.hand_over();
      return this->left_behind(s);
    }
    // More messages came for this shard, so the worker does not get to the office that it withholds: it announces
    // the office.
    if (withheld_ != nullptr && !planted(sync::fault::withheld_forgotten))
      exchange_.waker().announce(*std::exchange(withheld_, nullptr));
    this->let_more_come(s);
    this->take(s, s.word.gulp(), s);
  }
}

// The lane is empty, or the hold has lasted long enough. Instead of letting go, the worker brings what has come for any
// of its shards into this lane. False: nothing has come, or the worker should not go on: handlers are not quick, idle
// workers could run a part, a heavy actor's shard waits, shards went to other workers, or the dispatcher stops.
template <class Context>
bool holder<Context>::goes_on(shard& s) {
  if (held_.is_first_alone() ? !this->sharing().may_join(s) : !this->sharing().may_stay_joined(s)) return false;
  if (stops() || heavy_waits() || parts()) return false;
  if (s.lane.empty()) this->let_more_come(s);
  flush();
  if (s.lane.empty()) this->return_foreign();
  this->gather(s);
  if (s.lane.empty()) return false;
  has_run();
  takes_up();
  return true;
}

template <class Context>
void holder<Context>::run_withheld() {
  for (unsigned n = 0; withheld_ != nullptr; ++n) {
    office& o = *std::exchange(withheld_, nullptr);
    if (n == Context::withheld_in_a_row || stops()) {
      if (!planted(sync::fault::withheld_not_announced)) exchange_.waker().announce(o);
      return;
    }
    hold_office(o);
  }
}

// Returns the office to which this worker has sent, if its outbox is the only one that is open, and if another worker
// looks at the office and is idle. Else null.
template <class Context>
auto holder<Context>::only_outbox_to_sleeper() const noexcept -> office* {
  if (outboxes_.count_open() != 1) return nullptr;
  const std::uint32_t number = outboxes_.all_open().front();
  if (!exchange_.mail().is_office(number) || outboxes_.at(number).queue.empty()) return nullptr;
  office& o = exchange_.mail().office_of_outbox(number);
  const unsigned owner = exchange_.waker().owner_of_office(o.index);
  return owner != index_ && exchange_.stealing().is_idle(owner) ? &o : nullptr;
}

// May this worker deal that office out itself, instead of waking the other worker? Only if it has nothing else to do.
template <class Context>
bool holder<Context>::may_withhold(const shard& held) const noexcept {
  return only_outbox_to_sleeper() != nullptr && held.word.nothing_came() && !stops() && !anything_eligible();
}

// May this worker withhold the office in the midst of a lane? Only if it takes less time to run the messages there than
// to call the other worker.
template <class Context>
bool holder<Context>::rather_withholds() noexcept {
  if (!held_.is_first_alone()) return false;
  const office* const o = only_outbox_to_sleeper();
  if (o == nullptr || !o->word.is_idle()) return false;
  mailbox::copy_queue& sent = outboxes_.at(o->number).queue;
  const auto to = this->sharing().first_in(sent);
  const std::uint64_t each = to ? exchange_.mail().shard_at(*to).own_ns.read() : 0;
  return each != 0 && sent.slots_waiting() * each <= prices::waking_ns && !anything_eligible() && !stops();
}

// Publishes at the end of a hold. If `may` is true, this worker withholds the office, and does not wake the worker
// that looks at it.
template <class Context>
void holder<Context>::flush_or_withhold(bool may) {
  if (!may) return flush();
  this->publish([this](std::uint32_t number) { withheld_ = &exchange_.mail().office_of_outbox(number); });
}

}  // namespace tact::dispatch
