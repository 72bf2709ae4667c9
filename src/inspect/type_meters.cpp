#include "inspect/type_meters.hpp"

#include <new>

namespace tact::inspect {

type_meters::row* type_meters::of(const detail::behavior_type& type) noexcept {
  if (last_ != nullptr && last_->type == &type) return last_;
  for (row& r : rows_) {
    if (r.type == &type) return last_ = &r;
  }
  try {
    const std::lock_guard lock(mutex_);
    return last_ = &rows_.emplace_back(type);
  } catch (const std::bad_alloc&) {
    return nullptr;
  }
}

}  // namespace tact::inspect
