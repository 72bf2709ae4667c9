// The dispatcher of an engine: the communal mailbox, the workers, and who is told that a shard has messages.
#pragma once

#include <cstdint>
#include <functional>
#include <memory>
#include <vector>

#include "dispatch/epoch.hpp"
#include "dispatch/idle_set.hpp"
#include "dispatch/searchers.hpp"
#include "dispatch/shard_table.hpp"
#include "dispatch/worker.hpp"
#include "mailbox/depot.hpp"
#include "mailbox/shard.hpp"
#include "sync/eventcount.hpp"
#include "tact/placement.hpp"
#include "tact/stealing.hpp"

namespace tact::dispatch {

using epochs = epoch_domain<sync::real>;

class dispatcher {
 public:
  // One worker for each seat of the plan.
  dispatcher(placement_plan plan, unsigned shards, victim_policy victims);
  dispatcher(const dispatcher&) = delete;
  dispatcher& operator=(const dispatcher&) = delete;

  // -- from the thread that starts and ends the engine
  void start(const std::function<std::unique_ptr<runner>(worker&)>& make_runner);
  // Asks the workers to end after the message that each runs now.
  void stop() noexcept;
  // False: the deadline passed, some still run.
  [[nodiscard]] bool wait_stopped(sync::deadline until) noexcept;
  void join() noexcept;

  // -- from any thread
  // Moves a message in from a thread outside; visible at once.
  void post(std::uint32_t shard, const detail::message_type& type, detail::port target, void* payload);
  // The shard for something from outside that may go anywhere: one of a sleeping worker, else round over all.
  [[nodiscard]] std::uint32_t next_shard_outside() noexcept;
  // One of the shards that this worker looks at now; round over them as `turn` grows.
  [[nodiscard]] std::uint32_t shard_of_worker(unsigned worker, std::uint32_t turn) noexcept;
  // Messages in a shard that no worker has taken yet; exact when nobody sends.
  [[nodiscard]] std::uint64_t depth(std::uint32_t shard) const noexcept;
  // Workers that look for somebody to steal from, now.
  [[nodiscard]] std::uint32_t searchers() const noexcept { return searchers_.count(); }
  [[nodiscard]] bool stopping() const noexcept { return stopping_.load(); }
  [[nodiscard]] idle_set& idle() noexcept { return idle_; }
  // Notified whenever a worker runs out of work; waiters look at the counters again.
  [[nodiscard]] sync::eventcount<sync::real>& quiet_event() noexcept { return quiet_event_; }
  [[nodiscard]] const std::vector<std::unique_ptr<worker>>& workers() const noexcept { return workers_; }
  [[nodiscard]] mailbox::shard& shard_at(std::uint32_t number) noexcept { return *shards_[number]; }
  [[nodiscard]] std::vector<std::unique_ptr<mailbox::shard>>& shards() noexcept { return shards_; }
  [[nodiscard]] const mailbox::depot& spare_chunks() const noexcept { return depot_; }
  [[nodiscard]] mailbox::depot& spare_chunks() noexcept { return depot_; }
  [[nodiscard]] unsigned worker_count() const noexcept { return static_cast<unsigned>(plan_.seats.size()); }
  [[nodiscard]] const placement_plan& plan() const noexcept { return plan_; }

  // -- from workers
  [[nodiscard]] epochs& reclamation() noexcept { return epochs_; }
  // Messages published to a shard; returns how many.
  std::uint64_t publish(std::uint32_t shard, mailbox::copy_queue::chain messages) noexcept;
  // Somebody must look at this shard: its owner, if it sleeps. REQUIRES: the caller's push or post_mail said so, or the
  // caller held it and has left something behind.
  void announce(const mailbox::shard& s) noexcept { workers_[s.owner.load()]->wake(); }
  void on_worker_end() noexcept;
  [[nodiscard]] shard_table<sync::real, mailbox::shard>& table() noexcept { return table_; }
  [[nodiscard]] dispatch::searchers<sync::real>& searching() noexcept { return searchers_; }
  [[nodiscard]] bool steals() const noexcept { return victims_ != nullptr && worker_count() > 1; }
  [[nodiscard]] const victim_policy& victims() const noexcept { return victims_; }
  // A logical clock: thieves advance it, so a busy engine without thieves never writes it.
  // relaxed: hint for the choice of a victim.
  void tick() noexcept { ticks_.fetch_add(1, std::memory_order_relaxed); }
  // relaxed: hint for the choice of a victim.
  [[nodiscard]] std::uint64_t ticks() const noexcept { return ticks_.load(std::memory_order_relaxed); }

 private:
  const placement_plan plan_;
  const victim_policy victims_;
  mailbox::depot depot_;
  epochs epochs_;
  idle_set idle_;
  std::vector<std::unique_ptr<mailbox::shard>> shards_;
  shard_table<sync::real, mailbox::shard> table_;
  dispatch::searchers<sync::real> searchers_;
  std::vector<std::unique_ptr<worker>> workers_;
  sync::eventcount<sync::real> quiet_event_;
  sync::atomic<bool> stopping_{false};
  sync::atomic<std::uint32_t> ended_workers_{0};
  alignas(64) sync::atomic<std::uint64_t> ticks_{0};
  alignas(64) sync::atomic<std::uint32_t> next_shard_{0};
};

}  // namespace tact::dispatch
