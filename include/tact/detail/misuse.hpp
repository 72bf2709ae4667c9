// Checks of code that is compiled without NDEBUG, so that a mistake is named where it is made. Objects have the same
// layout in other builds, so a program may mix both, and the library may be compiled either way.
#pragma once

#include <cstdint>

#include "tact/detail/core.hpp"

namespace tact::detail {

// Throws usage_error unless the calling thread runs the transaction of `r`; `*r` is not read. Null stands for the
// transaction of a handler that has returned.
void refuse_foreign_run(const run* r);

// Says on stderr "tact: `what`, attached at `file`:`line`, `did`", without the place if file is null, and ends the
// program.
[[noreturn]] void end_misused(const char* what, const char* file, unsigned line, const char* did) noexcept;

// -- the frame of a handler: the part of its stack where its locals are

// Notes that a function refers into the frame of the handler whose transaction is at that address. Returns a number
// that stands for the frame and is never used again; without memory 0, which no frame has.
[[nodiscard]] std::uint64_t note_frame(const void* transaction) noexcept;
// Called when the handler returns: its frame is gone.
void forget_frame(const void* transaction) noexcept;
// True while that frame is still there.
[[nodiscard]] bool has_frame(std::uint64_t number) noexcept;
// Writes one line on stderr for each `continuation`, a constant text, that is called when what it refers to is gone.
void tell_dangling(const char* continuation, unsigned length) noexcept;

}  // namespace tact::detail
