// Many values in few columns of pixels, so that nothing that stands out is lost.
#pragma once

#include <algorithm>
#include <cstddef>
#include <span>
#include <vector>

namespace loudness {

struct extent {
  float lowest;
  float highest;
};

// The extent of the values in each of so many columns, from `begin` to before `end` of `all`, which would fill them;
// of columns without a value nothing. There are fewer columns when there are fewer values.
inline std::vector<extent> columns_of(std::span<const float> values, std::size_t all, std::size_t columns) {
  std::vector<extent> made;
  columns = std::min(columns, all);
  for (std::size_t column = 0; column < columns; ++column) {
    const std::size_t begin = column * all / columns;
    const std::size_t end = std::min((column + 1) * all / columns, values.size());
    if (begin >= end) break;
    const auto [lowest, highest] = std::minmax_element(values.data() + begin, values.data() + end);
    made.push_back({*lowest, *highest});
  }
  return made;
}

}  // namespace loudness
