// What a broken schedule leaves behind: not reported as leaked.
#pragma once

#include "base/sanitized.hpp"

#if defined(TACT_ASAN)
#include <sanitizer/lsan_interface.h>
#endif

namespace tact::support {

// A schedule that fails ends in the midst of things, and what its threads had in hand is not freed. While this lives,
// LeakSanitizer does not look at what the thread allocates.
class passed_over {
 public:
#if defined(TACT_ASAN)
  passed_over() { __lsan_disable(); }
  ~passed_over() { __lsan_enable(); }
#else
  passed_over() {}
  ~passed_over() {}
#endif
  passed_over(const passed_over&) = delete;
  passed_over& operator=(const passed_over&) = delete;
};

}  // namespace tact::support
