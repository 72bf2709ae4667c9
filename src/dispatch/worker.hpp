// A worker: one thread that holds shards in turn, runs what they hold, and sleeps when there is nothing.
#pragma once

#include <chrono>
#include <cstdint>
#include <memory>
#include <string>
#include <vector>

#include "dispatch/desk.hpp"
#include "dispatch/help_call.hpp"
#include "dispatch/thief.hpp"
#include "mailbox/shard.hpp"
#include "sync/eventcount.hpp"
#include "sync/owned_counter.hpp"
#include "sync/thread.hpp"

namespace tact::dispatch {

// Counted by the worker, read by anybody.
struct worker_counters : theft_counters {
  sync::owned_counter gulps;
  sync::owned_counter gulped;
  sync::owned_counter missed_gulps;
  sync::owned_counter adoptions;  // shards of other workers, run here instead of waking those
  sync::owned_counter joins;      // shards held beside the one that was run
  sync::owned_counter parks;
  sync::owned_counter wakes;
};

// Invariants: (1) a shard is let go only after every outbox was flushed, and none is open for a shard that is held; (2)
// a worker parks only after it said so and then found nothing eligible among its shards; (3) no pointer to a behaviour
// is kept from one hold to the next; (4) who leaves messages behind in the shard of another worker tells that worker.
class worker final : public desk {
 public:
  worker(dispatcher& owner, unsigned index);

  // -- from any thread
  void wake() noexcept { wakeups_.notify(); }  // REQUIRES: the caller made a seq_cst change to what the worker looks at
  [[nodiscard]] bool sleeps() const noexcept { return wakeups_.has_waiters(); }  // a hint
  // What the engine's logical clock showed when the worker took up the shard that it runs; see tact::steal_view.
  [[nodiscard]] std::uint64_t stamp() const noexcept { return stamp_.read(); }
  [[nodiscard]] const worker_counters& counters() const noexcept { return counters_; }

  // -- from who starts and ends it: dispatch/workforce.hpp. It may be started again when it has ended.
  void start();  // throws std::system_error when the system gives no thread
  // It ends behind the message that it runs. What it leaves behind in its shards is up to the caller.
  void tell_to_go() noexcept;
  void join() noexcept { thread_.join(); }

  // -- from the thread that drives a worker without a thread of its own: dispatch/pump.hpp
  // Runs until the turn is over or nothing is left, so many rounds at most; then all of it is published. Returns how
  // many messages were handled.
  std::uint64_t take_turn(const turn& t, unsigned rounds) noexcept;
  void trim() noexcept;
  void count_park() noexcept { counters_.parks.add(1); }
  void count_wake() noexcept { counters_.wakes.add(1); }
  [[nodiscard]] bool anything_eligible() const noexcept;  // from any thread too

  // -- dispatch::desk
  // If others wait for this worker while somebody sleeps, he is woken to take them over.
  void look_up() noexcept override;
  [[nodiscard]] bool has_mail() const noexcept override;
  [[nodiscard]] bool rather_adopts() const noexcept override;
  [[nodiscard]] bool keeps_some() const noexcept override;
  [[nodiscard]] bool join(std::uint32_t shard) noexcept override;

 private:
  [[nodiscard]] std::size_t find_homes(
      std::span<std::uint32_t> homes) noexcept override;  // round over the worker's own
  void loop() noexcept;
  void leave_service() noexcept;
  [[nodiscard]] bool is_over() const noexcept;  // the thread is to end
  [[nodiscard]] bool round();                   // looks at every own shard once; false: nothing was there
  void say_idle(bool idle) noexcept;
  void call_watch() noexcept;
  void hold(mailbox::shard& s);
  void hold_stolen(mailbox::shard& s);
  void run_held(mailbox::shard& s);
  [[nodiscard]] mailbox::shard* run_one(mailbox::shard& s);
  [[nodiscard]] bool goes_on(mailbox::shard& s);
  void keep_sent(mailbox::shard& into);
  [[nodiscard]] bool may_take_over(const mailbox::shard& s) const noexcept;
  void gather(mailbox::shard& into);
  [[nodiscard]] bool heavy_waits() const noexcept;
  void take(mailbox::shard& s, const mailbox::gulped<mailbox::chunk>& what, mailbox::shard& into) noexcept;
  void let_more_come(const mailbox::shard& s) const noexcept;
  void add(mailbox::shard& s) noexcept;
  [[nodiscard]] bool anything_came() const noexcept;
  void let_go(mailbox::shard& s) noexcept;
  void part(mailbox::shard& s);
  [[nodiscard]] mailbox::shard* flush_or_adopt(bool may);
  [[nodiscard]] bool may_adopt(const mailbox::shard& held) noexcept;
  [[nodiscard]] bool nothing_else() noexcept;
  void left_behind(const mailbox::shard& s) noexcept;
  void after_hold(unsigned held_in_round) noexcept;
  void call_help(bool holds_are_long) noexcept;
  [[nodiscard]] bool spin() const noexcept;  // true: something came
  [[nodiscard]] bool search();               // true: something came, or was stolen and run
  void park();
  // What is left waits for another turn, or for the end.
  [[nodiscard]] bool stops() const noexcept;

  using slot_range = shard_table<sync::real, mailbox::shard>::range;

  slot_range* const slots_;
  sync::thread thread_;

  thief thief_;
  help_call help_;
  std::uint64_t last_gulp_ = 0;            // messages
  const mailbox::shard* first_ = nullptr;  // whose lane is run
  std::size_t next_slot_ = 0;
  unsigned adoptions_left_ = 0;             // before the worker looks at its own shards again
  bool idle_ = true;                        // as the idle set has it
  std::chrono::milliseconds watch_for_{1};  // how long it sleeps at most when it keeps watch
  alignas(64) sync::owned_counter stamp_;
  alignas(64) worker_counters counters_;
  alignas(64) sync::eventcount<sync::real> wakeups_;
};

}  // namespace tact::dispatch
