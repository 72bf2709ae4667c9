// A file that is open already, opened once more, so that writing to it does not wait.
#pragma once

#include <fcntl.h>
#include <unistd.h>

#include <charconv>

namespace tact::sync {

// Flags such as O_NONBLOCK belong to an open file, which other processes may share; so the new one has flags of its
// own. Thread safety: none.
class opened_again {
 public:
  // On failure errno says why.
  explicit opened_again(int file) noexcept {
    char name[32] = "/proc/self/fd/";
    *std::to_chars(name + 14, name + sizeof name - 1, file).ptr = '\0';
    file_ = ::open(name, O_WRONLY | O_NONBLOCK | O_NOCTTY | O_CLOEXEC);
  }
  ~opened_again() {
    if (file_ >= 0) ::close(file_);
  }
  opened_again(const opened_again&) = delete;
  opened_again& operator=(const opened_again&) = delete;
  // Negative: it could not be opened.
  [[nodiscard]] int file() const noexcept { return file_; }

 private:
  int file_ = -1;
};

}  // namespace tact::sync
