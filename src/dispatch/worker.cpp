#include "dispatch/worker.hpp"

#include <chrono>

#include "dispatch/dispatcher.hpp"

namespace tact::dispatch {
namespace {

constexpr int spin_rounds = 64;         // a few microseconds: less than a sleep and a wake
constexpr unsigned gulps_per_hold = 4;  // then the worker's other shards have their turn
constexpr auto trim_after = std::chrono::milliseconds(500);
constexpr unsigned chunks_kept_idle = 4;  // per worker, after a trim

}  // namespace

worker::worker(dispatcher& owner, unsigned index, shard_numbers homes, std::vector<mailbox::shard*> shards)
    : desk(owner, index, homes), shards_(std::move(shards)) {}

void worker::start() {
  thread_ = std::thread([this] { loop(); });
}

void worker::loop() noexcept {
  runner_->on_start();
  owner_->reclamation().online(index_);
  while (!owner_->stopping()) {
    if (!round() && !spin()) park();
  }
  flush();
  runner_->publish_counters(true);
  owner_->reclamation().offline(index_);
  owner_->on_worker_end();
}

bool worker::round() {
  bool found = false;
  for (mailbox::shard* s : shards_) {
    if (s->word.eligible()) {
      say_idle(false);
      hold(*s);
      found = true;
    }
  }
  if (!found) say_idle(true);
  return found;
}

void worker::say_idle(bool idle) noexcept {
  if (idle == idle_) return;
  idle_ = idle;
  idle ? owner_->idle().add(index_) : owner_->idle().remove(index_);
}

void worker::hold(mailbox::shard& s) {
  mailbox::gulped<mailbox::chunk> taken;
  if (!s.word.try_gulp(taken)) return counters_.missed_gulps.add(1);
  for (unsigned gulps = 1;; ++gulps) {
    counters_.gulps.add(1);
    counters_.gulped.add(s.accept(taken, chunks_));
    runner_->run_lane(s);
    flush();
    if (!s.lane.empty()) {
      s.word.release_with_rest();
      break;
    }
    s.lane.recycle(chunks_);
    if (s.word.release()) break;
    if (gulps == gulps_per_hold || owner_->stopping()) {
      s.word.hand_over();
      break;
    }
    taken = s.word.gulp();
  }
  owner_->reclamation().quiesce(index_);
}

bool worker::anything_eligible() const noexcept {
  for (const mailbox::shard* s : shards_) {
    if (s->word.eligible()) return true;
  }
  return false;
}

bool worker::spin() const noexcept {
  for (int i = 0; i < spin_rounds; ++i) {
    if (anything_eligible() || owner_->stopping()) return true;
    sync::real::pause();
  }
  return false;
}

void worker::park() {
  runner_->publish_counters(true);
  owner_->reclamation().offline(index_);
  sync::deadline until = std::chrono::steady_clock::now() + trim_after;
  for (;;) {
    const auto ticket = wakeups_.prepare();
    // Whoever waits for quiet looks at the counters after this, or before it and is in the quiet event already.
    owner_->quiet_event().notify();
    if (anything_eligible() || owner_->stopping()) {
      wakeups_.cancel();
      break;
    }
    counters_.parks.add(1);
    const bool woken = wakeups_.wait(ticket, until);
    counters_.wakes.add(1);
    if (woken) break;
    runner_->trim();
    chunks_.trim(chunks_kept_idle);
    until.reset();
  }
  owner_->reclamation().online(index_);
}

}  // namespace tact::dispatch
