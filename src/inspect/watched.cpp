#include "tact/inspect/watched.hpp"

#include <cstdio>

namespace tact::detail {

std::string printing_look::after(const question& q) {
  char text[48];
  std::snprintf(text, sizeof text, ", after %.6g ms",
                std::chrono::duration<double, std::milli>(detail::now() - q.since).count());
  return text;
}

}  // namespace tact::detail
