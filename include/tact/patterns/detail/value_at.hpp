// value_at: the value of a key in a tact::map, as a pointer.
#pragma once

#include <memory>

#include "tact/data/map.hpp"

namespace tact::detail {

// Null if there is none; valid as long as this map or a copy of it, which has the same entry.
template <class K, class V, class Less, class Q>
[[nodiscard]] const V* value_at(const map<K, V, Less>& in, const Q& key) {
  const auto found = in.find(key);
  return found == in.end() ? nullptr : std::addressof(found->second);
}

}  // namespace tact::detail
