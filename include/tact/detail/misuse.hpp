// What code that is compiled without NDEBUG looks at, so that a mistake is named where it is made. Objects have the
// same layout in other builds, so a program may mix both, and the library may be compiled either way.
#pragma once

#include <cstdint>

#include "tact/detail/core.hpp"

namespace tact::detail {

// Throws usage_error unless the calling thread runs the transaction of `r`, which is not looked into. Null: of a
// handler that has returned.
void refuse_foreign_run(const run* r);

// Says on stderr "tact: `what`, attached at `file`:`line`, `did`", without the place if file is null, and ends the
// program.
[[noreturn]] void end_misused(const char* what, const char* file, unsigned line, const char* did) noexcept;

// -- the frame of a handler: the part of its stack where its locals are

// Notes that something refers into the frame of the handler whose transaction is at that address; the number stands for
// that frame, and is never used again. Without memory 0, which no frame has.
[[nodiscard]] std::uint64_t note_frame(const void* transaction) noexcept;
// The handler returns: its frame is no more.
void forget_frame(const void* transaction) noexcept;
// Is that frame still there?
[[nodiscard]] bool has_frame(std::uint64_t number) noexcept;
// One line on stderr for each `continuation`, a constant, that is called when what it refers to is no more.
void tell_dangling(const char* continuation, unsigned length) noexcept;

}  // namespace tact::detail
