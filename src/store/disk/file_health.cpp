#include "store/disk/file_health.hpp"

namespace tact::lmdb {

void file_health::stop(const std::string& why) noexcept {
  const std::lock_guard lock(mutex_);
  if (state_.load() != state::well) return;
  try {
    why_ = why;
  } catch (...) {  // the text is missing then
  }
  state_.store(state::stopped);
}

std::string file_health::text() const {
  if (is_forked()) {
    return file_.string() +
           ": the file was opened before this process was forked, and LMDB cannot be used on both sides; "
           "open the store in the child, after the parent has closed it, or in the parent alone";
  }
  const std::lock_guard lock(mutex_);
  return file_.string() + ": the store has stopped and does nothing any more: " + why_ +
         ". Close it and open it again, which reads what is on the disk";
}

void file_health::throw_stopped() const { throw store_error(store_problem::stopped, text()); }

}  // namespace tact::lmdb
