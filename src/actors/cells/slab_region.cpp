#include "actors/cells/slab_region.hpp"

#include <sys/mman.h>
#include <unistd.h>

#include "base/sanitized.hpp"

#if defined(TACT_ASAN)
#include <sanitizer/lsan_interface.h>
#endif

namespace tact::actors {

void* map_region(base::page_binder bind, bool huge) {
  void* const region = base::map_aligned(region_bytes, bind);
#if defined(TACT_ASAN)
  __lsan_register_root_region(region, region_bytes);  // actors own memory to which only their cells lead
#endif
#if defined(MADV_HUGEPAGE)
  if (bind == nullptr && huge) static_cast<void>(::madvise(region, region_bytes, MADV_HUGEPAGE));
#endif
  return region;
}

bool give_back_pages(void* region, unsigned first, unsigned count) noexcept {
  static const bool fits = ::sysconf(_SC_PAGESIZE) == static_cast<long>(region_page_bytes);
  if (!fits) return false;
#if defined(MADV_NOHUGEPAGE)
  // Else the system might make a large page of the few pages that are left, and all of it would be memory again.
  static_cast<void>(::madvise(region, region_bytes, MADV_NOHUGEPAGE));
#endif
  auto* const from = static_cast<std::byte*>(region) + first * region_page_bytes;
  return ::madvise(from, count * region_page_bytes, MADV_DONTNEED) == 0;
}

}  // namespace tact::actors
