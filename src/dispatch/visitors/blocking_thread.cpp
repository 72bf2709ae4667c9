#include "dispatch/visitors/blocking_thread.hpp"

#include <algorithm>
#include <chrono>
#include <string>
#include <utility>

#include "dispatch/holding/driving.hpp"
#include "dispatch/holding/trim_after.hpp"

namespace tact::dispatch {
namespace {

// A hold runs at least so many messages if there are so many: to begin a hold costs about as much as to run one.
constexpr std::uint64_t messages_of_a_hold = 64;

}  // namespace

blocking_thread::blocking_thread(dispatch::exchange& between, mailbox::shard& only, unsigned index,
                                 sync::eventcount<sync::real>& places, std::function<void()> call_loop)
    : worker_context(between, call_loop ? kind::loop : kind::blocking, index),
      shard_(only),
      places_(places),
      next_home_(index),
      loop_(call_loop ? std::make_unique<loop_call>(std::move(call_loop)) : nullptr) {
  held_.begin(shard_);
}

void blocking_thread::start() {
  thread_.start("blocking " + std::to_string(index() - exchange_.worker_count()), [this] { loop(); });
}

void blocking_thread::loop() noexcept {
  runner_->on_start();
  while (!exchange_.stopping()) {
    if (!take_turn()) park();
  }
  flush();
  runner_->publish_exactly();
  exchange_.on_thread_end();
}

std::size_t blocking_thread::find_homes(std::span<std::uint32_t> homes) noexcept {
  homes[0] = next_home_++ % exchange_.mail().ordinary_shards();
  return 1;
}

bool blocking_thread::anything() const noexcept {
  return exchange_.stopping() || (shard_.word.eligible() && slot_.may_enter());
}

bool blocking_thread::take_turn() {
  if (!shard_.word.eligible() || !slot_.enter()) return false;
  hold([] { return false; });
  if (slot_.leave()) places_.notify();
  return true;
}

template <class IsOver>
void blocking_thread::hold(IsOver is_over) {
  mailbox::gulped<mailbox::chunk> taken;
  if (!shard_.word.try_gulp(taken)) return counters_.missed_gulps.add(1);
  counters_.gulps.add(1);
  const std::uint64_t came = shard_.accept(taken, chunks_);
  counters_.gulped.add(came);
  // What an actor sends to itself goes back into the lane, so the lane of one that always does so is never empty. The
  // hold ends all the same, because the next one takes what others have sent meanwhile.
  std::uint64_t left = std::max(came, messages_of_a_hold);
  do run_one();
  while (--left != 0 && !shard_.lane.empty() && !exchange_.stopping() && !is_over());
  if (!shard_.lane.empty()) return shard_.word.release_with_rest();
  shard_.lane.recycle(chunks_);
  if (!shard_.word.release()) shard_.word.hand_over();
}

// Publishes what the message has sent before the next message runs, because that one may take long.
void blocking_thread::run_one() {
  if (buries_.load()) runner_->end_receiver(shard_);
  runner_->run_lane(shard_);
  runner_->publish_counters();
  flush();
}

void blocking_thread::park() {
  runner_->publish_exactly();
  exchange_.quiet_event().notify_if([this] { return runner_->sees_quiet(); });
  counters_.parks.add(1);
  if (!slot_.idle([this] { return anything(); }, sync::clock::now() + trim_after)) {
    trim();
    slot_.idle([this] { return anything(); });
  }
  counters_.wakes.add(1);
}

void blocking_thread::trim() noexcept {
  if (mailbox::chunk* const spare = shard_.outside.take_spare()) chunks_.give(spare);
  give_back(0);
}

// -- for an event loop

std::uint64_t blocking_thread::drive(std::uint64_t most, sync::deadline until) noexcept {
  const driving here(*this);
  hold([&] { return here.handled() >= most || (until && sync::clock::now() >= *until); });
  return here.handled();
}

pump::amount blocking_thread::run_some(std::uint64_t most, sync::deadline until) noexcept {
  pump::amount done;
  if (!loop_->enter()) return done;
  const auto anything = [this] { return shard_.word.eligible() && !exchange_.stopping(); };
  if (most != 0 && anything() && exchange_.enter_from_loop()) {
    done.handled = drive(most, until);
    if (const auto now = sync::clock::now(); !anything() && now - trimmed_ > trim_after) {
      trimmed_ = now;
      trim();
    }
    exchange_.leave_from_loop();
  }
  done.more = loop_->leave(anything);
  return done;
}

}  // namespace tact::dispatch
