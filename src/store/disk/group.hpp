// A group of changes on its way into the file: one transaction of LMDB.
#pragma once

#include <cstddef>
#include <cstdint>
#include <functional>
#include <span>
#include <string>
#include <vector>

#include "store/disk/open_file.hpp"
#include "tact/store/detail/disk.hpp"

namespace tact::lmdb {

using detail::byte_change;
using detail::commit_result;

// Why no file takes this group, which is refused before anything is done; empty if one may.
[[nodiscard]] std::string objection(const open_file& file, std::span<const byte_change> changes);

// Of several changes to an entry the last one, in the order of tables and keys.
[[nodiscard]] std::vector<const byte_change*> last_of_each(std::span<const byte_change> changes);

// How a transaction ended.
struct group_outcome {
  enum class what : unsigned char { committed, unchanged, failed_before_commit, failed_in_commit };
  what ended = what::unchanged;
  int code = 0;
  std::uint64_t version = 0;  // of what was committed, or was found
};
// Does `write` in a transaction, which is committed if that says that it has changed something. It returns LMDB's code.
// `mark_open`: the file is marked as open, too. REQUIRES: no other thread writes.
using writing = std::function<int(MDB_txn*, bool& changed)>;
[[nodiscard]] group_outcome write_once(open_file& file, const writing& write, bool mark_open);

// Writes the changes to the transaction.
[[nodiscard]] int write_changes(const open_file& file, MDB_txn* txn, std::span<const byte_change* const> changes,
                                std::vector<const byte_change*>& done);

// The bytes that the group needs in the file at most, roughly.
[[nodiscard]] std::size_t bytes_of(std::span<const byte_change> changes) noexcept;

}  // namespace tact::lmdb
