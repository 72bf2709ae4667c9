// stderr as something that takes what it can take now, whatever it is.
#pragma once

#include <cstddef>
#include <string_view>

namespace tact::sync {

// Writes what is taken of `bytes` without waiting, and returns how many bytes that were: all, or none, of up to
// PIPE_BUF bytes that go to a pipe. 0 when stderr is full or closed, or has no reader any more.
//
// stderr is one file description that other processes may share, so it does not become O_NONBLOCK here. A pipe or a
// terminal is opened once more, for this one write; a socket is told for each call. Where the system lets neither be,
// because there is no /proc or because the process has changed its user, the thread looks first whether there is room;
// then another process that takes the room in between may hold it. A file is written as always.
[[nodiscard]] std::size_t write_to_stderr_now(std::string_view bytes) noexcept;

}  // namespace tact::sync
