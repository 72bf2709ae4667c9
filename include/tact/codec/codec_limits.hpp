// tact::codec_limits: how much of what somebody else has written may be read.
#include "tact/detail/begin.hpp"  // first
#pragma once

#include <cstdint>
#include <iosfwd>

namespace tact {

// Each holds for a message as a whole. tact::encode refuses what tact::decode would refuse with the same limits, so
// what is written can be read. Whatever a message says of its sizes, memory is taken as its bytes arrive: at most some
// times their number, or so many items.
struct codec_limits {
  std::uint64_t bytes = std::uint64_t{64} << 20;  // of the message
  // Values inside each other: each record, tuple, container, optional and variant is one level. At 64 a
  // stack of 64 KiB is enough.
  std::uint32_t depth = 64;
  // Entries of all containers, but for numbers in a row, which take no more memory than bytes.
  std::uint64_t items = std::uint64_t{1} << 20;
};
std::ostream& operator<<(std::ostream& out, const codec_limits& limits);

}  // namespace tact

#include "tact/detail/end.hpp"  // last
