// The reference model: plays a program one message at a time, in an order that a seed chooses.
#pragma once

#include <cstdint>

#include "model/history.hpp"

namespace tact::model {

// A history as an engine may show it; every law holds.
[[nodiscard]] history play_in_sequence(const program&, std::uint64_t seed);

}  // namespace tact::model
