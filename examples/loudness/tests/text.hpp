// Questions about strings, the same in every version of Catch2.
#pragma once

#include <string_view>

namespace loudness::tests {

inline bool contains(std::string_view text, std::string_view part) { return text.find(part) != std::string_view::npos; }

}  // namespace loudness::tests
