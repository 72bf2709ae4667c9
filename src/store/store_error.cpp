#include "tact/store/store_error.hpp"

#include <ostream>

namespace tact {

std::string_view to_string(store_problem p) noexcept {
  switch (p) {
    case store_problem::not_opened:
      return "not opened";
    case store_problem::in_use:
      return "in use";
    case store_problem::damaged:
      return "damaged";
    case store_problem::unreadable:
      return "unreadable";
    case store_problem::refused:
      return "refused";
    case store_problem::stopped:
      return "stopped";
    case store_problem::unknown:
      return "unknown";
    case store_problem::snapshot_ended:
      return "snapshot ended";
  }
  return "no store_problem";
}

std::ostream& operator<<(std::ostream& out, store_problem p) { return out << to_string(p); }

}  // namespace tact
