// What it costs to bring work to another core. Code that compares a piece of work with such a cost uses these numbers:
// three that were measured, and what follows from them. docs/scheduling.md has all comparisons in one table.
#pragma once

#include <cstdint>

namespace tact::dispatch::prices {

// -- measured
// To read a line that another core has written last: docs/crossing.md.
inline constexpr std::uint64_t line_ns = 50;
// From the call that wakes a sleeping worker to the first message that it runs: benchmarks/micro/wake.cpp.
inline constexpr std::uint64_t wake_up_ns = 20'000;
// The part of that time which the thread that wakes spends in its call.
inline constexpr std::uint64_t waking_ns = 3'000;

// -- what follows from a line
// A message that any worker may run brings no actor with it: the behaviour of its actor is read by all, and does not
// move. Such a message takes its own line.
inline constexpr std::uint64_t message_ns = line_ns;
// An actor that was last run by another worker: its cell, its behaviour and its object.
inline constexpr std::uint64_t actor_ns = 3 * line_ns;
// A message that is moved together with its actor, and the tail of the queue behind which it is written.
inline constexpr std::uint64_t move_ns = message_ns + actor_ns + line_ns;

// -- what follows from a wake-up
// Messages so brief cost little in sum even if one more of them is run before a worker looks up.
inline constexpr std::uint64_t brief_ns = wake_up_ns / 10;
// Messages that take so long may as well be run anywhere.
inline constexpr std::uint64_t slow_ns = wake_up_ns / 2;
// What has lasted so long is not over soon; to act on it costs a tenth of it.
inline constexpr std::uint64_t long_ns = 10 * wake_up_ns;

}  // namespace tact::dispatch::prices
