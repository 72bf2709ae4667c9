#include "dispatch/blocking_thread.hpp"

#include <chrono>
#include <string>

#include "dispatch/dispatcher.hpp"

namespace tact::dispatch {
namespace {

constexpr auto trim_after = std::chrono::milliseconds(500);

}  // namespace

blocking_thread::blocking_thread(dispatcher& owner, mailbox::shard& only, unsigned index)
    : desk(owner, post::blocking, index), shard_(only), next_home_(index) {
  held_.begin(shard_);
}

void blocking_thread::start() {
  thread_.start("blocking " + std::to_string(index() - owner_->worker_count()), [this] { loop(); });
}

void blocking_thread::loop() noexcept {
  runner_->on_start();
  while (!owner_->stopping()) {
    if (!round()) park();
  }
  flush();
  runner_->publish_counters(true);
  owner_->on_worker_end();
}

std::size_t blocking_thread::find_homes(std::span<std::uint32_t> homes) noexcept {
  homes[0] = next_home_++ % owner_->ordinary_shards();
  return 1;
}

bool blocking_thread::anything() const noexcept {
  return owner_->stopping() || (shard_.word.eligible() && slot_.may_enter());
}

bool blocking_thread::round() {
  if (!shard_.word.eligible() || !slot_.enter()) return false;
  hold();
  if (slot_.leave()) owner_->on_place_free();
  return true;
}

void blocking_thread::hold() {
  mailbox::gulped<mailbox::chunk> taken;
  if (!shard_.word.try_gulp(taken)) return counters_.missed_gulps.add(1);
  counters_.gulps.add(1);
  counters_.gulped.add(shard_.accept(taken, chunks_));
  // The runner comes back after each message: what it sent goes out before the next one, which may take long.
  do {
    runner_->run_lane(shard_);
    runner_->publish_counters(false);
    flush();
  } while (!shard_.lane.empty() && !owner_->stopping());
  if (!shard_.lane.empty()) return shard_.word.release_with_rest();
  shard_.lane.recycle(chunks_);
  if (!shard_.word.release()) shard_.word.hand_over();
}

void blocking_thread::park() {
  runner_->publish_counters(true);
  owner_->quiet_event().notify_if([this] { return runner_->sees_quiet(); });
  counters_.parks.add(1);
  if (!slot_.idle([this] { return anything(); }, sync::clock::now() + trim_after)) {
    if (mailbox::chunk* const spare = shard_.outside.take_spare()) chunks_.give(spare);
    give_back(0);
    slot_.idle([this] { return anything(); });
  }
  counters_.wakes.add(1);
}

}  // namespace tact::dispatch
