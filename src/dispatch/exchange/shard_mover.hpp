// Moves shards from worker to worker when workers come or go. Protocol page: docs/protocols/worker_change.md.
#pragma once

#include <algorithm>
#include <cstddef>
#include <optional>
#include <vector>

#include "dispatch/exchange/shard_table.hpp"
#include "sync/policy.hpp"

namespace tact::dispatch {

// Takes a shard out of its slot and puts it into another one, while workers and thieves go on. A vacant slot leads to a
// shard that belongs to no worker (`nobodys_`), whose word is held for ever, and whose owner is a number that no worker
// has. No worker runs that shard and no thief gives it away, so threads that look at slots need not know of it.
//
// Thread safety: one thread at a time, beside workers and thieves. Invariants: (1) only the mover makes a slot vacant
// or fills a vacant one, so each range has as many filled slots as the mover has left there; (2) the mover takes a
// shard out of a slot by compare-and-swap, as thieves do; (3) it writes the shard's owner while it has the shard in
// hand; (4) it looks at the shard once more afterwards.
template <class Sync, class Shard>
class shard_mover {
 public:
  explicit shard_mover(shard_table<Sync, Shard>& table) : table_(&table), has_(table.worker_count()) {
    static_cast<void>(nobodys_.word.try_hold());
    nobodys_.owner.store(table.worker_count());
  }
  shard_mover(const shard_mover&) = delete;
  shard_mover& operator=(const shard_mover&) = delete;

  // Gives each of the first `running` workers its share, and takes all shards from the others. But a worker that is in
  // a swap may keep one shard too many: the caller levels again when a worker that goes has ended. home_of(shard) is
  // the worker that had better have the shard, if any: a worker gives away first what is at home elsewhere, and a shard
  // goes home when there is room. Calls wake(worker) when a shard that was moved has messages of which that worker may
  // not have been told.
  template <class HomeOf, class Wake>
  void level(unsigned running, HomeOf home_of, Wake wake) {
    const unsigned workers = table_->worker_count();
    for (unsigned w = 0; w < workers; ++w) has_[w] = count(w);
    unsigned to = 0;
    for (unsigned from = 0; from < workers; ++from) {
      for (; has_[from] > table_->share_of(from, running); --has_[from]) {
        Shard* s = take_foreign(from, home_of);
        if (s == nullptr) s = take(from, from < running ? search::going_round : search::from_the_end);
        if (s == nullptr) break;
        // Only a planted fault makes the counts wrong, so that too many shards are left: the last worker gets them.
        while (to + 1 < running && has_[to] >= table_->share_of(to, running)) ++to;
        const auto home = home_of(*s);
        const bool has_room = home && *home < running && has_[*home] < table_->share_of(*home, running);
        const unsigned next = has_room ? *home : to;
        put(*s, next, wake);
        ++has_[next];
      }
    }
    for (unsigned w = 0; w < workers; ++w) close_up(w, wake);
  }

  // Gives each worker its share where shards are at home anywhere.
  template <class Wake>
  void level(unsigned running, Wake wake) {
    level(
        running, [](const Shard&) { return std::optional<unsigned>{}; }, wake);
  }

  [[nodiscard]] bool is_vacant(const Shard* in_slot) const noexcept { return in_slot == &nobodys_; }

 private:
  using range = typename shard_table<Sync, Shard>::range;
  using slot = typename shard_table<Sync, Shard>::slot;

  // Counts the shards of a worker. A slot that a thief has emptied counts as filled: the thief will put a shard there.
  std::size_t count(unsigned worker) noexcept {
    range& slots = table_->of(worker);
    std::size_t filled = slots.size();
    for (std::size_t i = 0, size = filled; i < size; ++i) filled -= is_vacant(slots[i].load()) ? 1U : 0U;
    return filled;
  }

  // Where the search for a shard that is to go begins. `going_round`: at another slot each time, so that the shards
  // reserved for heavy actors, which lie together at first, do not all go to one worker.
  enum class search : bool { from_the_end, going_round };

  // Takes a shard out of a worker's range. Null: there is none that can be taken.
  Shard* take(unsigned from, search begins) noexcept {
    range& slots = table_->of(from);
    const std::size_t size = slots.size();
    const std::size_t first = begins == search::going_round ? next_++ : size - 1;
    for (std::size_t n = 0; n < size; ++n) {
      const std::size_t i = (first + size - n) % size;
      if (Shard* const s = take(slots[i])) {
        trim(slots);
        return s;
      }
    }
    return nullptr;
  }

  // Takes a shard that is at home with another worker. Null: there is none that can be taken.
  template <class HomeOf>
  Shard* take_foreign(unsigned from, HomeOf home_of) noexcept {
    range& slots = table_->of(from);
    for (std::size_t i = slots.size(); i-- != 0;) {
      Shard* s = slots[i].load();
      if (s == nullptr || is_vacant(s)) continue;
      const auto home = home_of(*s);
      if (!home || *home == from || !slots[i].compare_exchange_strong(s, &nobodys_)) continue;
      trim(slots);
      return s;
    }
    return nullptr;
  }

  // Takes the shard out of this slot. Null: the slot is vacant, or a thief has its shard in hand.
  Shard* take(slot& from) noexcept {
    Shard* s = from.load();
    while (s != nullptr && !is_vacant(s)) {
      if (Sync::planted(sync::fault::moved_by_store)) {
        from.store(&nobodys_);
        return s;
      }
      if (from.compare_exchange_strong(s, &nobodys_)) return s;  // else a thief has changed it: looks again
    }
    return nullptr;
  }

  template <class Wake>
  void put(Shard& s, unsigned to, Wake wake) noexcept {
    range& slots = table_->of(to);
    const std::size_t size = slots.size();
    std::size_t at = 0;
    while (at < size && !is_vacant(slots[at].load())) ++at;
    put(s, to, at, wake);
  }

  template <class Wake>
  void put(Shard& s, unsigned to, std::size_t at, Wake wake) noexcept {
    using sync::fault;
    range& slots = table_->of(to);
    if (!Sync::planted(fault::moved_owner_late)) s.owner.store(to);
    slots[at].store(&s);
    if (at == slots.size()) slots.resize(at + 1);
    if (Sync::planted(fault::moved_owner_late)) s.owner.store(to);
    // A sender that brought messages before this may have woken the old owner only, or the new one before it could find
    // the shard here.
    if (!Sync::planted(fault::moved_not_looked_at) && s.word.eligible()) wake(to);
  }

  // Moves the last shards of a range into its vacant slots, so that no thread looks at vacant slots in vain.
  template <class Wake>
  void close_up(unsigned worker, Wake wake) noexcept {
    range& slots = table_->of(worker);
    for (std::size_t hole = 0;; ++hole) {
      trim(slots);
      while (hole < slots.size() && !is_vacant(slots[hole].load())) ++hole;
      if (hole >= slots.size()) return;
      Shard* const last = take(slots[slots.size() - 1]);
      if (last == nullptr) return;
      put(*last, worker, hole, wake);
    }
  }

  void trim(range& slots) noexcept {
    const std::size_t before = slots.size();
    std::size_t size = before;
    while (size != 0 && is_vacant(slots[size - 1].load())) --size;
    if (size != before) slots.resize(size);
  }

  shard_table<Sync, Shard>* const table_;
  Shard nobodys_;
  std::vector<std::size_t> has_;  // the number of shards, by worker
  std::size_t next_ = 0;
};

}  // namespace tact::dispatch
