// The word behind an actor's address: it says which behaviour the actor has now, and a become commits by changing it.
// Protocol page: docs/protocols/commit.md.
#pragma once

#include <cstdint>

#include "sync/policy.hpp"

namespace tact::actors {

// word = closure | home | ended | shut | sole
//   home   only the holder of the actor's home shard commits; its becomes are plain stores. Exclusive and one-shot
//          actors have this tag from the beginning
//   ended  no behaviour: the actor has ended, or is not installed yet. In the place of the closure the word has a mark,
//          which tells those that come later how the actor ended
//   shut   with home: workers that do not hold the home shard do not run the actor either
//   sole   with home: the closure was installed after `shut` was set, so only the holder has ever seen it. There is no
//          bit left for this, so a word with both shut and ended says it
//   shut without home  a handler of this exclusive actor waits for an answer: the word leads to the parked stack and
//          not to the closure, and messages that come meanwhile are put aside
//
// Thread safety: load, commit, go_home, claim and try_end from any worker; the rest only by the holder of the
// home shard while home is set. The closure that a successful commit or end replaced belongs to the caller.
// Invariants: (1) committed becomes form one chain; (2) a run that loaded an untagged word cannot commit once home is
// set, because its compare-and-swap expects a word without the tag; (3) ended stays until the cell is reused; (4) a
// closure that is replaced under sole was never seen by another worker. `Closure` is aligned to 8 or more.
template <class Sync, class Closure>
class cell_word {
 public:
  // A word that was loaded.
  class value {
   public:
    value() = default;
    explicit value(std::uint64_t bits) : bits_(bits) {}
    [[nodiscard]] bool is_home() const noexcept { return (bits_ & home) != 0; }
    [[nodiscard]] bool is_ended() const noexcept { return (bits_ & sole) == ended; }
    [[nodiscard]] bool is_untagged() const noexcept { return (bits_ & tags) == 0; }
    [[nodiscard]] bool is_shut() const noexcept { return (bits_ & shut) != 0; }
    // The actor is at home, and other workers may run messages that do not become.
    [[nodiscard]] bool is_open_home() const noexcept {
      return is_home() && (!is_shut() || Sync::planted(sync::fault::shut_not_looked_at));
    }
    [[nodiscard]] bool is_waiting() const noexcept { return (bits_ & tags) == shut; }
    [[nodiscard]] bool is_sole() const noexcept { return (bits_ & sole) == sole; }
    [[nodiscard]] Closure* closure() const noexcept {
      return reinterpret_cast<Closure*>(static_cast<std::uintptr_t>(bits_ & ~tags));
    }
    // What the end was marked with. REQUIRES: is_ended.
    [[nodiscard]] unsigned mark() const noexcept { return static_cast<unsigned>(bits_ >> mark_shift); }
    [[nodiscard]] std::uint64_t bits() const noexcept { return bits_; }

   private:
    std::uint64_t bits_ = ended;
  };

  // acquire: observes the closure that the install or become published. pairs: cell_word.commit
  [[nodiscard]] value load() const noexcept { return value(word_.load(std::memory_order_acquire)); }

  // The word is zero, because the system has had its page: from now on it says ended. Until it does it reads as a word
  // without a closure, at which nobody looks, because the cell's name is zero too.
  // relaxed: private until published, by the install.
  void wake() noexcept { word_.store(ended, std::memory_order_relaxed); }
  // What the system does to a word whose page it takes. REQUIRES: no thread uses the cell.
  // relaxed: private until published, as in wake.
  void wipe() noexcept { word_.store(0, std::memory_order_relaxed); }

  // Makes the actor exist. REQUIRES: the word says ended, and no other thread installs here.
  void install(Closure* first) noexcept { publish(bits_of(first)); }
  // Makes an actor exist whose tag is set.
  void install_home(Closure* first) noexcept { publish(bits_of(first) | home); }

  // Becomes `next` if the word is still `seen`, which has no tag.
  [[nodiscard]] bool commit(value seen, Closure* next) noexcept {
    if (Sync::planted(sync::fault::commit_without_cas)) {
      word_.store(bits_of(next), std::memory_order_seq_cst);
      return true;
    }
    std::uint64_t expected = seen.bits();
    if (Sync::planted(sync::fault::home_on_other_line)) expected |= word_.load(std::memory_order_seq_cst) & home;
    // acq_rel: publishes the closure, and takes over the replaced one. pairs: cell_word.commit
    // relaxed on failure: the run is discarded, the next one loads again.
    return word_.compare_exchange_strong(expected, bits_of(next), std::memory_order_acq_rel, std::memory_order_relaxed);
  }

  // Sets the tag: from now on only the holder of the home shard commits. False: the tag was set already.
  bool go_home() noexcept {
    // relaxed: the tag guards this word alone; a run that misses it fails its compare-and-swap. hint to all other uses.
    return (word_.fetch_or(home, std::memory_order_relaxed) & home) == 0;
  }

  // Takes the tag away: all workers commit by compare-and-swap again. REQUIRES: the caller holds the home shard, `seen`
  // is the word, and has the tag. This plain store may overwrite the tag of a go_home at the same
  // moment, which does no harm: the worker that set it forwards its message, and that message sets it again.
  void leave_home(value seen) noexcept {
    // release: publishes the closure. pairs: cell_word.commit
    word_.store(seen.bits() & ~tags, std::memory_order_release);
  }

  // shut_home: from now on only the holder runs the actor. open_home: other workers run it again. REQUIRES: as
  // leave_home.
  void shut_home(value seen) noexcept {
    retag(seen, home | (Sync::planted(sync::fault::sole_too_early) ? sole : shut));
  }
  void open_home(value seen) noexcept { retag(seen, home); }

  // wait: a handler of the actor is parked. go_on: the handler goes on. REQUIRES: the caller holds the home shard of
  // the exclusive actor; `was` is the word from before the wait.
  // release: publishes the parked stack. pairs: cell_word.commit
  void wait(Closure* parked) noexcept { word_.store(bits_of(parked) | shut, std::memory_order_release); }
  void go_on(value was) noexcept {
    // release: publishes the closure. pairs: cell_word.commit
    word_.store(was.bits(), std::memory_order_release);
  }

  // Becomes `next` where no other worker commits: under home, or with one worker. REQUIRES: the caller holds the home
  // shard and has seen the tag, or is the only worker; `seen` is the word.
  void replace(value seen, Closure* next) noexcept {
    // release: publishes the closure. pairs: cell_word.commit
    word_.store(bits_of(next) | (seen.is_shut() ? home | sole : seen.bits() & tags), std::memory_order_release);
  }

  // Takes the closure of a one-shot: true for exactly one caller.
  [[nodiscard]] bool claim(value seen) noexcept { return Sync::planted(sync::fault::once_runs_twice) || try_end(seen); }

  // Ends the actor if the word is still `seen`.
  [[nodiscard]] bool try_end(value seen, unsigned mark = 0) noexcept {
    std::uint64_t expected = seen.bits();
    // acq_rel: takes over the closure, and orders the end behind what this run did. pairs: cell_word.commit
    // relaxed on failure: the run is discarded, the next one loads again.
    return word_.compare_exchange_strong(expected, ended_with(mark), std::memory_order_acq_rel,
                                         std::memory_order_relaxed);
  }

  // Ends the actor under home. REQUIRES: as replace.
  void end_home(unsigned mark = 0) noexcept {
    // release: orders the end behind what this run did. pairs: cell_word.commit
    word_.store(ended_with(mark), std::memory_order_release);
  }

 private:
  static constexpr std::uint64_t home = 1;
  static constexpr std::uint64_t ended = 2;
  static constexpr std::uint64_t shut = 4;
  static constexpr std::uint64_t sole = shut | ended;
  static constexpr std::uint64_t tags = home | ended | shut;
  static constexpr unsigned mark_shift = 3;  // a mark takes the place of the closure, above the three tags
  static_assert(tags + 1 == 1 << mark_shift);
  static constexpr std::uint64_t ended_with(unsigned mark) noexcept {
    return ended | std::uint64_t{mark} << mark_shift;
  }
  // release: publishes the closure. pairs: cell_word.commit
  void publish(std::uint64_t bits) noexcept { word_.store(bits, std::memory_order_release); }
  void retag(value seen, std::uint64_t with) noexcept {
    // release: publishes the closure. pairs: cell_word.commit
    word_.store((seen.bits() & ~tags) | with, std::memory_order_release);
  }
  static std::uint64_t bits_of(Closure* closure) noexcept { return reinterpret_cast<std::uintptr_t>(closure); }

  // Values: see above. Written by runs that commit, by the holder of the home shard, and by threads that install or end
  // the actor.
  typename Sync::template atomic<std::uint64_t> word_{ended};
};

}  // namespace tact::actors
