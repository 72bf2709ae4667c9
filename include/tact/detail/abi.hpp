// A program that is compiled with other settings than the library would crash, because strings, containers or tact's
// own types are laid out in another way, or a sanitizer would report what is no mistake. This header makes the linker
// refuse it: each file that includes tact refers to a symbol whose name says the settings, and the library defines only
// the symbol of its own settings.
#pragma once

#include <version>  // defines the settings of the standard library

#if defined(_GLIBCXX_DEBUG)
#define TACT_ABI_CONTAINERS with_GLIBCXX_DEBUG
#else
#define TACT_ABI_CONTAINERS without_GLIBCXX_DEBUG
#endif

#if defined(_LIBCPP_VERSION)
#define TACT_ABI_STRINGS libcxx
#elif !defined(__GLIBCXX__)
#define TACT_ABI_STRINGS another_standard_library
#elif _GLIBCXX_USE_CXX11_ABI
#define TACT_ABI_STRINGS GLIBCXX_USE_CXX11_ABI_1
#else
#define TACT_ABI_STRINGS GLIBCXX_USE_CXX11_ABI_0
#endif

// ThreadSanitizer sees what orders the accesses of two threads only where it is compiled in. With a library without it,
// it would report a race for each message, because the atomic operations that hand messages over are in the library.
// The same holds for MemorySanitizer and what the library writes.
#if defined(__SANITIZE_THREAD__)
#define TACT_ABI_SANITIZER with_fsanitize_thread
#elif defined(__has_feature)
#if __has_feature(thread_sanitizer)
#define TACT_ABI_SANITIZER with_fsanitize_thread
#elif __has_feature(memory_sanitizer)
#define TACT_ABI_SANITIZER with_fsanitize_memory
#endif
#endif
#if !defined(TACT_ABI_SANITIZER)
#define TACT_ABI_SANITIZER without_fsanitize_thread
#endif

// The last part is tact's version, as far as its types may change with it. A program in a model is compiled for that.
#if defined(TACT_MODELLED)
#define TACT_ABI_VERSION of_version_0_1_for_a_model
#else
#define TACT_ABI_VERSION of_version_0_1
#endif

#define TACT_ABI_SETTINGS TACT_ABI_CONTAINERS::TACT_ABI_STRINGS::TACT_ABI_SANITIZER::TACT_ABI_VERSION

namespace tact::this_program_needs_a_tact_library_built::TACT_ABI_SETTINGS {
extern const char settings;
// This is one pointer for the whole program, and no code that runs.
[[gnu::used]] inline constexpr const char* needed = &settings;
}  // namespace tact::this_program_needs_a_tact_library_built::TACT_ABI_SETTINGS
