// The guard of a stack: addresses without access below it. An overflow that touches one of them is a fault, and no
// write to memory that belongs to something else.
#pragma once

#include <cstddef>

namespace tact::base {

// A function with a large frame need not touch every page of it, and jumps over a guard that is smaller than the frame,
// unless it is compiled with -fstack-clash-protection. So a guard is as wide as its cost allows. It takes up addresses,
// and page tables where it lies between others: docs/decisions/0058. Each width is a multiple of every page size.
inline constexpr std::size_t wide_guard_bytes = std::size_t{64} * 1024 * 1024;
inline constexpr std::size_t usual_guard_bytes = std::size_t{1024} * 1024;
// The guard where addresses are limited (ulimit -v).
inline constexpr std::size_t least_guard_bytes = std::size_t{64} * 1024;

// How many bytes of addresses the process may use: the limit that it was given, or what processors have.
[[nodiscard]] std::size_t addresses_allowed() noexcept;
[[nodiscard]] bool are_addresses_limited() noexcept;

}  // namespace tact::base
