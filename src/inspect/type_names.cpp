#include "inspect/type_names.hpp"

#include <new>

namespace tact::inspect {

std::uint32_t type_names::number_of(const void* type, std::string_view name) noexcept {
  try {
    const std::lock_guard lock(mutex_);
    if (const auto found = numbers_.find(type); found != numbers_.end()) return found->second;
    names_.emplace_back(name);
    const auto number = static_cast<std::uint32_t>(names_.size() - 1);
    numbers_.emplace(type, number);
    return number;
  } catch (const std::bad_alloc&) {
    return unknown;
  }
}

std::vector<std::string> type_names::read() const {
  const std::lock_guard lock(mutex_);
  return names_;
}

}  // namespace tact::inspect
