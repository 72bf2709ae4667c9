#include "store/crash/lmdb_calls.hpp"

#include <dlfcn.h>
#include <sys/types.h>

#include <cerrno>

struct MDB_env;
struct MDB_txn;

namespace tact::store_tests {

namespace {

lmdb_mistakes planted;

}  // namespace

void plant_in_lmdb(const lmdb_mistakes& mistakes) { planted = mistakes; }

namespace {

// As in lmdb.h.
constexpr unsigned no_sync_flag = 0x10000;
constexpr unsigned no_meta_sync_flag = 0x40000;

template <class F>
F next(const char* name) {
  return reinterpret_cast<F>(::dlsym(RTLD_NEXT, name));
}

}  // namespace

}  // namespace tact::store_tests

extern "C" {

// Called by tact-store in the place of those of LMDB.
__attribute__((used, visibility("default"))) int mdb_env_open(MDB_env* env, const char* path, unsigned flags,
                                                              mode_t mode);
__attribute__((used, visibility("default"))) int mdb_txn_commit(MDB_txn* txn);

int mdb_env_open(MDB_env* env, const char* path, unsigned flags, mode_t mode) {
  using namespace tact::store_tests;
  if (planted.no_sync) flags |= no_sync_flag;
  if (planted.no_meta_sync) flags |= no_meta_sync_flag;
  static const auto real = next<int (*)(MDB_env*, const char*, unsigned, mode_t)>("mdb_env_open");
  return real(env, path, flags, mode);
}

int mdb_txn_commit(MDB_txn* txn) {
  static const auto real = tact::store_tests::next<int (*)(MDB_txn*)>("mdb_txn_commit");
  const int rc = real(txn);
  return rc == EIO && tact::store_tests::planted.ignores_failure ? 0 : rc;
}

}  // extern "C"
