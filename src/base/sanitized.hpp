// Which sanitizers the code is compiled with; GCC and clang announce them in different ways.
#pragma once

#if defined(__SANITIZE_ADDRESS__)
#define TACT_ASAN 1
#elif defined(__has_feature)
#if __has_feature(address_sanitizer)
#define TACT_ASAN 1
#endif
#endif

#if defined(__SANITIZE_THREAD__)
#define TACT_TSAN 1
#elif defined(__has_feature)
#if __has_feature(thread_sanitizer)
#define TACT_TSAN 1
#endif
#endif

namespace tact::base {

#if defined(TACT_ASAN)
inline constexpr bool under_asan = true;
#else
inline constexpr bool under_asan = false;
#endif
#if defined(TACT_TSAN)
inline constexpr bool under_tsan = true;
#else
inline constexpr bool under_tsan = false;
#endif

// Under AddressSanitizer every block of memory comes from malloc and goes back to it, so that use after free is seen.
inline constexpr bool pooling = !under_asan;

}  // namespace tact::base
