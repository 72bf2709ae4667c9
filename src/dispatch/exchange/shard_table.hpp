// Which worker looks at which shards, and how an idle worker takes a shard from another. docs/protocols/queue_swap.md.
#pragma once

#include <cstddef>
#include <cstdint>
#include <memory>
#include <vector>

#include "sync/policy.hpp"

namespace tact::dispatch {

enum class theft_outcome : unsigned char {
  no_candidate,  // the victim has no eligible shard, or the thief no idle one
  lost,          // another thread was faster; nothing has changed
  stolen,
};

template <class Shard>
struct theft {
  theft_outcome outcome = theft_outcome::no_candidate;
  Shard* shard = nullptr;  // the candidate; if stolen, it is the thief's
  bool more = false;       // the victim had another eligible shard
};

// Each worker has a range of slots; each slot leads to a shard. A thief exchanges an idle shard of its own for a shard
// of its victim that has messages, in three steps: it sets its own slot to null, then the victim's slot to its own
// shard, then its own slot to the victim's shard. No step waits for another thread or is repeated, and the victim takes
// no part. Source of the idea: the queue swap of C∀.
//
// Thread safety: any thread; but steal(i, ...) only by worker i. A slot is null only while the worker to which it
// belongs is in a swap; so a worker that runs handlers finds no null in its own range. Invariants: (1) a shard is in
// one slot, or in the hand of one thief, or in the hand of the mover, which works beside thieves when workers come and
// go (shard_mover.hpp); (2) only the thief that wrote null writes that slot next; (3) only the thread that has a shard
// in hand writes its owner; (4) a thief looks once more at the shards that it moved: at the one that it gave away at
// once, at the one that it got before it parks. `Shard` has a `word` with eligible() and is_idle(), and `owner`, the
// atomic number of the worker that is told of messages.
template <class Sync, class Shard>
class shard_table {
 public:
  using slot = typename Sync::template atomic<Shard*>;

  // The slots of one worker. They have cache lines of their own, because the worker looks at them all the time.
  class range {
   public:
    range(std::size_t size, std::size_t room) : size_(size), lines_((room + line::length - 1) / line::length) {}
    // The number of slots in use. Only the mover changes it, when the number of workers changes.
    [[nodiscard]] std::size_t size() const noexcept { return size_.load(); }
    void resize(std::size_t size) noexcept { size_.store(size); }
    [[nodiscard]] slot& operator[](std::size_t i) noexcept { return lines_[i / line::length].slots[i % line::length]; }
    [[nodiscard]] const slot& operator[](std::size_t i) const noexcept {
      return lines_[i / line::length].slots[i % line::length];
    }

   private:
    struct alignas(64) line {
      static constexpr std::size_t length = 8;
      slot slots[length]{};
    };
    // A real atomic even where the slots are simulated, so that there it changes in one step with the slot that was
    // filled or emptied just before: a thread that reads it between the two sees the same as it would before both.
    sync::real::atomic<std::size_t> size_;
    std::vector<line> lines_;
  };

  // Makes room for so many shards; shard i begins with worker i % running. REQUIRES: at least one shard per worker.
  shard_table(unsigned workers, std::uint32_t shards, unsigned running) : running_at_first_(running), shards_(shards) {
    ranges_.reserve(workers);
    // The range begins with the worker's share. It has room for the worker's largest share, which the worker has when
    // it is the last of those that run.
    for (unsigned w = 0; w < workers; ++w) {
      const std::uint32_t size = share_of(w, running);
      ranges_.push_back(std::make_unique<range>(size, share_of(w, w + 1)));
    }
  }
  shard_table(unsigned workers, std::uint32_t shards) : shard_table(workers, shards, workers) {}

  // REQUIRES: no worker runs yet.
  void deal(std::uint32_t i, Shard& s) noexcept {
    s.owner.store(i % running_at_first_);
    of(i % running_at_first_)[i / running_at_first_].store(&s);
  }

  [[nodiscard]] range& of(unsigned worker) noexcept { return *ranges_[worker]; }
  [[nodiscard]] unsigned worker_count() const noexcept { return static_cast<unsigned>(ranges_.size()); }
  // How many shards a worker has when the first `running` ones share them.
  [[nodiscard]] std::uint32_t share_of(unsigned worker, unsigned running) const noexcept {
    return worker < running ? shards_ / running + (worker < shards_ % running ? 1 : 0) : 0;
  }

  // Is a shard in this worker's range eligible? Exact for a worker that is about to park.
  [[nodiscard]] bool anything_eligible(unsigned worker) const noexcept {
    const range& slots = *ranges_[worker];
    for (std::size_t i = 0, size = slots.size(); i < size; ++i) {
      const Shard* s = slots[i].load();
      if (s != nullptr && s->word.eligible()) return true;
    }
    return false;
  }

  // Scans the victim's range once, from slot `first` on, and tries at most one swap. Calls wake(victim) when the shard
  // that was given away has got messages meanwhile.
  template <class Wake>
  [[nodiscard]] theft<Shard> steal(unsigned thief, unsigned victim, std::size_t first, Wake wake) {
    theft<Shard> t;
    slot* const theirs = find_wanted(victim, first, t);
    if (theirs == nullptr) return t;
    const auto [own, given] = find_spare(thief);
    if (own == nullptr) return t;
    const bool done = swap(thief, *own, *given, victim, *theirs, *t.shard, wake);
    t.outcome = done ? theft_outcome::stolen : theft_outcome::lost;
    return t;
  }

  // Exchanges a shard in the range of worker `taker` for one that another worker has, whatever waits in the two. Calls
  // wake(other) if `given` has messages. False: one of the two was not where it was looked for, or another thread moved
  // it, or `given` belongs to no worker, which says that the slot is vacant; nothing has changed.
  template <class Wake>
  [[nodiscard]] bool exchange(unsigned taker, Shard& given, Shard& wanted, Wake wake) {
    const unsigned other = wanted.owner.load();
    if (other == taker) return false;
    if (given.owner.load() != taker && !Sync::planted(sync::fault::nobodys_given)) return false;
    slot* const own = find(taker, given);
    slot* const theirs = find(other, wanted);
    return own != nullptr && theirs != nullptr && swap(taker, *own, given, other, *theirs, wanted, wake);
  }

 private:
  struct spare {
    slot* at = nullptr;
    Shard* shard = nullptr;
  };

  slot* find_wanted(unsigned victim, std::size_t first, theft<Shard>& t) noexcept {
    range& slots = of(victim);
    slot* found = nullptr;
    for (std::size_t n = 0, size = slots.size(); n < size; ++n) {
      slot& at = slots[(first + n) % size];
      Shard* const s = at.load();
      if (s == nullptr || !s->word.eligible()) continue;
      t.more = found != nullptr;
      if (t.more) break;
      found = &at;
      t.shard = s;
    }
    return found;
  }

  slot* find(unsigned worker, const Shard& wanted) noexcept {
    range& slots = of(worker);
    for (std::size_t i = 0, size = slots.size(); i < size; ++i) {
      if (slots[i].load() == &wanted) return &slots[i];
    }
    return nullptr;
  }

  spare find_spare(unsigned thief) noexcept {
    range& slots = of(thief);
    for (std::size_t i = 0, size = slots.size(); i < size; ++i) {
      Shard* const s = slots[i].load();
      if (s != nullptr && s->word.is_idle()) return {&slots[i], s};
    }
    return {};
  }

  template <class Wake>
  bool swap(unsigned thief, slot& own, Shard& given, unsigned victim, slot& theirs, Shard& wanted, Wake wake) {
    using sync::fault;
    Shard* expected = &given;
    if (Sync::planted(fault::own_slot_not_emptied)) {
      if (own.load() != expected) return false;
    } else if (!own.compare_exchange_strong(expected, nullptr)) {
      return false;  // another thief takes it
    }
    // The owner is written before the shard is in the victim's slot: a sender that brings messages from then on tells
    // the victim.
    if (!Sync::planted(fault::owner_told_late)) given.owner.store(victim);
    if (!take(theirs, wanted, given)) {
      if (!Sync::planted(fault::owner_not_restored)) given.owner.store(thief);
      if (!Sync::planted(fault::restore_forgotten)) own.store(&given);
      return false;
    }
    if (Sync::planted(fault::owner_told_late)) given.owner.store(victim);
    wanted.owner.store(thief);
    own.store(&wanted);
    // A sender that brought messages before the shard was in the victim's slot has told the thief, or a victim that did
    // not find the shard in its range.
    if (!Sync::planted(fault::given_not_looked_at) && given.word.eligible()) wake(victim);
    return true;
  }

  static bool take(slot& theirs, Shard& wanted, Shard& given) noexcept {
    if (Sync::planted(sync::fault::swap_by_exchange)) {
      theirs.exchange(&given);
      return true;
    }
    Shard* expected = &wanted;
    return theirs.compare_exchange_strong(expected, &given);
  }

  const std::uint32_t running_at_first_;  // workers
  const std::uint32_t shards_;
  std::vector<std::unique_ptr<range>> ranges_;
};

}  // namespace tact::dispatch
