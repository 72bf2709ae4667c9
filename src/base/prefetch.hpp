// Fetching memory into the cache before it is used.
#pragma once

#if defined(TACT_MODELLED)
namespace tact::modelled {
// The compiler tells a model of every access, but not of a fetch.
void prefetch(const void* address) noexcept;
void prefetch_to_write(const void* address) noexcept;
}  // namespace tact::modelled
#endif

namespace tact::base {

[[gnu::always_inline]] inline void prefetch(const void* address) noexcept {
#if defined(TACT_MODELLED)
  modelled::prefetch(address);
#else
  __builtin_prefetch(address);
#endif
}
[[gnu::always_inline]] inline void prefetch_to_write(const void* address) noexcept {
#if defined(TACT_MODELLED)
  modelled::prefetch_to_write(address);
#else
  __builtin_prefetch(address, 1);
#endif
}

}  // namespace tact::base
