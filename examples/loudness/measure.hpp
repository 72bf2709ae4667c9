// Measures one sound file by EBU R128: decoding and arithmetic, a plain function.
#pragma once

#include <filesystem>

#include "result.hpp"

namespace loudness {

// Throws sound_error.
measurement measure(const std::filesystem::path& path);

// The same with the reason of a failure in the result.
result measure_or_explain(const std::filesystem::path& path);

}  // namespace loudness
