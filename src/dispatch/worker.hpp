// A worker: one thread that holds one shard after the other, runs their messages, and sleeps when there are none.
#pragma once

#include <cstdint>
#include <memory>
#include <optional>
#include <string>
#include <vector>

#include "dispatch/backoff.hpp"
#include "dispatch/help_call.hpp"
#include "dispatch/holder.hpp"
#include "dispatch/home_shards.hpp"
#include "dispatch/idling.hpp"
#include "dispatch/prices.hpp"
#include "dispatch/thief.hpp"
#include "dispatch/worker_context.hpp"
#include "mailbox/shard.hpp"
#include "sync/eventcount.hpp"
#include "sync/owned_counter.hpp"
#include "sync/thread.hpp"

namespace tact::dispatch {

// Invariants: those of a holder; and a worker parks only after it has announced that, and has then found nothing
// eligible among its offices and shards. Protocol page: docs/protocols/idling.md.
class worker final : public holder<worker_context> {
 public:
  worker(dispatcher& owner, unsigned index);

  // -- from any thread
  void wake() noexcept { wakeups_.notify(); }  // REQUIRES: the caller made a seq_cst change to what the worker looks at
  [[nodiscard]] bool sleeps() const noexcept { return wakeups_.has_waiters(); }  // a hint
  // The engine's logical clock when the worker took up the shard that it runs; see tact::steal_view.
  [[nodiscard]] std::uint64_t stamp() const noexcept { return stamp_.read(); }
  // The number of messages that it has handled, as of its last look between two messages.
  [[nodiscard]] std::uint64_t handled() const noexcept { return handled_.read(); }
  // For how long handlers have kept it by themselves (see cost_meter), as of the same look.
  [[nodiscard]] std::uint64_t kept_ns() const noexcept { return kept_ns_.read(); }
  // About how many messages wait in the lane that it runs, as of the same look.
  [[nodiscard]] std::uint64_t waiting() const noexcept { return waiting_.read(); }
  // Its messages are worth moving to another worker: see lane_sharing. A hint.
  [[nodiscard]] bool is_worth_moving() const noexcept { return worth_moving_.read() != 0; }
  // Its messages take long: see lane_sharing. A hint.
  [[nodiscard]] bool is_slow() const noexcept { return slow_.read() != 0; }

  // Another worker has exchanged shards with this one, which may hold some of them: it should part from what it holds.
  void ask_to_part() noexcept { asked_to_part_.store(true); }

  // -- from the workforce (dispatch/workforce.hpp). A worker may be started again after it has ended.
  void start();  // throws std::system_error when the system gives no thread
  // The worker ends after the message that it runs now. The caller moves the shards that it leaves behind.
  void tell_to_go() noexcept;
  void wait_for_end() noexcept { thread_.join(); }

  // -- from the thread that drives a worker without a thread of its own: dispatch/pump.hpp
  // Runs until the limit is reached or nothing is left, at most so many rounds; then publishes all that was sent and
  // counted. Returns how many messages were handled.
  std::uint64_t drive(const drive_limit& most, unsigned rounds) noexcept;
  [[nodiscard]] bool trim() noexcept;  // true: there is more to give back
  void count_park() noexcept { counters_.parks.add(1); }
  void count_wake() noexcept { counters_.wakes.add(1); }
  [[nodiscard]] bool anything_eligible() const noexcept override;  // any thread may call it

  // -- dispatch::worker_context
  [[nodiscard]] bool has_mail() noexcept override;

 private:
  [[nodiscard]] std::size_t find_homes(
      std::span<std::uint32_t> homes) noexcept override;  // round over the ordinary shards of its range
  [[nodiscard]] std::optional<std::uint32_t> shard_to_leave_out() const noexcept;
  [[nodiscard]] std::size_t find_homes_elsewhere(std::span<std::uint32_t> homes, bool is_first) noexcept override;
  void loop() noexcept;
  void leave_service() noexcept;
  [[nodiscard]] bool is_over() const noexcept;  // the thread is to end
  void show_idle() noexcept;
  [[nodiscard]] bool may_be_quiet() const noexcept;
  void look_at_crew() noexcept;
  void say_idle(bool idle) noexcept;
  void call_watch() noexcept;
  [[nodiscard]] bool waits_behind_others() const noexcept;  // messages for workers that are busy
  void after_hold(unsigned held_in_round) noexcept;
  void call_help(bool holds_are_long) noexcept;
  [[nodiscard]] bool spin() const noexcept;   // true: something came, or the thread is to end
  [[nodiscard]] bool trim_shared() noexcept;  // as trim
  void park();
  static constexpr std::uint64_t first_return = 1 << 16;  // messages: a millisecond or more
  // -- dispatch::idling
  friend struct idling;
  static constexpr unsigned steals_per_search = 3;
  [[nodiscard]] bool steals() const noexcept;
  [[nodiscard]] bool is_patient() const noexcept;  // it has had nothing to do for long
  [[nodiscard]] bool may_deal_out_for(unsigned other, bool patient) const noexcept;
  [[nodiscard]] theft<mailbox::shard> steal(bool patient) { return thief_.steal(counters_, patient); }
  [[nodiscard]] bool victim_is_slow() const noexcept { return thief_.victim_is_slow(); }
  [[nodiscard]] bool all_idle() const noexcept;
  void wake_another() noexcept { thief_.wake_another(); }
  [[nodiscard]] bool bring_home();  // true: a shard came back that has messages
  void before_sleep() noexcept;
  [[nodiscard]] bool anything_came() const noexcept { return anything_eligible(); }
  // If other shards or an office wait for this worker, and another worker sleeps, wakes that one to take some over.
  void call_help_for_shards() noexcept override;
  // -- dispatch::holder
  [[nodiscard]] std::size_t own_shards() const noexcept override { return slots_->size(); }
  [[nodiscard]] mailbox::shard* own_shard(std::size_t i) const noexcept override { return (*slots_)[i].load(); }
  [[nodiscard]] bool stops() const noexcept override;
  [[nodiscard]] bool looks_on() const noexcept override;
  void takes_up() noexcept override;
  void has_run() noexcept override;
  [[nodiscard]] bool parts() noexcept override;
  void pause() const noexcept override;

  using slot_range = shard_table<sync::real, mailbox::shard>::range;

  slot_range* const slots_;
  sync::thread thread_;

  thief thief_;
  home_shards<dispatcher, mailbox::shard> home_shards_;
  std::size_t next_slot_ = 0;
  std::size_t next_glance_ = 0;
  unsigned last_elsewhere_ = 0;  // the worker that got actors of this row last
  help_call help_;
  backoff returns_{first_return};  // between two looks for shards that should come home, in messages
  sync::atomic<bool> asked_to_part_{false};
  bool idle_ = true;                    // as the idle set says it, unless the worker rests
  bool comes_from_idleness_ = false;    // it was idle, and has not run anything since
  backoff watch_for_{prices::long_ns};  // how long it sleeps at most when it keeps watch, in ns
  sync::stopwatch::time_point idle_since_;
  sync::deadline trim_at_;  // none: it has given memory back since it ran messages last
  alignas(64) sync::owned_counter stamp_;
  sync::owned_counter worth_moving_;  // 0 or 1, read by thieves together with the stamp
  sync::owned_counter slow_;          // 0 or 1
  sync::owned_counter handled_;
  sync::owned_counter kept_ns_;
  sync::owned_counter waiting_;
  alignas(64) sync::eventcount<sync::real> wakeups_;
};

}  // namespace tact::dispatch
