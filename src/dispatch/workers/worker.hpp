// A worker: one thread that holds one shard after the other, runs their messages, and sleeps when there are none.
#pragma once

#include <cstdint>
#include <memory>
#include <optional>
#include <string>
#include <vector>

#include "dispatch/exchange/worker_status.hpp"
#include "dispatch/holding/worker_holder.hpp"
#include "dispatch/policy/backoff.hpp"
#include "dispatch/policy/help_call.hpp"
#include "dispatch/policy/prices.hpp"
#include "dispatch/workers/crew.hpp"
#include "dispatch/workers/home_finder.hpp"
#include "dispatch/workers/home_shards.hpp"
#include "dispatch/workers/idleness.hpp"
#include "dispatch/workers/idling.hpp"
#include "dispatch/workers/thief.hpp"
#include "mailbox/shard.hpp"
#include "sync/eventcount.hpp"
#include "sync/thread.hpp"

namespace tact::dispatch {

// Invariants: those of a holder; and a worker parks only after it has announced that, and has then found nothing
// eligible among its offices and shards. Protocol page: docs/protocols/idling.md.
class worker final : public holder<worker_context> {
 public:
  // `is_driven`: it has no thread of its own, and threads that pump drive it.
  worker(dispatch::exchange& between, dispatch::crew& crew, unsigned index, bool is_driven);

  // -- from the workforce. A worker may be started again after it has ended.
  void start();  // throws std::system_error when the system gives no thread
  // The worker ends after the message that it runs now. The caller moves the shards that it leaves behind.
  void tell_to_go() noexcept;
  void wait_for_end() noexcept { thread_.join(); }

  // -- from the thread that drives a worker without a thread of its own: dispatch/visitors/pump.hpp
  // Runs until the limit is reached or nothing is left, at most so many rounds; then publishes all that was sent and
  // counted. Returns how many messages were handled.
  std::uint64_t drive(const drive_limit& most, unsigned rounds) noexcept;
  [[nodiscard]] bool trim() noexcept;  // true: there is more to give back
  void count_park() noexcept {
    counters_.parks.add(1);
    runner_->note(dispatch::runner::deed::parked);
  }
  void count_wake() noexcept {
    counters_.wakes.add(1);
    runner_->note(dispatch::runner::deed::woke);
  }
  // Any thread may call it.
  [[nodiscard]] bool anything_eligible() const noexcept override { return exchange_.anything_eligible(index_); }

  // -- dispatch::worker_context
  [[nodiscard]] bool has_mail() noexcept override;

 private:
  [[nodiscard]] std::size_t find_homes(std::span<std::uint32_t> homes) noexcept override {
    const auto found = homes_.find(homes, held_);
    set_cycle(found.cycle);
    return found.homes;
  }
  [[nodiscard]] std::size_t find_homes_elsewhere(std::span<std::uint32_t> homes, bool is_first) noexcept override {
    return homes_.find_elsewhere(homes, is_first);
  }
  void loop() noexcept;
  [[nodiscard]] bool is_over() const noexcept;  // the thread is to end
  void look_at_crew() noexcept;
  void say_idle() noexcept;
  void say_busy() noexcept;
  void after_hold(unsigned held_in_round) noexcept;
  // `lasting`: the hold that goes on has lasted for so long that what waits should not wait for its end.
  enum class holds : bool { brief, lasting };
  void call_help(holds known) noexcept;
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
  [[nodiscard]] theft<mailbox::shard> steal(bool patient) {
    const auto found = thief_.steal(counters_, patient);
    if (found.outcome == theft_outcome::stolen) runner_->note(dispatch::runner::deed::stole);
    return found;
  }
  [[nodiscard]] bool victim_is_slow() const noexcept { return thief_.victim_is_slow(); }
  void wake_another() noexcept { thief_.wake_another(); }
  [[nodiscard]] bool bring_home();  // true: a shard came back that has messages
  void before_sleep() noexcept;
  [[nodiscard]] bool anything_came() const noexcept { return anything_eligible(); }
  [[nodiscard]] sync::eventcount<sync::real>& wakeups() noexcept { return status_.wakeups(); }
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

  worker_status& status_;
  dispatch::crew& crew_;
  const bool is_driven_;
  slot_range* const slots_;
  sync::thread thread_;

  idleness idleness_;
  thief thief_;
  home_shards<dispatch::exchange, mailbox::shard> home_shards_;
  home_finder homes_;
  std::size_t next_glance_ = 0;
  help_call help_;
  backoff returns_{first_return};       // between two looks for shards that should come home, in messages
  backoff watch_for_{prices::long_ns};  // how long it sleeps at most when it keeps watch, in ns
  sync::deadline trim_at_;              // none: it has given memory back since it ran messages last
};

}  // namespace tact::dispatch
