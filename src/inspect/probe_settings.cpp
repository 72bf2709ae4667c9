#include "inspect/probe_settings.hpp"

#include <new>

namespace tact::inspect {

std::unique_ptr<thread_steps> probe_settings::make_steps() noexcept {
  try {
    return std::make_unique<thread_steps>(events_per_thread.load(), names);
  } catch (const std::bad_alloc&) {
    unrecorded.fetch_add(1);
    return nullptr;
  }
}

}  // namespace tact::inspect
