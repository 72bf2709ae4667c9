// The paths in what was dropped onto a window: a list of URIs, or of plain paths, a line each.
#pragma once

#include <string>
#include <string_view>
#include <vector>

namespace loudness {

// What is no file of this machine is left out.
std::vector<std::string> dropped_paths(std::string_view text);

}  // namespace loudness
