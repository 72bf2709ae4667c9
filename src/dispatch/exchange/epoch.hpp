// Memory that other workers may still be reading: it is retired now, and freed when every worker has moved on.
#pragma once

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <limits>
#include <mutex>
#include <utility>
#include <vector>

#include "base/block_queue.hpp"
#include "base/reserve.hpp"
#include "dispatch/exchange/hazard_slot.hpp"
#include "sync/policy.hpp"

namespace tact::dispatch {

// A worker is online while it may hold addresses read from shared words, and announces a quiescent state whenever it
// holds none. Dispatching costs nothing; an announcement costs one load while the epoch stands still.
//
// Thread safety: online, offline, quiesce, retire and hasten with index i only by worker i. retired_count by any
// thread.
//
// Invariants
// 1. An object is unlinked before it is retired, and retired before its batch is sealed. A batch sealed with tag t is
//    freed only when every worker's record was seen, after the sealing, to show an epoch >= t or to be offline.
// 2. A record that shows t was written after its worker had seen epoch t, so after the unlinking, at a moment when the
//    worker held no address.
// 3. A worker seen offline was told of everything unlinked so far: the collector and the worker that comes back meet in
//    read-modify-writes of the record.
// 4. When all workers are offline, nothing is retired: the last worker to go offline has freed what was left.
// 5. A worker that stands in a handler holds what its hazard_slot shows and nothing else. So as soon as others have
//    retired much, a long handler keeps only that from being freed.
// 6. online_ counts each worker from before it reads its first shared word until after it has used its last. What the
//    only one that is counted has unlinked, no other worker has or finds.
// Protocol page: docs/protocols/epochs.md.
template <class Sync>
class epoch_domain {
 public:
  using finalizer = void (*)(void* object, void* context);  // it may retire objects, but must not announce

  static std::size_t usual_threshold(unsigned workers) noexcept { return std::max<std::size_t>(256, 64 * workers); }

  // The usual collect_interval. To look for batches takes about two lines of memory for each worker, so it is done the
  // more seldom the more workers there are.
  static unsigned usual_interval(unsigned workers) noexcept { return std::max(16U, 4 * workers); }

  // All workers begin offline. `threshold` objects make a batch; one of `collect_interval` announcements looks for
  // batches to free. When `patience` more batches wait than after its last such look, a worker looks into the hands of
  // all: that takes a full barrier for all threads, a few microseconds.
  epoch_domain(unsigned workers, std::size_t threshold, unsigned collect_interval = 16, std::size_t patience = 16)
      : threshold_(threshold), collect_interval_(collect_interval), patience_(patience), workers_(workers) {}
  explicit epoch_domain(unsigned workers) : epoch_domain(workers, usual_threshold(workers), usual_interval(workers)) {}
  ~epoch_domain() { drain_all(); }
  epoch_domain(const epoch_domain&) = delete;
  epoch_domain& operator=(const epoch_domain&) = delete;

  // What worker i shows while it runs a handler. REQUIRES: called before it is online for the first time.
  void set_hazard_slot(unsigned i, const hazard_slot<Sync>& g) noexcept { workers_[i].held = &g; }

  // REQUIRES: called before worker i reads a shared word.
  void online(unsigned i) noexcept {
    worker& w = workers_[i];
    if (!Sync::planted(sync::fault::online_counted_late)) count_online(w);
    w.seen = global_epoch();
    if (Sync::planted(sync::fault::online_not_fenced)) return announce(w);
    // acquire: observes what was unlinked before a collector found this record offline.  pairs: epoch.offline_seen
    // release: a collector that reads this epoch knows the worker was offline until now.  pairs: epoch.announce
    w.epoch.exchange(w.seen, std::memory_order_acq_rel);
  }

  // Worker i holds no address. Seals what it retired and frees what it can; the last worker to go offline frees
  // everything.
  void offline(unsigned i) noexcept {
    worker& w = workers_[i];
    if (!w.current.empty()) seal(w, std::unique_lock(w.mutex));
    const bool seen_too_early = Sync::planted(sync::fault::online_seen_too_early) && another_is_online(w);
    // seq_cst: of two workers that go offline at once, one sees the other's record offline; and a worker that sees this
    // record offline sees the batch sealed above. release: as in announce.  pairs: epoch.announce
    w.epoch.exchange(offline_epoch, std::memory_order_seq_cst);
    // release: this worker's uses of what it read are over.  pairs: epoch.online_count
    if (std::exchange(w.is_counted, false)) online_.fetch_sub(1, std::memory_order_release);
    w.left_waiting = 0;  // the worker may be away for long
    while (sealed_batches_.load(std::memory_order_seq_cst) != 0 && !seen_too_early && !another_is_online(w)) {
      collect<std::unique_lock<mutex>>(w);
      if (w.current.empty()) return;
      seal(w, std::unique_lock(w.mutex));  // a finalizer has retired objects
    }
  }

  // Worker i holds no address read before this call.
  void quiesce(unsigned i) noexcept {
    worker& w = workers_[i];
    if (Sync::planted(sync::fault::online_counted_late)) count_online(w);
    const std::uint64_t now = global_epoch();
    if (now != w.seen) {
      w.seen = now;
      announce(w);
    }
    const bool full = w.current.size() >= threshold_ || w.hasten;
    if (full) seal(w, std::unique_lock(w.mutex, std::try_to_lock));
    if (!full && ++w.announcements % collect_interval_ != 0) return;
    // relaxed: hint; what is missed now is found by a later announcement.
    if (sealed_batches_.load(std::memory_order_relaxed) != 0) collect<try_lock>(w);
  }

  // A hint, without a read-modify-write.
  [[nodiscard]] bool may_be_only_one_online() const noexcept {
    // relaxed: hint; is_only_one_online looks again.
    return online_.load(std::memory_order_relaxed) == 1;
  }
  // No other worker is online: none holds an address, and one that comes online later finds nothing of what was
  // unlinked before this call. So that may be freed at once. REQUIRES: the caller is a worker that is online.
  [[nodiscard]] bool is_only_one_online() noexcept {
    if (!may_be_only_one_online()) return false;
    // acquire: the uses of those that have gone offline are over. release: tells a worker that comes online what was
    // unlinked.  pairs: epoch.online_count
    return online_.fetch_add(0, std::memory_order_acq_rel) == 1;
  }

  // Hands over an object that no shared word leads to any more.
  void retire(unsigned i, void* object, finalizer fin, void* context) noexcept {
    const base::may_use_reserve sure;
    worker& w = workers_[i];
    w.current.push_back({object, fin, context});
    bump(w.retired);
  }

  // Has what worker i has retired so far sealed at its next announcement, however few objects these are.
  void hasten(unsigned i) noexcept { workers_[i].hasten = true; }

  // The number of objects retired and not yet freed; exact when no worker runs.
  [[nodiscard]] std::size_t retired_count() const noexcept {
    std::uint64_t freed = 0, retired = 0;
    for (const worker& w : workers_) freed += w.freed.load(std::memory_order_relaxed);  // counter: for people and tests
    for (const worker& w : workers_) retired += w.retired.load(std::memory_order_relaxed);  // counter: as above
    return static_cast<std::size_t>(retired - std::min(freed, retired));
  }

  // Frees everything. REQUIRES: no worker runs.
  void drain_all() noexcept {
    for (bool found = true; found;) {
      found = false;
      for (worker& w : workers_) {
        if (!w.current.empty()) seal(w, std::unique_lock(w.mutex));
        if (w.sealed.first == nullptr) continue;
        found = true;
        free_up_to(w, w, offline_epoch, {});
      }
    }
  }

 private:
  using mutex = typename Sync::mutex;
  using epoch_word = typename Sync::template atomic<std::uint64_t>;
  using counter = sync::real::atomic<std::uint64_t>;

  struct retired_object {
    void* object;
    finalizer fin;
    void* context;
  };
  using objects = base::block_queue<retired_object>;
  using held_objects = std::vector<const void*>;
  struct batch {
    batch* next;
    std::uint64_t tag;
    objects list;

    static batch& make(std::uint64_t tag, objects&& list) noexcept {
      const base::may_use_reserve sure;
      return *::new (base::allocate_pooled(its_class())) batch{nullptr, tag, std::move(list)};
    }
    static void end(batch& b) noexcept {
      b.~batch();
      base::free_pooled(&b, its_class());
    }

   private:
    static constexpr detail::block_class its_class() noexcept { return detail::class_of_block(sizeof(batch)); }
  };
  // A list of batches, oldest first.
  struct batches {
    batch* first = nullptr;
    batch* last = nullptr;
    std::size_t count = 0;

    void add(batch& b) noexcept {
      (last == nullptr ? first : last->next) = &b;
      last = &b;
      ++count;
    }
    // Returns how many were erased.
    template <class F>
    std::size_t erase_if(F is_done) noexcept {
      batches left;
      for (batch* next = first; next != nullptr;) {
        batch& b = *std::exchange(next, next->next);
        b.next = nullptr;
        is_done(b) ? batch::end(b) : left.add(b);
      }
      const std::size_t erased = count - left.count;
      *this = left;
      return erased;
    }
  };

  // This value is above every epoch, so that a minimum skips it.
  static constexpr std::uint64_t offline_epoch = std::numeric_limits<std::uint64_t>::max();

  struct alignas(128) worker {
    // offline_epoch, or the last epoch this worker announced. Written by the worker; collectors add 0.
    epoch_word epoch{offline_epoch};
    // Only the worker touches the next ones; but other threads read `retired`, `freed` and `held`, which is set before
    // the worker is online for the first time.
    std::uint64_t seen = 0;
    unsigned announcements = 0;
    bool hasten = false;
    bool is_counted = false;      // in online_
    std::size_t seen_online = 0;  // a worker that was online when this one went offline last
    objects current;
    counter retired{0};
    counter freed{0};
    const hazard_slot<Sync>* held = nullptr;
    std::size_t left_waiting = 0;  // own batches, after it looked into all hands last
    held_objects in_hands;         // what all workers held, when it looked last
    // The members below are guarded by the mutex, because other workers free for a worker that is offline.
    mutable typename Sync::mutex mutex;
    batches sealed;
  };

  struct try_lock : std::unique_lock<mutex> {
    explicit try_lock(mutex& m) : std::unique_lock<mutex>(m, std::try_to_lock) {}
  };

  std::uint64_t global_epoch() const noexcept {
    // acquire: observes what was unlinked before the batches up to this epoch were sealed.  pairs: epoch.seal
    return epoch_.load(std::memory_order_acquire);
  }

  void count_online(worker& w) noexcept {
    if (std::exchange(w.is_counted, true)) return;
    // acquire: observes what was unlinked before another worker found itself alone. release: the next one to count
    // reads from here, and observes that too.  pairs: epoch.online_count
    online_.fetch_add(1, std::memory_order_acq_rel);
  }

  void announce(worker& w) noexcept {
    // release: this worker's uses of what it read before are over.  pairs: epoch.announce
    w.epoch.store(w.seen, std::memory_order_release);
  }

  static void bump(counter& c) noexcept {
    c.store(c.load(std::memory_order_relaxed) + 1, std::memory_order_relaxed);  // counter: one writer
  }

  // Is a worker other than this one online? Then the other worker frees what is left. The look begins at the worker
  // that was found the last time: while many workers go to and fro, each reads one line of memory here and not one for
  // each worker.
  bool another_is_online(worker& self) const noexcept {
    // seq_cst: see offline().
    const auto is_online = [&](std::size_t i) {
      return &workers_[i] != &self && workers_[i].epoch.load(std::memory_order_seq_cst) != offline_epoch;
    };
    if (is_online(self.seen_online)) return true;
    for (std::size_t i = 0; i < workers_.size(); ++i) {
      if (!is_online(i)) continue;
      self.seen_online = i;
      return true;
    }
    return false;
  }

  // Closes the current batch. If the lock could not be taken, the batch goes on growing instead.
  void seal(worker& w, std::unique_lock<mutex> lock) noexcept {
    if (!lock.owns_lock()) return;
    w.hasten = false;
    // seq_cst: counted before the record can be seen offline, see offline().
    sealed_batches_.fetch_add(1, std::memory_order_seq_cst);
    // seq_cst: as above. release: publishes the unlinking of everything in the batch.  pairs: epoch.seal
    const std::uint64_t tag = epoch_.fetch_add(1, std::memory_order_seq_cst) + 1;
    w.sealed.add(batch::make(tag, std::move(w.current)));
  }

  // Frees what no worker can hold any more, of the caller's own batches and those of workers that are offline.
  template <class Lock>
  void collect(worker& self) noexcept {
    // seq_cst: the last worker to go offline sees every seal. Objects that are sealed from here on may be held by
    // workers that were offline when the scan passed them, so they are left for another time.
    std::uint64_t oldest = epoch_.load(std::memory_order_seq_cst);
    if (Sync::planted(sync::fault::freed_while_scanning)) oldest = offline_epoch;
    for (worker& w : workers_) oldest = std::min(oldest, shown_epoch(w));
    if (Sync::planted(sync::fault::freed_one_epoch_early)) ++oldest;
    const std::size_t waiting = free_all<Lock>(self, oldest, {});
    if (waiting < self.left_waiting + patience_) return;
    oldest = look_into_hands(self);
    self.left_waiting = free_all<Lock>(self, oldest, self.in_hands);
  }

  // Returns the greatest tag of batches that can be freed, except for the objects that it writes to self.in_hands: so
  // workers that stand in handlers are not waited for. docs/protocols/epochs.md.
  std::uint64_t look_into_hands(worker& self) noexcept {
    self.in_hands.clear();
    // seq_cst: as in collect.
    std::uint64_t oldest = epoch_.load(std::memory_order_seq_cst);
    const bool fenced = Sync::planted(sync::fault::hands_not_fenced) || Sync::barrier_for_all();
    for (worker& w : workers_) {
      const std::uint64_t shown = shown_epoch(w);
      if (shown >= oldest) continue;
      const auto held = w.held != nullptr && fenced ? w.held->look() : typename hazard_slot<Sync>::hands{};
      if (held.object == nullptr) {
        oldest = std::min(oldest, shown);
      } else if (!Sync::planted(sync::fault::hands_not_looked_at) && !note(self.in_hands, held)) {
        oldest = std::min(oldest, shown);  // no memory for the list: this worker is waited for
      }
    }
    return oldest;
  }

  static bool note(held_objects& list, const typename hazard_slot<Sync>::hands& held) noexcept {
    try {
      base::look_for_memory();
      list.insert(list.end(), {held.object, held.place});
      return true;
    } catch (const std::bad_alloc&) {
      return false;
    }
  }

  // Returns how many of its own batches are left; 0 if another worker has locked them.
  template <class Lock>
  std::size_t free_all(worker& self, std::uint64_t oldest, const held_objects& but) noexcept {
    std::size_t own = 0;
    for (worker& w : workers_) {
      // seq_cst: as in shown_epoch, and exact for the last worker to go offline.
      if (&w != &self && w.epoch.load(std::memory_order_seq_cst) != offline_epoch) continue;
      const Lock lock(w.mutex);
      if (!lock.owns_lock()) continue;
      free_up_to(w, self, oldest, but);
      if (&w == &self) own = w.sealed.count;
    }
    return own;
  }

  std::uint64_t shown_epoch(worker& w) noexcept {
    // seq_cst: see offline(). acquire: that worker's uses before it announced are over.  pairs: epoch.announce
    const std::uint64_t shown = w.epoch.load(std::memory_order_seq_cst);
    if (shown != offline_epoch) return shown;
    // release: tells the worker that comes back what was unlinked.  pairs: epoch.offline_seen
    // acquire: as above.  pairs: epoch.announce
    return w.epoch.fetch_add(0, std::memory_order_acq_rel);
  }

  // REQUIRES: the caller has locked w's mutex, or no worker runs.
  void free_up_to(worker& w, worker& self, std::uint64_t oldest, const held_objects& but) noexcept {
    for (batch* b = w.sealed.first; b != nullptr && b->tag <= oldest; b = b->next) free(b->list, self, but);
    const std::size_t done = w.sealed.erase_if([&](const batch& b) { return b.tag <= oldest && b.list.empty(); });
    if (done != 0) sealed_batches_.fetch_sub(static_cast<std::uint64_t>(done), std::memory_order_seq_cst);
  }

  // Objects that are in hands (`but`) stay in the list.
  static void free(objects& list, worker& self, const held_objects& but) noexcept {
    list.erase_if([&](const retired_object& r) {
      if (!but.empty() && std::find(but.begin(), but.end(), r.object) != but.end()) return false;
      r.fin(r.object, r.context);
      bump(self.freed);
      return true;
    });
  }

  const std::size_t threshold_;
  const unsigned collect_interval_;
  const std::size_t patience_;  // batches
  std::vector<worker> workers_;

  // Shared. Both change once per batch.
  alignas(128) epoch_word epoch_{1};
  epoch_word sealed_batches_{0};
  // How many workers are online. On a line of its own: it is read at each retirement, and changes when a worker goes to
  // sleep or wakes up.
  alignas(128) epoch_word online_{0};
};

using epochs = epoch_domain<sync::real>;

}  // namespace tact::dispatch
