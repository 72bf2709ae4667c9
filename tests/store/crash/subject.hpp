// The store under test: as it is, or with a mistake that its makers could have made.
#pragma once

#include <filesystem>
#include <memory>
#include <span>
#include <stdexcept>
#include <vector>

#include "store/crash/program.hpp"
#include "tact/store/detail/disk.hpp"

namespace tact::store_tests {

enum class mistake : unsigned char {
  none,
  no_sync,                  // LMDB is told not to flush
  no_meta_sync,             // LMDB is told not to flush the page that says which version is the last
  folder_not_synced,        // the name of a new file is not flushed
  failed_sync_ignored,      // LMDB's answer that a flush has failed is not looked at
  unknown_is_durable,       // what is unknown is answered as durable
  unknown_is_refused,       // it is answered as refused, and the store goes on
  group_in_two,             // a group is written in two transactions
  group_in_part,            // the last change of a long group is left out
  earlier_over_later,       // of two changes of a key, the first one wins
  refused_comes_later,      // what was refused is written with the next group
  answered_before,          // a group is answered when it has been taken, and written with the next one
  not_flushed_when_opened,  // what a file has when it is opened is taken to be on the disk
  count
};
const char* name_of(mistake m);

// The ways to read do not agree.
struct unlike_reads : std::logic_error {
  using std::logic_error::logic_error;
};

class subject {
 public:
  subject(const std::filesystem::path& file, const store_options& options, mistake wrong = mistake::none);
  ~subject();
  subject(const subject&) = delete;
  subject& operator=(const subject&) = delete;

  detail::commit_result commit(const std::vector<detail::byte_change>& group);
  // All that is in the tables. Throws unlike_reads.
  [[nodiscard]] contents read();
  [[nodiscard]] std::uint64_t version();

 private:
  detail::commit_result commit_with_mistake(std::vector<detail::byte_change> changes);
  void open();
  void open_again();

  const std::filesystem::path file_;
  const store_options options_;
  const mistake wrong_;
  std::shared_ptr<detail::disk> disk_{};
  std::vector<detail::table_number> tables_{};
  std::vector<detail::byte_change> kept_{};
};

}  // namespace tact::store_tests
