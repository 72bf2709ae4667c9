// The places of blocks: what lies near what.
#pragma once

#include <cstddef>

namespace tact::base {

// Where blocks lie: near others that the same worker uses, because a worker whose actors lie among those of others uses
// a part of its caches only. Workers of all engines share the places.
// docs/decisions/0071-blocks-lie-near-their-worker.md
using block_place = unsigned char;
inline constexpr block_place no_worker = 0;
inline constexpr std::size_t block_places = 64;
constexpr block_place place_of_worker(unsigned worker) noexcept {
  return static_cast<block_place>(1 + worker % (block_places - 1));
}

}  // namespace tact::base
