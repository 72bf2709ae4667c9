// What a wake-up costs. All that weighs work against waking a worker for it weighs it against these two.
#pragma once

#include <cstdint>

namespace tact::dispatch {

// From the call that wakes a sleeping worker to the first message that it runs; measured by benchmarks/micro/wake.cpp.
inline constexpr std::uint64_t wake_up_ns = 20'000;
// Of that, what the worker that calls spends in the call.
inline constexpr std::uint64_t waking_ns = 3'000;

}  // namespace tact::dispatch
