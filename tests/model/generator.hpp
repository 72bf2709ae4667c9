// Random programs from seeds.
#pragma once

#include <cstdint>
#include <functional>

#include "model/program.hpp"

namespace tact::model {

[[nodiscard]] program program_of(std::uint64_t seed, unsigned workers);

// A small program of which this is still true, found by leaving away what is not needed.
// REQUIRES: it is true of the program of that seed.
[[nodiscard]] program shrunk(std::uint64_t seed, unsigned workers, const std::function<bool(const program&)>& is_bad);

}  // namespace tact::model
