// tact::with_file: a service that works on a file, which is open only meanwhile.
#include "tact/detail/begin.hpp"  // first
#pragma once

#include <cerrno>
#include <cstdio>
#include <stdexcept>
#include <string>
#include <system_error>
#include <type_traits>
#include <utility>

#include "tact/behavior.hpp"
#include "tact/protocol.hpp"
#include "tact/request.hpp"
#include "tact/self.hpp"

namespace tact {

namespace detail {

// The system's text for errno, such as "No such file or directory", behind what was done with which file.
inline std::runtime_error file_error(const char* action, const std::string& path, int error) {
  return std::runtime_error(std::string("tact::with_file: ") + action + " '" + path +
                            "': " + std::generic_category().message(error));
}

}  // namespace detail

// A file that is open as long as this object lives. Thread safety: none; one thread at a time.
class open_file {
 public:
  // Opens the file as std::fopen does. Throws std::runtime_error with the system's text when that fails.
  open_file(std::string path, const char* mode) : path_(std::move(path)), stream_(std::fopen(path_.c_str(), mode)) {
    if (stream_ == nullptr) throw detail::file_error("open", path_, errno);
  }
  open_file(const open_file&) = delete;
  open_file& operator=(const open_file&) = delete;
  // Closes the file, if that was not done yet. A failure of closing is not told.
  ~open_file() {
    if (stream_ != nullptr) static_cast<void>(std::fclose(stream_));
  }

  // Writes out what is buffered, and closes the file. Throws std::runtime_error with the system's text when that fails;
  // the file is closed all the same. Closing again does nothing.
  void close() {
    std::FILE* const s = std::exchange(stream_, nullptr);
    if (s != nullptr && std::fclose(s) != 0) throw detail::file_error("close", path_, errno);
  }
  // For the calls of <cstdio>; null when it was closed.
  [[nodiscard]] std::FILE* stream() const noexcept { return stream_; }
  [[nodiscard]] const std::string& path() const noexcept { return path_; }

 private:
  std::string path_;
  std::FILE* stream_;
};

namespace detail {

template <class Q, class F>
struct file_user {
  using reply = typename Q::reply;

  void operator()(self<request<Q>>& self, const request<Q>& m) const {
    open_file file(path, mode.c_str());
    if constexpr (std::is_void_v<reply>) {
      use(file, m.body);
      file.close();
      self.reply(m);
    } else {
      reply answer = use(file, m.body);
      file.close();
      self.reply(m, std::move(answer));
    }
  }

  std::string path;
  std::string mode;
  F use;
};

}  // namespace detail

// const auto log = engine.create(tact::with_file<append>("log.txt", "a", [](tact::open_file& f, const append& line) {
//   if (std::fputs(line.text.c_str(), f.stream()) < 0) throw std::runtime_error("the disk is full");
// }), tact::blocking);
// engine.ask(log, append{"first\n"});
//
// For each request opens the file, as std::fopen(path, mode) does, calls use(file, query), closes the file and answers
// with what the function has returned. The file is closed on every way out, and before the customer hears. When it
// cannot be opened or closed, the request fails (handler_threw) with the system's text: "tact::with_file: open
// 'log.txt': Permission denied". What the function throws fails the request as well, and is told in the place of a
// failure to close. One request is worked on after the other, in the order of each sender.
//
// Create it with tact::blocking, because the calls wait for the disk; not with tact::parallel, where a request may be
// worked on twice, and not in an engine with engine_options::rehearse. `use` is called with const. To keep a file open
// between requests, let an actor own a tact::open_file, and put tact::idle_close before it. Costs: nothing beside the
// request. Thread safety: `use` runs on the thread of the actor. Source: Lisp-Actors (file-user).
template <class Q, class F>
[[nodiscard]] behavior<request<Q>> with_file(std::string path, std::string mode, F use) {
  static_assert(std::is_invocable_r_v<typename Q::reply, const F&, open_file&, const Q&>,
                "tact::with_file<Q>: the function is not callable with const as use(open_file&, const Q&), or does not "
                "return the reply of Q");
  return detail::file_user<Q, F>{std::move(path), std::move(mode), std::move(use)};
}

}  // namespace tact

#include "tact/detail/end.hpp"  // last
