// tact::difference: how a table differs from another one in one key.
#include "tact/detail/begin.hpp"  // first
#pragma once

namespace tact {

// What diff tells of a key. The entries are valid as long as their tables are.
template <class Entry>
struct difference {
  const Entry* before = nullptr;  // null: only the new table has the key
  const Entry* after = nullptr;   // null: only the old table has the key
};

}  // namespace tact

#include "tact/detail/end.hpp"  // last
