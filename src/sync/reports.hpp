// What the library tells people on stderr while the program goes on. A report never holds the thread that makes it.
#pragma once

#include <cstddef>
#include <cstdint>
#include <string_view>

namespace tact::sync {

// A line of a report, with its end, has so many bytes at most; a longer one is cut. A pipe takes them at once or not at
// all (PIPE_BUF).
inline constexpr std::size_t report_line_bytes_max = 4096;

// Writes `text`, one or more lines with their ends, to stderr, behind what other threads report. Where the reader of a
// pipe, a socket or a terminal is behind, and nothing more is taken, the text is lost, and counted. The first report
// for which there is room again is preceded by a line that says how many were lost. A reader that has gone ends
// nothing: no signal is raised. What ends the process is no report: it is written directly.
// Thread safety: any thread; not in a handler of signals. Does not allocate.
void report(std::string_view text) noexcept;
// As report, but returns false when the text could not be written. Then the text is not counted, because the caller
// writes it later.
[[nodiscard]] bool try_report(std::string_view text) noexcept;

// How many reports of this process were lost.
[[nodiscard]] std::uint64_t count_lost_reports() noexcept;
// Says how many were lost since that was said last, if there were any and there is room. It is also called when the
// process ends.
void tell_lost_reports() noexcept;

}  // namespace tact::sync
