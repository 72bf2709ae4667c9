// captures: finds out whether a function that a handler hands out refers to what is destroyed with the handler.
#pragma once

#include <cstddef>
#include <cstdint>
#include <cstring>
#include <memory>
#include <type_traits>

#include "tact/detail/misuse.hpp"
#include "tact/detail/type_name.hpp"

namespace tact::detail {

// Stands for captures in builds that do not look for addresses.
struct no_captures {
  template <class... F>
  void look(const void*, const void*, F&...) noexcept {}
  [[nodiscard]] static constexpr bool were_found() noexcept { return false; }
  template <class F>
  void tell_if_dangling() const noexcept {}
};

// Looks at the bytes of functions for addresses in the frame of the handler that makes them: what [&] captures of its
// locals, and of its `self`. Only functions that consist of plain words are looked at, so not those that capture, for
// example, a string as well. An empty std::optional that was captured by value may hold bytes of anything, and look
// like such an address: so a line is written, and the program goes on.
class captures {
 public:
  // The frame reaches up to the higher one of the first two addresses.
  template <class... F>
  void look(const void* transaction, const void* end, F&... functions) noexcept {
    const auto first = reinterpret_cast<std::uintptr_t>(transaction);
    const auto second = reinterpret_cast<std::uintptr_t>(end);
    if ((refers_into_frame(functions, first < second ? second : first) || ...)) frame_ = note_frame(transaction);
  }
  [[nodiscard]] bool were_found() const noexcept { return frame_ != 0; }
  // Called before one of the functions, F, is called: reports it if the frame to which the functions refer is gone.
  template <class F>
  void tell_if_dangling() const noexcept {
    if (frame_ == 0 || has_frame(frame_)) return;
    tell_dangling(name_with_scope<F>.data(), static_cast<unsigned>(name_with_scope<F>.size()));
  }

 private:
  // Never inlined, so that its own frame lies below all frames that it looks for.
  template <class F>
  [[gnu::noinline]] static bool refers_into_frame(F& f, std::uintptr_t upper) noexcept {
    if constexpr (consists_of_words<F>) {
      const auto here = reinterpret_cast<std::uintptr_t>(__builtin_frame_address(0));
#if __has_builtin(__builtin_clear_padding)
      __builtin_clear_padding(std::addressof(f));
#endif
      std::uintptr_t words[sizeof(F) / sizeof(std::uintptr_t)];
      std::memcpy(words, std::addressof(f), sizeof words);
      for (const std::uintptr_t w : words) {
        if (here < w && w <= upper) return true;
      }
    }
    return false;
  }
#if __has_builtin(__builtin_clear_padding)
  template <class F>
  static constexpr bool has_no_other_bytes = true;
#else
  template <class F>
  static constexpr bool has_no_other_bytes = std::has_unique_object_representations_v<F>;
#endif
  template <class F>
  static constexpr bool consists_of_words =
      std::is_trivially_copyable_v<F> && alignof(F) == alignof(void*) && has_no_other_bytes<F>;

  std::uint64_t frame_ = 0;
};

#if defined(NDEBUG)
using captures_looked_at = no_captures;
#else
using captures_looked_at = captures;
#endif

}  // namespace tact::detail
