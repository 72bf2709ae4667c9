// The dispatcher of an engine: the communal mailbox, the workers, and who is told that a shard has messages.
#pragma once

#include <cstdint>
#include <functional>
#include <memory>
#include <vector>

#include "dispatch/epoch.hpp"
#include "dispatch/idle_set.hpp"
#include "dispatch/worker.hpp"
#include "mailbox/depot.hpp"
#include "mailbox/shard.hpp"
#include "sync/eventcount.hpp"

namespace tact::dispatch {

using epochs = epoch_domain<sync::real>;

class dispatcher {
 public:
  dispatcher(unsigned workers, unsigned shards);
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
  // Moves a message in from a thread outside; visible at once. False: the mailbox is closed.
  [[nodiscard]] bool post(std::uint32_t shard, const detail::message_type& type, detail::port target, void* payload);
  // The same for a message that any worker may run.
  [[nodiscard]] bool post_anywhere(const detail::message_type& type, detail::port target, void* payload);
  // From now on nothing comes in from outside.
  void close() noexcept;
  // Messages that came in from outside.
  [[nodiscard]] std::uint64_t sent_outside() const noexcept;
  // The shard for an actor that is created outside: one of a sleeping worker, else round over all.
  [[nodiscard]] std::uint32_t next_shard_outside() noexcept;
  [[nodiscard]] bool stopping() const noexcept;
  [[nodiscard]] idle_set& idle() noexcept { return idle_; }
  // Notified whenever a worker runs out of work; waiters look at the counters again.
  [[nodiscard]] sync::eventcount<sync::real>& quiet_event() noexcept { return quiet_event_; }
  [[nodiscard]] const std::vector<std::unique_ptr<worker>>& workers() const noexcept { return workers_; }
  [[nodiscard]] std::vector<std::unique_ptr<mailbox::shard>>& shards() noexcept { return shards_; }
  [[nodiscard]] const mailbox::depot& spare_chunks() const noexcept { return depot_; }
  [[nodiscard]] mailbox::depot& spare_chunks() noexcept { return depot_; }
  [[nodiscard]] epochs& reclamation() noexcept { return epochs_; }
  // Messages published to a shard by a worker.
  void publish(std::uint32_t shard, mailbox::copy_queue::chain messages) noexcept;
  void on_worker_end() noexcept;

 private:
  [[nodiscard]] mailbox::inbox::receipt put(mailbox::shard& s, const detail::message_type& type, detail::port target,
                                            void* payload);
  // Would a message for this shard wait while another worker has nothing to do?
  [[nodiscard]] bool is_overtaken(const mailbox::shard& s, std::uint64_t behind_ns) const noexcept;
  // Somebody must look at this shard: its owner, if it sleeps. REQUIRES: the caller's push or post_mail said so.
  void announce(const mailbox::shard& s) noexcept { workers_[s.owner]->wake(); }

  mailbox::depot depot_;
  epochs epochs_;
  idle_set idle_;
  std::vector<std::unique_ptr<mailbox::shard>> shards_;
  std::vector<std::unique_ptr<worker>> workers_;
  sync::eventcount<sync::real> quiet_event_;
  sync::atomic<bool> stopping_{false};
  sync::atomic<std::uint32_t> ended_workers_{0};
  alignas(64) sync::atomic<std::uint32_t> next_shard_{0};
};

}  // namespace tact::dispatch
