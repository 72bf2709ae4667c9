// The users of both servers, for their tests: one that reads along, and one that reads nothing for a long time.
#pragma once

#include <netinet/in.h>
#include <sys/socket.h>
#include <sys/time.h>
#include <unistd.h>

#include <csignal>
#include <cstdint>
#include <cstdlib>
#include <iostream>
#include <string>

namespace chat {

class user {
 public:
  explicit user(std::uint16_t port, int receive_buffer = 0) {
    if (receive_buffer != 0)
      ::setsockopt(socket_, SOL_SOCKET, SO_RCVBUF, &receive_buffer, static_cast<socklen_t>(sizeof receive_buffer));
    const timeval patience{.tv_sec = 60, .tv_usec = 0};
    ::setsockopt(socket_, SOL_SOCKET, SO_RCVTIMEO, &patience, static_cast<socklen_t>(sizeof patience));
    sockaddr_in at{};
    at.sin_family = AF_INET;
    at.sin_port = htons(port);
    at.sin_addr.s_addr = htonl(INADDR_LOOPBACK);
    is_there_ = ::connect(socket_, reinterpret_cast<const sockaddr*>(&at), sizeof at) == 0 && read() == "welcome";
  }
  user(const user&) = delete;
  user& operator=(const user&) = delete;
  ~user() { ::close(socket_); }

  [[nodiscard]] bool is_there() const { return is_there_; }
  void say(const std::string& line) {
    const std::string text = line + "\n";
    if (::send(socket_, text.data(), text.size(), MSG_NOSIGNAL) != static_cast<ssize_t>(text.size())) is_there_ = false;
  }
  // The next line; empty when the server has closed.
  std::string read() {
    for (;;) {
      if (const auto end = rest_.find('\n'); end != std::string::npos) {
        std::string line = rest_.substr(0, end);
        rest_.erase(0, end + 1);
        return line;
      }
      char buffer[4096];
      const ssize_t bytes = ::recv(socket_, buffer, sizeof buffer, 0);
      if (bytes <= 0) return {};
      rest_.append(buffer, static_cast<std::size_t>(bytes));
    }
  }

 private:
  const int socket_ = ::socket(AF_INET, SOCK_STREAM, 0);
  bool is_there_ = false;
  std::string rest_{};
};

// Says many lines, of which the slow user misses some; then asks the process to end, and sees that both are told.
inline bool try_out(std::uint16_t port) {
  constexpr int lines = 4'000;
  user quick(port);
  user slow(port, 4'096);
  if (!quick.is_there() || !slow.is_there()) return false;
  const std::string line(200, '.');
  int read_by_quick = 0;
  for (int i = 0; i < lines; ++i) {
    quick.say(line);
    read_by_quick += quick.read() == line;
  }
  ::kill(::getpid(), SIGTERM);
  const bool quick_is_told = quick.read() == "goodbye" && quick.read().empty();
  int read_by_slow = 0;
  int missed = 0;
  std::string last;
  for (std::string heard = slow.read(); !heard.empty(); heard = slow.read()) {
    last = heard;
    read_by_slow += heard == line;
    if (heard.front() == '(') missed += std::atoi(heard.c_str() + 1);
  }
  std::cout << "the slow user has read " << read_by_slow << " lines and missed " << missed << '\n';
  return read_by_quick == lines && quick_is_told && last == "goodbye" && missed > 0 && read_by_slow + missed == lines;
}

// Until run_until_signal is called, the signal waits.
inline void hold_signal() {
  sigset_t term;
  ::sigemptyset(&term);
  ::sigaddset(&term, SIGTERM);
  ::pthread_sigmask(SIG_BLOCK, &term, nullptr);
}

}  // namespace chat
