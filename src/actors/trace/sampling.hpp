// Which messages of a thread are samples, where only samples are measured.
#pragma once

#include <algorithm>
#include <cstdint>

namespace tact::actors {

// The thread is asked between two stretches of messages, so all messages but the samples run as fast as ever. A sample
// takes some 100 ns: samples are so far apart that this is 2 ns a message, or a fiftieth of what handlers take, and
// nearer only where that costs less. A stretch begins where a chunk of messages begins, and programs have rhythms; so
// the sample lies by chance a few messages behind that. Thread safety: the thread's own.
class sampling {
 public:
  enum class next : unsigned char {
    stretch,  // messages run without a look
    one,      // one message runs without a look, and then it is decided again
    sample,   // one message runs as a sample
  };
  // `begun`: how many messages the thread has begun up to now, also those whose handlers wait; about `ns_each` each.
  [[nodiscard]] next decide(std::uint64_t begun, std::uint64_t ns_each) noexcept {
    if (skips_ == 0) {
      const std::uint64_t apart =
          std::clamp<std::uint64_t>(apart_ns / std::max<std::uint64_t>(ns_each, 1), 1, apart_most);
      if (begun - last_begun_ < apart) return next::stretch;
      skips_ = 1 + random() % std::min<std::uint64_t>(apart, skips_most);
    }
    return --skips_ == 0 ? next::sample : next::one;
  }
  // For how many messages the sample that comes now stands: those that were handled since the last sample.
  [[nodiscard]] std::uint64_t take(std::uint64_t begun, std::uint64_t handled) noexcept {
    const std::uint64_t since = handled - last_handled_;
    last_begun_ = begun;
    last_handled_ = handled;
    return std::max<std::uint64_t>(since, 1);
  }

 private:
  static constexpr std::uint64_t apart_most = 64;   // messages
  static constexpr std::uint64_t apart_ns = 6'400;  // of handlers
  static constexpr std::uint64_t skips_most = 16;

  // xorshift64, of George Marsaglia.
  [[nodiscard]] std::uint64_t random() noexcept {
    random_ ^= random_ << 13;
    random_ ^= random_ >> 7;
    return random_ ^= random_ << 17;
  }

  std::uint64_t last_begun_ = 0;
  std::uint64_t last_handled_ = 0;
  std::uint64_t skips_ = 0;
  std::uint64_t random_ = 0x9e3779b97f4a7c15;
};

}  // namespace tact::actors
