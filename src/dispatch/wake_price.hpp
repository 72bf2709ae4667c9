// What a wake-up costs. Code that compares a piece of work with the cost of a wake-up uses these two numbers. Only
// mailbox/inbox.hpp, which may not include this file, has a number of its own: slow_ns.
#pragma once

#include <cstdint>

namespace tact::dispatch {

// From the call that wakes a sleeping worker to the first message that it runs; measured by benchmarks/micro/wake.cpp.
inline constexpr std::uint64_t wake_up_ns = 20'000;
// The part of that time which the thread that wakes spends in its call.
inline constexpr std::uint64_t waking_ns = 3'000;

}  // namespace tact::dispatch
