// How much of this process is in memory.
#pragma once

#include <unistd.h>

#include <cstdint>
#include <fstream>

namespace tact::support {

inline std::uint64_t resident_bytes() {
  std::ifstream statm("/proc/self/statm");
  std::uint64_t size = 0;
  std::uint64_t resident = 0;
  statm >> size >> resident;
  return resident * static_cast<std::uint64_t>(sysconf(_SC_PAGESIZE));
}

}  // namespace tact::support
