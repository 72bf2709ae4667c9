// A worker: one thread that holds shards in turn, runs what they hold, and sleeps when there is nothing.
#pragma once

#include <cstdint>
#include <memory>
#include <string>
#include <thread>
#include <vector>

#include "dispatch/desk.hpp"
#include "mailbox/shard.hpp"
#include "sync/eventcount.hpp"
#include "sync/owned_counter.hpp"

namespace tact::dispatch {

// What a worker runs a shard's messages with. The dispatcher knows no more of actors than this.
class runner {
 public:
  virtual ~runner() = default;
  // Runs the messages in the lane of a shard that the worker holds, until the lane is empty, a budget is spent, or the
  // dispatcher stops.
  virtual void run_lane(mailbox::shard& held) = 0;
  // Makes everything counted so far visible. `exact`: the worker is about to sleep, and somebody may wait for that.
  virtual void publish_counters(bool exact) noexcept = 0;
  // The thread begins; called on it before anything else.
  virtual void on_start() noexcept = 0;
  // The worker has been idle for a while: memory goes back.
  virtual void trim() noexcept = 0;
};

// Counted by the worker, read by anybody.
struct worker_counters {
  sync::owned_counter gulps;
  sync::owned_counter gulped;
  sync::owned_counter missed_gulps;
  sync::owned_counter parks;
  sync::owned_counter wakes;
};

// Invariants: (1) a shard is let go only after every outbox was flushed; (2) a worker parks only after it said so and
// then found nothing eligible among its shards; (3) no pointer to a behaviour is kept from one hold to the next.
class worker : public desk {
 public:
  worker(dispatcher& owner, unsigned index, shard_numbers homes, std::vector<mailbox::shard*> shards);

  // -- from any thread
  void wake() noexcept { wakeups_.notify(); }  // REQUIRES: the caller made a seq_cst change to what the worker looks at
  [[nodiscard]] const worker_counters& counters() const noexcept { return counters_; }

  // -- from the thread that starts and ends the engine
  void prepare(std::unique_ptr<runner> with) noexcept { runner_ = std::move(with); }
  void start();
  void join() noexcept { thread_.join(); }
  [[nodiscard]] runner& running() const noexcept { return *runner_; }

 private:
  void loop() noexcept;
  [[nodiscard]] bool round();  // looks at every own shard once; false: nothing was there
  void say_idle(bool idle) noexcept;
  void hold(mailbox::shard& s);
  [[nodiscard]] bool spin() const noexcept;  // true: something came
  void park();
  [[nodiscard]] bool anything_eligible() const noexcept;

  const std::vector<mailbox::shard*> shards_;
  std::unique_ptr<runner> runner_;
  std::thread thread_;

  bool idle_ = true;  // as the idle set has it
  alignas(64) worker_counters counters_;
  alignas(64) sync::eventcount<sync::real> wakeups_;
};

}  // namespace tact::dispatch
