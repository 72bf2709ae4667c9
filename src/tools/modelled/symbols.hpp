// Names for places in the program.
#pragma once

#include <cstdint>
#include <string>
#include <vector>

namespace tact::modelled {

// A function, with the file and line where it is known: found by addr2line, by the dynamic linker where that is not
// installed, or as the bare address.
[[nodiscard]] std::vector<std::string> names_of(const std::vector<std::uintptr_t>& places);

}  // namespace tact::modelled
