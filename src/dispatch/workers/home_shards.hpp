// How a worker takes back the shards that are at home with it. docs/protocols/queue_swap.md, Homes.
#pragma once

#include <cstddef>
#include <cstdint>

#include "dispatch/holding/worker_counters.hpp"
#include "sync/fault.hpp"

namespace tact::dispatch {

// A shard is at home with the worker that looks at the shard's office; a foreign shard belongs to a worker with which
// it is not at home. What a shard gets comes through its office, so the shard had better belong to the worker that
// looks there: messages between actors of its shards need not leave that worker. Thieves scatter shards.
//
// `Exchange`: dispatch::exchange, or what stands in for it in the explorer's tests. Thread safety: the thread of the
// worker with that index only.
template <class Exchange, class Shard>
class home_shards {
 public:
  home_shards(Exchange& between, unsigned index) noexcept : exchange_(between), index_(index) {}

  // Takes back a shard that is at home with this worker and belongs to another one, for a shard that is not at home
  // here: a worker that has nothing to do has room for one of its own, which is better than to scatter those of others.
  // True: messages wait in it.
  bool bring_home(theft_counters& counters) {
    Shard* const s = find_lost();
    Shard* const foreign = s == nullptr ? nullptr : find_foreign(s->owner.load());
    return foreign != nullptr && swap(*foreign, *s, counters) && s->word.eligible();
  }
  // Takes shards back while this worker has something to do: all those that are at home here and belong to workers
  // which have something to do as well. For each it gives such a worker a shard that is at home there. While both
  // workers have something to do, what is sent to such a shard takes two ways: to the office of its first worker, and
  // from there to the worker that has it. Thieves have taken shards from this worker for shards of their own, so there
  // are pairs. Pairs with one worker are found in one pass; with several, a part of them, and the rest the next time.
  // Asks these workers to part from what they hold. True: a shard came home.
  bool bring_all_home(theft_counters& counters) {
    std::size_t slot = 0;
    bool any = false;
    for_each_lost([&](Shard& s) {
      const std::uint32_t other = s.owner.load();
      if (exchange_.waker().idle().has(other)) return false;
      Shard* const foreign = next_foreign(slot, other);
      if (foreign == nullptr) return true;
      if (!swap(*foreign, s, counters)) return false;
      exchange_.status_of(other).ask_to_part();
      any = true;
      return false;
    });
    return any;
  }

 private:
  [[nodiscard]] bool swap(Shard& given, Shard& wanted, theft_counters& counters) {
    const auto wake = [this](unsigned told) { exchange_.status_of(told).wake(); };
    if (!exchange_.stealing().table().exchange(index_, given, wanted, wake)) return false;
    counters.shards_returned.add(1);
    return true;
  }

  // Calls f(Shard&) for each shard that is at home here and belongs to another worker, until f returns true.
  template <class F>
  void for_each_lost(F f) {
    auto& mail = exchange_.mail();
    for (std::uint32_t o = index_; o < exchange_.worker_count(); o += exchange_.running()) {
      for (std::uint32_t n = o; n < mail.ordinary_shards(); n += exchange_.worker_count()) {
        Shard& s = mail.shard_at(n);
        const std::uint32_t owner = s.owner.load();
        // What is worth moving was moved because this worker had too much. It has nothing to do now, because that owner
        // has not answered yet.
        if (owner == index_ || exchange_.status_of(owner).is_worth_moving()) continue;
        if (f(s)) return;
      }
    }
  }
  // A shard that is at home here and belongs to another worker: one with messages if there is any. Null: there is none.
  [[nodiscard]] Shard* find_lost() {
    Shard* found = nullptr;
    for_each_lost([&](Shard& s) {
      found = &s;
      return s.word.eligible();
    });
    return found;
  }

  // A slot may be vacant: then the shard in it belongs to no worker.
  [[nodiscard]] bool is_mine(const Shard* in_slot) const noexcept {
    return in_slot != nullptr &&
           (in_slot->owner.load() == index_ || Shard::policy::planted(sync::fault::nobodys_given));
  }
  // The next shard in this worker's range, from this slot on, that is at home with the worker `home`. Null: there is
  // none.
  [[nodiscard]] Shard* next_foreign(std::size_t& slot, unsigned home) {
    auto& slots = exchange_.stealing().table().of(index_);
    while (slot < slots.size()) {
      Shard* const s = slots[slot++].load();
      if (!is_mine(s) || !exchange_.mail().is_ordinary(s->number)) continue;
      if (exchange_.waker().owner_of_office(s->office) == home) return s;
    }
    return nullptr;
  }
  // A shard in this worker's range that is not at home here; if there is such a shard that is at home with the worker
  // `home`, this one. A shard that is reserved for heavy actors is at home nowhere. If this worker's range has a heavy
  // shard too many, it lacks a shard of its own.
  [[nodiscard]] Shard* find_foreign(unsigned home) {
    auto& slots = exchange_.stealing().table().of(index_);
    Shard* found = nullptr;
    for (std::size_t i = 0, size = slots.size(); i < size; ++i) {
      Shard* const s = slots[i].load();
      if (!is_mine(s)) continue;
      if (!exchange_.mail().is_ordinary(s->number)) {
        if (found == nullptr && s->word.is_idle()) found = s;
        continue;
      }
      const unsigned at = exchange_.waker().owner_of_office(s->office);
      if (at == index_) continue;
      if (at == home) return s;
      found = s;
    }
    return found;
  }

  Exchange& exchange_;
  const unsigned index_;
};

}  // namespace tact::dispatch
