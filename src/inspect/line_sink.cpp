#include "inspect/line_sink.hpp"

#include <fcntl.h>
#include <poll.h>
#include <sys/socket.h>
#include <sys/stat.h>
#include <unistd.h>

#include <cerrno>
#include <climits>
#include <string>

#include "sync/opened_again.hpp"

namespace tact::inspect {

namespace {

// Calls `put` with one piece after the other until one is not taken whole.
template <class Put>
line_sink::result put_pieces(std::string_view lines, std::size_t most, Put put) noexcept {
  line_sink::result all;
  while (all.taken != lines.size()) {
    std::string_view piece = lines.substr(all.taken, most);
    if (all.taken + piece.size() != lines.size()) {
      if (const std::size_t end = piece.rfind('\n'); end != piece.npos) piece = piece.substr(0, end + 1);
    }
    const ssize_t taken = put(piece);
    if (taken < 0 && errno == EINTR) continue;
    if (taken < 0) {
      all.has_failed = errno != EAGAIN && errno != EWOULDBLOCK;
      return all;
    }
    all.taken += static_cast<std::size_t>(taken);
    if (static_cast<std::size_t>(taken) != piece.size()) return all;
  }
  return all;
}

bool has_room(int file, int within_ms) noexcept {
  pollfd p{file, POLLOUT, 0};
  return ::poll(&p, 1, within_ms) == 1 && p.revents != 0;
}

line_sink::result write_to_pipe_or_terminal(int file, std::string_view lines) noexcept {
  const sync::opened_again own(file);
  if (own.file() < 0 && errno == ENXIO) return {0, true};  // a pipe without a reader
  const int to = own.file() >= 0 ? own.file() : file;
  return put_pieces(lines, PIPE_BUF, [=](std::string_view piece) -> ssize_t {
    if (to == file && !has_room(file, 0)) {
      errno = EAGAIN;
      return -1;
    }
    return ::write(to, piece.data(), piece.size());
  });
}

}  // namespace

line_sink::result file_sink::write(std::string_view lines) noexcept {
  struct stat about {};
  if (::fstat(file_, &about) != 0) return {0, true};
  if (S_ISFIFO(about.st_mode) || ::isatty(file_) == 1) return write_to_pipe_or_terminal(file_, lines);
  if (S_ISSOCK(about.st_mode)) {
    return put_pieces(lines, lines.size(), [this](std::string_view piece) {
      return ::send(file_, piece.data(), piece.size(), MSG_DONTWAIT | MSG_NOSIGNAL);
    });
  }
  return put_pieces(lines, lines.size(),
                    [this](std::string_view piece) { return ::write(file_, piece.data(), piece.size()); });
}

void file_sink::wait(std::chrono::milliseconds most) noexcept { has_room(file_, static_cast<int>(most.count())); }

line_sink::result function_sink::write(std::string_view lines) noexcept {
  try {
    to_(lines);
    return {lines.size(), false};
  } catch (...) {
    return {0, true};
  }
}

}  // namespace tact::inspect
