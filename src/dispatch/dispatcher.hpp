// The dispatcher of an engine: the communal mailbox, the workers, and who is told that a shard has messages.
#pragma once

#include <cstdint>
#include <functional>
#include <memory>
#include <mutex>
#include <optional>
#include <vector>

#include "dispatch/blocking_thread.hpp"
#include "dispatch/epoch.hpp"
#include "dispatch/idle_set.hpp"
#include "dispatch/shard_reserve.hpp"
#include "dispatch/worker.hpp"
#include "mailbox/depot.hpp"
#include "mailbox/shard.hpp"
#include "sync/eventcount.hpp"

namespace tact::dispatch {

using epochs = epoch_domain<sync::real>;

// How many of each. The shards are numbered in this order: the ordinary ones, those kept for heavy actors, then one for
// each blocking actor that there may be at a time.
struct extent {
  unsigned workers;
  unsigned shards;
  unsigned heavy_shards = 0;
  unsigned blocking_max = 0;
};

class dispatcher {
 public:
  explicit dispatcher(extent size);
  dispatcher(const dispatcher&) = delete;
  dispatcher& operator=(const dispatcher&) = delete;

  // -- from the thread that starts and ends the engine
  void start(std::function<std::unique_ptr<runner>(desk&)> make_runner);
  // Asks all threads to end after the message that each runs now.
  void stop() noexcept;
  // False: the deadline passed, some still run.
  [[nodiscard]] bool wait_stopped(sync::deadline until) noexcept;
  void join() noexcept;

  // -- from any thread
  // Moves a message in from a thread outside; visible at once.
  void post(std::uint32_t shard, const detail::message_type& type, detail::port target, void* payload);
  // The shard for something from outside that may go anywhere: one of a sleeping worker, else round over all.
  [[nodiscard]] std::uint32_t next_shard_outside() noexcept;
  // The same without regard to who sleeps.
  [[nodiscard]] std::uint32_t next_shard_round() noexcept;
  [[nodiscard]] bool stopping() const noexcept;
  [[nodiscard]] unsigned worker_count() const noexcept { return size_.workers; }
  [[nodiscard]] std::uint32_t ordinary_shards() const noexcept { return size_.shards; }
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
  void on_place_free() noexcept { places_.notify(); }

  // -- homes of heavy and blocking actors, from any thread
  // None: all are in use. The thread of a blocking one runs on return. Throws std::system_error when the system gives
  // no thread.
  [[nodiscard]] std::optional<std::uint32_t> take_heavy() { return heavy_.take(); }
  [[nodiscard]] std::optional<std::uint32_t> take_blocking();
  // What becomes of such a home; for all other shards nothing. The creator's run committed, or it did not; the actor
  // has ended, by the thread that holds the shard.
  void home_is_used(std::uint32_t shard) noexcept {
    if (is_blocking(shard)) thread_of(shard)->slot().serve();
  }
  void home_is_unused(std::uint32_t shard) noexcept {
    if (is_blocking(shard)) return thread_of(shard)->slot().give_back();
    if (is_heavy(shard)) heavy_.give(shard);
  }
  void home_is_left(std::uint32_t shard) noexcept {
    if (is_blocking(shard)) return thread_of(shard)->slot().end();
    if (is_heavy(shard)) heavy_.give(shard);
  }
  [[nodiscard]] bool is_blocking(std::uint32_t shard) const noexcept { return shard >= first_blocking(); }
  // For the threads of blocking actors: hands over what no shared word leads to any more.
  void retire_outside(void* object, epochs::finalizer fin, void* context) noexcept;
  // Calls f(const blocking_thread&) for each that there ever was.
  template <class F>
  void for_each_blocking(F f) const;

 private:
  // Somebody must look at this shard: its owner, if it sleeps. REQUIRES: the caller's push or post_mail said so.
  void announce(const mailbox::shard& s) noexcept {
    is_blocking(s.number) ? thread_of(s.number)->wake() : workers_[s.owner]->wake();
  }

  [[nodiscard]] std::uint32_t first_blocking() const noexcept { return size_.shards + size_.heavy_shards; }
  [[nodiscard]] bool is_heavy(std::uint32_t shard) const noexcept {
    return shard >= size_.shards && !is_blocking(shard);
  }
  // Not null for a shard that was ever taken; before that nobody knows an address there.
  [[nodiscard]] blocking_thread* thread_of(std::uint32_t shard) const noexcept {
    return blocking_[shard - first_blocking()].load();
  }
  [[nodiscard]] std::optional<std::uint32_t> take_made() noexcept;
  [[nodiscard]] std::optional<std::uint32_t> make_blocking();
  [[nodiscard]] bool any_ending() const noexcept;
  [[nodiscard]] std::uint32_t threads_started() noexcept;

  const extent size_;
  mailbox::depot depot_;
  epochs epochs_;
  idle_set idle_;
  std::vector<std::unique_ptr<mailbox::shard>> shards_;
  std::vector<std::unique_ptr<worker>> workers_;
  shard_reserve heavy_;
  std::function<std::unique_ptr<runner>(desk&)> make_runner_;
  std::mutex blocking_mutex_;                           // guards the next two
  std::vector<std::unique_ptr<blocking_thread>> made_;  // in order
  std::uint32_t blocking_started_ = 0;
  std::unique_ptr<sync::atomic<blocking_thread*>[]> blocking_;  // those made, for everybody; null from there on
  sync::eventcount<sync::real> places_;                         // notified when one that was ending is free
  std::mutex retiring_mutex_;                                   // the epoch record of retire_outside
  sync::eventcount<sync::real> quiet_event_;
  sync::atomic<bool> stopping_{false};
  sync::atomic<std::uint32_t> ended_workers_{0};
  alignas(64) sync::atomic<std::uint32_t> next_shard_{0};
  sync::atomic<std::uint32_t> next_in_round_{0};
};

template <class F>
void dispatcher::for_each_blocking(F f) const {
  for (unsigned i = 0; i < size_.blocking_max; ++i) {
    const blocking_thread* t = blocking_[i].load();
    if (t == nullptr) return;
    f(*t);
  }
}

}  // namespace tact::dispatch
