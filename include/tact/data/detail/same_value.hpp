// Whether a change of a value would change nothing.
#include "tact/detail/begin.hpp"  // first
#pragma once

#include <concepts>
#include <cstring>
#include <memory>
#include <type_traits>

namespace tact::detail {

// Values that cannot be compared are the same if they are copied like bytes and have the same bytes.
template <class V>
[[nodiscard]] bool is_same_value(const V& a, const V& b) {
  if constexpr (std::equality_comparable<V>) {
    return a == b;
  } else if constexpr (std::is_trivially_copyable_v<V>) {
    return std::memcmp(std::addressof(a), std::addressof(b), sizeof(V)) == 0;
  } else {
    return false;
  }
}

}  // namespace tact::detail

#include "tact/detail/end.hpp"  // last
