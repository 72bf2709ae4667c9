// What is remembered of a parallel actor while it is at home, and what follows from it. docs/protocols/commit.md.
#pragma once

#include <cstdint>

#include "sync/policy.hpp"

namespace tact::actors {

// An actor goes home because becomes collided. There its becomes are plain stores; other workers still run messages
// that do not become, if their type did not lately. After a stretch of runs at home the holder looks: with few becomes
// the actor is parallel again, and stays home twice as long the next time; with many all messages are sent home.
// Nothing here must be right: what it says decides how fast messages are handled, never how often.
// Thread safety: goes_on and judge the holder of the home shard; the rest any worker.
class home_stay {
 public:
  static constexpr unsigned read_sample = 16;  // one in so many messages that are run elsewhere is counted

  enum class verdict : unsigned char {
    parallel,        // few become
    readers_away,    // some become: at home; the others run anywhere
    everybody_home,  // most become
  };

  // As of an actor that was never at home.
  // relaxed: private until published, with the actor.
  void forget() noexcept {
    becomers_.store(0, std::memory_order_relaxed);
    reads_away_.store(0, std::memory_order_relaxed);
    runs_ = 0;
    becomes_ = 0;
    // relaxed: private until published, as above.
    returns_.store(0, std::memory_order_relaxed);
  }

  // Messages of that index of the actor's table became since the last verdict.
  // relaxed: hint, see above.
  [[nodiscard]] bool becomes_lately(unsigned index) const noexcept {
    return (becomers_.load(std::memory_order_relaxed) >> index & 1) != 0;
  }
  void note_become(unsigned index) noexcept {
    if (becomes_lately(index)) return;
    // relaxed: hint, see above.
    becomers_.fetch_or(std::uint64_t{1} << index, std::memory_order_relaxed);
  }
  // To be called for one in read_sample.
  // relaxed: counter, a hint.
  void count_read_away() noexcept { reads_away_.fetch_add(1, std::memory_order_relaxed); }
  // So many messages have run elsewhere that the next one had better go home, where it leads to a verdict.
  [[nodiscard]] bool is_due(unsigned stretch) const noexcept { return reads_away() >= length(stretch); }

  // A message ran at home. False: it is time for a verdict. `stretch`: messages of the first stay, 1 to stretch_max.
  static constexpr unsigned stretch_max = 1024;
  [[nodiscard]] bool goes_on(bool became, unsigned stretch) noexcept {
    becomes_ = static_cast<std::uint16_t>(becomes_ + became);
    return ++runs_ < length(stretch);
  }
  // The same where others run messages too.
  [[nodiscard]] bool goes_on_with_readers(bool became, unsigned stretch) noexcept {
    return goes_on(became, stretch) && runs_ + reads_away() < length(stretch);
  }
  [[nodiscard]] verdict judge() noexcept {
    // relaxed: counter and hint, as above.
    const unsigned all = runs_ + reads_away_.exchange(0, std::memory_order_relaxed) * read_sample;
    // relaxed: hint; who becomes shows again.
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

  static constexpr unsigned few = 32;  // one in so many, or fewer
  static constexpr unsigned most = 2;
  static constexpr unsigned returns_max = 5;

  sync::atomic<std::uint64_t> becomers_{0};  // a bit for each message of the table
  sync::atomic<std::uint16_t> reads_away_{0};
  std::uint16_t runs_ = 0;
  std::uint16_t becomes_ = 0;
  sync::atomic<std::uint8_t> returns_{0};
};

}  // namespace tact::actors
