// The dispatcher of an engine: it owns the communal mailbox and the workers, and tells a worker that a shard has
// messages.
#pragma once

#include <cstdint>
#include <functional>
#include <memory>
#include <mutex>
#include <optional>
#include <vector>

#include "dispatch/blocking_thread.hpp"
#include "dispatch/epoch.hpp"
#include "dispatch/helper.hpp"
#include "dispatch/idle_set.hpp"
#include "dispatch/lobby.hpp"
#include "dispatch/presence.hpp"
#include "dispatch/publish.hpp"
#include "dispatch/pump.hpp"
#include "dispatch/searchers.hpp"
#include "dispatch/shard_reserve.hpp"
#include "dispatch/shard_table.hpp"
#include "dispatch/worker.hpp"
#include "dispatch/workforce.hpp"
#include "mailbox/depot.hpp"
#include "mailbox/office.hpp"
#include "mailbox/shard.hpp"
#include "sync/eventcount.hpp"
#include "tact/placement.hpp"
#include "tact/stealing.hpp"

namespace tact::dispatch {

using epochs = epoch_domain<sync::real>;

// How many shards of each kind, and how many places for helpers. Shards are numbered in this order: the ordinary ones,
// those kept for heavy actors, then one for each blocking actor that there may be at a time.
struct extent {
  unsigned shards;
  unsigned heavy_shards = 0;
  unsigned blocking_max = 0;
  unsigned helpers_max = 0;
};

// Invariants: (1) when a shard or an office becomes eligible, it is announced to the worker that looks at it, or a
// worker that is awake looks at it: so no message waits while all workers sleep; (2) after stop no thread is started,
// so the number of threads that must end is known. Thread safety: as each section says. Protocol pages:
// docs/protocols/idling.md, docs/protocols/office.md, docs/protocols/blocking.md.
class dispatcher {
 public:
  // Makes one worker for each seat of the plan; a plan without seats makes one worker that has no thread of its own.
  // The first `running` workers run at first, all of them if that is 0. REQUIRES: there is an ordinary shard for each
  // worker.
  dispatcher(placement_plan plan, extent size, victim_policy victims, unsigned running = 0);
  dispatcher(const dispatcher&) = delete;
  dispatcher& operator=(const dispatcher&) = delete;

  // -- from the thread that starts and ends the engine
  // `wake`: see pump; an engine with worker threads does not use it.
  void start(std::function<std::unique_ptr<runner>(desk&)> make_runner, std::function<void()> wake = {});
  // Asks all threads to end after the message that each runs now.
  void stop() noexcept;
  // False: the deadline has passed, and some threads still run.
  [[nodiscard]] bool wait_stopped(sync::deadline until) noexcept;
  void join() noexcept;
  // As wait_stopped, for a thread of the engine itself: it waits for all the others.
  void wait_for_others(sync::deadline until) noexcept;

  // -- in a process that was forked from the one in which the dispatcher lives
  // Only the calling thread was copied into this process; it may be a thread of the dispatcher. The dispatcher stops,
  // and takes no message from outside.
  void leave_behind() noexcept;
  [[nodiscard]] bool is_left_behind() const noexcept { return left_behind_.load(); }
  // Ends the process if leave_behind was called in it. `what`: what the caller is doing, for the report.
  void look_whether_left_behind(const char* what) const noexcept;

  // -- for the workforce
  // Starts the thread of this worker. False: the dispatcher stops. Throws std::system_error when the system gives no
  // thread.
  [[nodiscard]] bool start_worker(unsigned index);

  // -- from any thread that is not a worker's
  // See workforce::change.
  [[nodiscard]] bool change_workers(unsigned wanted) { return workforce_.change(wanted); }

  // -- from a thread outside
  // Runs messages that wait, until `reached()`, the dispatcher stops, or nothing waits. Does nothing when all places
  // for helpers are taken.
  template <class Reached>
  void help(Reached reached) noexcept;

  // -- from any thread
  // Puts a message from a thread outside into the shard; the message is visible at once. False: the mailbox is closed.
  [[nodiscard]] bool post(std::uint32_t shard, const detail::message_type& type, detail::port target, void* payload,
                          mailbox::parcel* with_context = nullptr);
  // As post, for a message that any worker may run.
  [[nodiscard]] bool post_anywhere(const detail::message_type& type, detail::port target, void* payload,
                                   mailbox::parcel* with_context = nullptr);
  // From now on no message comes in from outside.
  void close() noexcept;
  // The number of messages that came in from outside.
  [[nodiscard]] std::uint64_t sent_outside() const noexcept;
  // The shard for an actor that is created outside, or for a message that any worker may run: a shard of an idle
  // worker; else the next ordinary shard that no thread holds, going round.
  [[nodiscard]] std::uint32_t next_shard_outside() noexcept;
  // The next ordinary shard, going round over all, whichever workers sleep.
  [[nodiscard]] std::uint32_t next_shard_round() noexcept;
  // One of the ordinary shards that this worker looks at now: the next one each time that `turn` grows by one.
  [[nodiscard]] std::uint32_t shard_of_worker(unsigned worker, std::uint32_t turn) noexcept;
  // The number of messages in a shard that no holder has taken yet; exact while no thread sends.
  [[nodiscard]] std::uint64_t depth(std::uint32_t shard) const noexcept;
  // The number of workers that search for a victim now.
  [[nodiscard]] std::uint32_t searchers() const noexcept { return searchers_.count(); }
  [[nodiscard]] bool stopping() const noexcept { return stopping_.load(); }
  [[nodiscard]] idle_set& idle() noexcept { return idle_; }
  // Notified whenever a worker runs out of work; then threads that wait for quiet look at the counters again.
  [[nodiscard]] sync::eventcount<sync::real>& quiet_event() noexcept { return quiet_event_; }
  [[nodiscard]] const std::vector<std::unique_ptr<worker>>& workers() const noexcept { return workers_; }
  [[nodiscard]] const std::vector<std::unique_ptr<helper>>& helpers() const noexcept { return helpers_; }
  [[nodiscard]] mailbox::shard& shard_at(std::uint32_t number) noexcept { return *shards_[number]; }
  [[nodiscard]] const std::vector<std::unique_ptr<mailbox::shard>>& shards() const noexcept { return shards_; }
  [[nodiscard]] const mailbox::depot& spare_chunks() const noexcept { return depot_; }
  [[nodiscard]] mailbox::depot& spare_chunks() noexcept { return depot_; }
  [[nodiscard]] std::uint32_t ordinary_shards() const noexcept { return size_.shards; }
  [[nodiscard]] bool is_ordinary(std::uint32_t shard) const noexcept { return shard < size_.shards; }
  [[nodiscard]] bool is_blocking(std::uint32_t shard) const noexcept { return shard >= first_blocking_; }
  // An actor that is created in this shard runs nothing before its creator has committed.
  [[nodiscard]] bool waits_for_commit(std::uint32_t shard) const noexcept {
    return is_blocking(shard) && !is_of_loop(shard);
  }
  // Is this shard the place of a loop? REQUIRES: is_blocking.
  [[nodiscard]] bool is_of_loop(std::uint32_t shard) const noexcept { return thread_of(shard)->is_of_loop(); }
  // The number of the outbox into which a worker puts what it sends to this shard: that of the shard's office; or, for
  // a shard that is kept for one actor, its own. The numbers of offices follow those of all shards; there is one office
  // for each worker that there may be.
  [[nodiscard]] std::uint32_t outbox_for(std::uint32_t shard) const noexcept { return outbox_for_[shard]; }
  [[nodiscard]] std::uint32_t outboxes() const noexcept {
    return static_cast<std::uint32_t>(shards_.size() + offices_.size());
  }
  [[nodiscard]] bool is_office(std::uint32_t outbox) const noexcept { return outbox >= shards_.size(); }
  [[nodiscard]] mailbox::office& office_at(std::uint32_t index) noexcept { return *offices_[index]; }
  [[nodiscard]] const std::vector<std::unique_ptr<mailbox::office>>& offices() const noexcept { return offices_; }
  [[nodiscard]] mailbox::office& office_of_outbox(std::uint32_t outbox) noexcept {
    return *offices_[outbox - shards_.size()];
  }
  // The outbox of the first office that this worker looks at.
  [[nodiscard]] std::uint32_t outbox_to_worker(unsigned worker) const noexcept {
    return static_cast<std::uint32_t>(shards_.size() + worker);
  }
  // The worker that looks at an office, and is told of messages there.
  [[nodiscard]] unsigned owner_of_office(std::uint32_t index) const noexcept { return index % running(); }
  // Does an office at which this worker looks have messages that no thread deals out? Exact for a worker that is about
  // to park.
  [[nodiscard]] bool any_office_eligible(unsigned worker) const noexcept {
    for (std::size_t o = worker; o < offices_.size(); o += running()) {
      if (offices_[o]->word.eligible()) return true;
    }
    return false;
  }
  // The number of workers that there may be, and of those that run now, which are the first ones.
  [[nodiscard]] unsigned worker_count() const noexcept { return static_cast<unsigned>(plan_.seats.size()); }
  [[nodiscard]] unsigned running() const noexcept { return workforce_.running(); }
  // Only one worker takes shards: no other worker runs, and no thread helps.
  [[nodiscard]] bool has_one_runner() const noexcept { return running() <= 1 && !helping_.anybody(); }
  [[nodiscard]] bool all_idle() const noexcept { return idle_.count() >= running(); }
  [[nodiscard]] const placement_plan& plan() const noexcept { return plan_; }
  // The pump that drives the worker of an engine without worker threads; null: the workers have threads.
  [[nodiscard]] dispatch::pump* pump() const noexcept { return pump_.get(); }

  // -- from workers
  [[nodiscard]] epochs& reclamation() noexcept { return epochs_; }
  [[nodiscard]] const epochs& reclamation() const noexcept { return epochs_; }
  // Pushes these messages to the word of the outbox's office or shard.
  published publish(std::uint32_t outbox, mailbox::copy_queue::chain messages) noexcept;
  void announce_outbox(std::uint32_t outbox) noexcept {
    is_office(outbox) ? announce(office_of_outbox(outbox)) : announce(*shards_[outbox]);
  }
  // Makes sure that this shard is looked at: wakes its owner, if that sleeps. REQUIRES: the caller's push or post_mail
  // returned true, or the caller held the shard and has left messages behind.
  void announce(const mailbox::shard& s) noexcept {
    if (is_blocking(s.number)) return thread_of(s.number)->wake();
    if (pump_ != nullptr) return pump_->announce();
    const std::uint32_t owner = s.owner.load();
    workers_[owner]->wake();
    if (idle_.any()) see_to_it(owner);
  }
  void announce(const mailbox::office& o) noexcept {
    if (pump_ != nullptr) return pump_->announce();
    const unsigned owner = owner_of_office(o.index);
    workers_[owner]->wake();
    if (idle_.any()) see_to_it(owner);
  }
  // Called when the number of workers that run has changed: the worker that looks at an office from now on may not have
  // been told of messages there.
  void announce_offices() noexcept {
    for (const auto& o : offices_) {
      if (o->word.eligible()) announce(*o);
    }
  }
  // Has this worker nothing to do? A hint.
  [[nodiscard]] bool is_idle(unsigned worker) const noexcept {
    return workers_[worker]->stamp() == steal_view::no_stamp;
  }
  // Has this worker something to do, and has it taken up no shard since a thief last tried to steal? A hint.
  [[nodiscard]] bool is_behind(unsigned worker) const noexcept {
    const std::uint64_t stamp = workers_[worker]->stamp();
    return stamp != steal_view::no_stamp && stamp < ticks();
  }
  void on_worker_end() noexcept;
  // Adds what these outboxes count as published to the shards' own counts, and gives the outboxes' memory back to the
  // system.
  void settle(mailbox::outbox_set& outboxes) noexcept;
  // Gives back the memory of all places for helpers that no thread has taken.
  void trim_helpers() noexcept;
  [[nodiscard]] shard_table<sync::real, mailbox::shard>& table() noexcept { return table_; }
  [[nodiscard]] dispatch::searchers<sync::real>& searching() noexcept { return searchers_; }
  // While some workers are busy, one idle worker keeps watch: it sleeps for some milliseconds at most, then looks for
  // shards that wait behind a long handler. A busy worker cannot do this, because it does not look up while a handler
  // runs.
  [[nodiscard]] bool has_watch() const noexcept { return watch_.load(); }
  [[nodiscard]] bool take_watch() noexcept {
    return steals() && !all_idle() && !watch_.load() && !watch_.exchange(true);
  }
  void leave_watch() noexcept { watch_.store(false); }
  [[nodiscard]] bool steals() const noexcept { return victims_ != nullptr && running() > 1; }
  [[nodiscard]] const victim_policy& victims() const noexcept { return victims_; }
  // A logical clock: thieves advance it, so a busy engine without thieves never writes it.
  // relaxed: hint for the choice of a victim.
  void tick() noexcept { ticks_.fetch_add(1, std::memory_order_relaxed); }
  // relaxed: hint for the choice of a victim.
  [[nodiscard]] std::uint64_t ticks() const noexcept { return ticks_.load(std::memory_order_relaxed); }

  // -- homes of heavy and blocking actors, from any thread
  // Take a home. None: all are in use. When take_blocking returns, the thread of the blocking actor runs. Throws
  // std::system_error when the system gives no thread.
  [[nodiscard]] std::optional<std::uint32_t> take_heavy() { return heavy_.take(); }
  [[nodiscard]] std::optional<std::uint32_t> take_blocking();
  // Say what becomes of such a home; for other shards they do nothing. The creator's run has committed (home_is_used),
  // or will not commit (home_is_unused); the actor has ended (home_is_left), which the thread that holds the shard
  // says.
  void home_is_used(std::uint32_t shard) noexcept {
    if (waits_for_commit(shard)) thread_of(shard)->slot().serve();
  }
  void home_is_unused(std::uint32_t shard) noexcept {
    if (is_ordinary(shard) || (is_blocking(shard) && is_of_loop(shard))) return;
    is_blocking(shard) ? thread_of(shard)->slot().give_back() : heavy_.give(shard);
  }
  void home_is_left(std::uint32_t shard) noexcept {
    if (!is_ordinary(shard)) [[unlikely]]
      give_home_back(shard);
  }
  void on_place_free() noexcept { places_.notify(); }

  // -- places of actors that live on the thread of an event loop: docs/protocols/loop.md
  // None: all places are in use.
  [[nodiscard]] std::optional<std::uint32_t> open_loop(std::function<void()> call);
  [[nodiscard]] blocking_thread& loop_at(std::uint32_t place) noexcept { return *thread_of(place); }
  // Starts a thread that buries messages which still come. If the system gives no thread, those messages wait for the
  // end of the engine; nothing is thrown.
  void close_loop(std::uint32_t place) noexcept;
  // The thread of a loop begins to run messages, and the end of the engine waits until it leaves. False: the engine has
  // ended.
  [[nodiscard]] bool enter_from_loop() noexcept {
    return in_loops_.enter([this] { return stopping(); });
  }
  void leave_from_loop() noexcept {
    in_loops_.leave();
    quiet_event_.notify();
  }
  // For the threads of blocking actors: retires an object to which no shared word leads any more.
  void retire_outside(void* object, epochs::finalizer fin, void* context) noexcept;
  // Calls f(const blocking_thread&) for each blocking_thread made so far.
  template <class F>
  void for_each_blocking(F f) const;

 private:
  // A shard or an office of this worker has messages, and the worker may be busy for long: if no worker keeps watch,
  // this wakes an idle one, which then looks for such shards and keeps watch.
  void see_to_it(std::uint32_t owner) noexcept;
  [[nodiscard]] mailbox::inbox::receipt put(mailbox::shard& s, const detail::message_type& type, detail::port target,
                                            void* payload, mailbox::parcel* with_context);
  // Would a message for this shard wait while another worker has nothing to do?
  [[nodiscard]] bool is_overtaken(const mailbox::shard& s, std::uint64_t behind_ns) const noexcept;

  void make_offices();
  void give_home_back(std::uint32_t shard) noexcept;
  // Not null for a shard that was taken at any time; before that no thread knows the address of an actor there.
  [[nodiscard]] blocking_thread* thread_of(std::uint32_t shard) const noexcept {
    return blocking_[shard - first_blocking_].load();
  }
  [[nodiscard]] std::optional<std::uint32_t> take_made() noexcept;
  [[nodiscard]] std::optional<std::uint32_t> make_blocking();
  // Makes a place without starting its thread. Null: all places that there may be are made. REQUIRES: the caller has
  // locked threads_mutex_, also for the next two.
  [[nodiscard]] std::unique_ptr<blocking_thread> new_place(std::function<void()> call_loop);
  void start_place(blocking_thread& made);
  std::uint32_t add_place(std::unique_ptr<blocking_thread> made) noexcept;
  [[nodiscard]] bool any_ending() const noexcept;
  [[nodiscard]] std::uint32_t threads_started() noexcept;
  [[nodiscard]] bool has_stopped(std::uint32_t threads) const noexcept;

  const bool is_pumped_;  // the one worker has no thread of its own
  const placement_plan plan_;
  const extent size_;
  const std::uint32_t first_blocking_;
  const victim_policy victims_;
  mailbox::depot depot_;
  epochs epochs_;
  idle_set idle_;
  std::vector<std::unique_ptr<mailbox::shard>> shards_;
  std::vector<std::unique_ptr<mailbox::office>> offices_;
  std::vector<std::uint32_t> outbox_for_;  // by shard
  shard_table<sync::real, mailbox::shard> table_;
  dispatch::searchers<sync::real> searchers_;
  std::vector<std::unique_ptr<worker>> workers_;
  std::vector<std::unique_ptr<helper>> helpers_;
  presence<sync::real> helping_;
  presence<sync::real> in_loops_;
  shard_reserve heavy_;
  std::function<std::unique_ptr<runner>(desk&)> make_runner_;
  sync::mutex threads_mutex_;                                   // guards the next two
  std::vector<std::unique_ptr<blocking_thread>> made_;          // in the order of their places
  std::uint32_t threads_started_ = 0;                           // since the engine began
  std::unique_ptr<sync::atomic<blocking_thread*>[]> blocking_;  // those of made_, for any thread; null behind them
  sync::eventcount<sync::real> places_;                         // notified when a place that was ending is free
  sync::mutex retiring_mutex_;                                  // guards the epoch record of retire_outside
  mutable sync::mutex settling_mutex_;                          // guards `settled` of each shard
  sync::eventcount<sync::real> quiet_event_;
  sync::atomic<bool> stopping_{false};
  sync::atomic<bool> left_behind_{false};
  sync::atomic<bool> watch_{false};
  sync::atomic<std::uint32_t> threads_ended_{0};  // of threads_started_
  alignas(64) sync::atomic<std::uint64_t> ticks_{0};
  alignas(64) sync::atomic<std::uint32_t> next_shard_{0};
  sync::atomic<std::uint32_t> next_in_round_{0};
  // The members below end first: each waits in its destructor until no thread is inside it any more.
  dispatch::workforce workforce_;
  std::unique_ptr<dispatch::pump> pump_;
  lobby lobby_;  // for threads that help
};

template <class Reached>
void dispatcher::help(Reached reached) noexcept {
  const lobby::guest inside(lobby_);
  for (const auto& h : helpers_) {
    if (!h->try_enter()) continue;
    const bool is_in = helping_.enter([this] { return stopping(); });
    if (is_in) h->work(reached);
    h->leave();
    if (is_in) helping_.leave();
    quiet_event_.notify();  // the thread that ends the engine waits there, as do those that wait for quiet
    return;
  }
}

template <class F>
void dispatcher::for_each_blocking(F f) const {
  for (unsigned i = 0; i < size_.blocking_max; ++i) {
    const blocking_thread* t = blocking_[i].load();
    if (t == nullptr) return;
    f(*t);
  }
}

}  // namespace tact::dispatch
