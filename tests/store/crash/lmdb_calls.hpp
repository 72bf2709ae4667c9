// Mistakes in the use of LMDB, planted in its calls.
#pragma once

namespace tact::store_tests {

struct lmdb_mistakes {
  bool no_sync = false;
  bool no_meta_sync = false;
  bool ignores_failure = false;
};

// From the next opening on.
void plant_in_lmdb(const lmdb_mistakes& mistakes);

}  // namespace tact::store_tests
