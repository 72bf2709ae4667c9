// What a cell remembers of a parallel actor while the actor is at home, and how long that stay lasts.
// Protocol page: docs/protocols/commit.md.
#pragma once

#include <cstdint>

#include "sync/policy.hpp"

namespace tact::actors {

// A parallel actor goes home when its runs have collided too often, or when all its becomes are made on one worker. At
// home a become is a plain store. Another worker still runs a message of the actor if no message of the same type has
// made the actor become lately. After a stretch of messages the holder of the home shard looks back. If few of them
// became, the actor is parallel again, and its next stretch at home is twice as long. If most became, all messages of
// the actor are sent home. Nothing here needs to be exact: it decides how fast messages are handled, never how often.
// Thread safety: goes_on, goes_on_with_readers and judge only by the holder of the home shard; the rest by any worker.
class home_stay {
 public:
  static constexpr unsigned read_sample = 16;  // of so many messages that run elsewhere one is counted

  enum class verdict : unsigned char {
    parallel,        // few messages become: the actor leaves home
    readers_away,    // some become: they run at home, the others anywhere
    everybody_home,  // most become: all run at home
  };

  // Forgets everything, as for an actor that was never at home.
  // relaxed: private until published, with the actor.
  void forget() noexcept {
    becomers_.store(0, std::memory_order_relaxed);
    reads_away_.store(0, std::memory_order_relaxed);
    runs_ = 0;
    becomes_ = 0;
    // relaxed: private until published, as above.
    returns_.store(0, std::memory_order_relaxed);
  }

  // Has a message of this type made the actor become since the last verdict? `index`: that of the type in the table of
  // the messages that the actor handles.
  // relaxed: hint, see above.
  [[nodiscard]] bool becomes_lately(unsigned index) const noexcept {
    return (becomers_.load(std::memory_order_relaxed) >> index & 1) != 0;
  }
  void note_become(unsigned index) noexcept {
    if (becomes_lately(index)) return;
    // relaxed: hint, see above.
    becomers_.fetch_or(std::uint64_t{1} << index, std::memory_order_relaxed);
  }
  // To be called for one in read_sample messages that ran elsewhere.
  // relaxed: counter, a hint.
  void count_read_away() noexcept { reads_away_.fetch_add(1, std::memory_order_relaxed); }
  // So many messages ran elsewhere that they fill a stretch, without those at home. So the next one should go home,
  // where it leads to a verdict.
  [[nodiscard]] bool is_due(unsigned stretch) const noexcept { return reads_away() >= length(stretch); }

  // Counts a message that ran at home. False: it is time for a verdict. `stretch`: how many messages there are before
  // the first verdict, 1 to stretch_max.
  static constexpr unsigned stretch_max = 1024;
  [[nodiscard]] bool goes_on(bool became, unsigned stretch) noexcept {
    becomes_ = static_cast<std::uint16_t>(becomes_ + became);
    return ++runs_ < length(stretch);
  }
  // As goes_on, where other workers run messages of the actor too.
  [[nodiscard]] bool goes_on_with_readers(bool became, unsigned stretch) noexcept {
    return goes_on(became, stretch) && runs_ + reads_away() < length(stretch);
  }
  // Gives the verdict, and begins a new stretch.
  [[nodiscard]] verdict judge() noexcept {
    // relaxed: counter and hint, as above.
    const unsigned all = runs_ + reads_away_.exchange(0, std::memory_order_relaxed) * read_sample;
    // relaxed: hint; a type of message that becomes will set its bit again.
    becomers_.store(0, std::memory_order_relaxed);
    const unsigned becomes = becomes_;
    runs_ = 0;
    becomes_ = 0;
    if (becomes * few > all) return becomes * most < all ? verdict::readers_away : verdict::everybody_home;
    // relaxed: hint, and owner-only write.
    const unsigned returns = returns_.load(std::memory_order_relaxed);
    // relaxed: hint, as above.
    if (returns < returns_max) returns_.store(static_cast<std::uint8_t>(returns + 1), std::memory_order_relaxed);
    return verdict::parallel;
  }

 private:
  // relaxed: counter, a hint.
  [[nodiscard]] unsigned reads_away() const noexcept {
    return reads_away_.load(std::memory_order_relaxed) * read_sample;
  }
  // relaxed: hint, see above.
  [[nodiscard]] unsigned length(unsigned stretch) const noexcept {
    return stretch << returns_.load(std::memory_order_relaxed);
  }

  static constexpr unsigned few = 32;  // few become: at most one in so many
  static constexpr unsigned most = 2;  // most become: at least one in so many
  static constexpr unsigned returns_max = 5;

  sync::atomic<std::uint64_t> becomers_{0};  // a bit for each type of message that the actor handles
  sync::atomic<std::uint16_t> reads_away_{0};
  std::uint16_t runs_ = 0;
  std::uint16_t becomes_ = 0;
  sync::atomic<std::uint8_t> returns_{0};
};

}  // namespace tact::actors
