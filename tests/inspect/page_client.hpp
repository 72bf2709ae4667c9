// A client of a live page that may also do what no browser does: plain sockets, HTTP and WebSocket by hand.
#pragma once

#include <arpa/inet.h>
#include <netinet/in.h>
#include <poll.h>
#include <sys/socket.h>
#include <unistd.h>

#include <cstdint>
#include <string>
#include <string_view>
#include <utility>

#include "support/engine_fixture.hpp"

namespace inspect_page_test {

// "http://127.0.0.1:41213/#0c5f"
struct place {
  std::uint16_t port = 0;
  std::string token{};

  explicit place(const std::string& url) {
    const auto colon = url.rfind(':');
    const auto hash = url.find('#');
    port = static_cast<std::uint16_t>(std::stoi(url.substr(colon + 1)));
    token = url.substr(hash + 1);
  }
  [[nodiscard]] std::string host() const { return "127.0.0.1:" + std::to_string(port); }
};

class connection {
 public:
  explicit connection(std::uint16_t port) : socket_(::socket(AF_INET, SOCK_STREAM | SOCK_CLOEXEC, 0)) {
    sockaddr_in to{};
    to.sin_family = AF_INET;
    to.sin_port = htons(port);
    to.sin_addr.s_addr = htonl(INADDR_LOOPBACK);
    is_open_ = ::connect(socket_, reinterpret_cast<const sockaddr*>(&to), sizeof to) == 0;
  }
  ~connection() { ::close(socket_); }
  connection(const connection&) = delete;
  connection& operator=(const connection&) = delete;

  [[nodiscard]] bool is_open() const { return is_open_; }
  // False: the other side has closed it.
  bool send(std::string_view bytes) {
    while (!bytes.empty()) {
      const ssize_t n = ::send(socket_, bytes.data(), bytes.size(), MSG_NOSIGNAL);
      if (n <= 0) return false;
      bytes.remove_prefix(static_cast<std::size_t>(n));
    }
    return true;
  }
  // Waits for more; false: there comes nothing more.
  bool receive() {
    pollfd p{socket_, POLLIN, 0};
    if (::poll(&p, 1, 60'000) != 1) return false;
    char bytes[65536];
    const ssize_t n = ::recv(socket_, bytes, sizeof bytes, 0);
    if (n <= 0) return false;
    got_.append(bytes, static_cast<std::size_t>(n));
    return true;
  }
  // All that comes until the other side closes.
  std::string rest() {
    while (receive()) {
    }
    return std::exchange(got_, {});
  }
  std::string take(std::size_t bytes) {
    while (got_.size() < bytes && receive()) {
    }
    std::string front = got_.substr(0, bytes);
    got_.erase(0, bytes);
    return front;
  }
  std::string take_through(std::string_view mark) {
    while (got_.find(mark) == got_.npos) {
      if (!receive()) return std::exchange(got_, {});
    }
    return take(got_.find(mark) + mark.size());
  }

 private:
  const int socket_;
  bool is_open_ = false;
  std::string got_;
};

inline std::string get(const place& at, const std::string& headers, const std::string& target = "/",
                       const std::string& method = "GET") {
  connection c(at.port);
  c.send(method + ' ' + target + " HTTP/1.1\r\n" + headers + "\r\n");
  return c.rest();
}

// What a frame of a WebSocket has: 1 text, 8 the end, 9 ping. An end has the code in `code`.
struct frame {
  int kind = 0;
  std::string text{};
  int code = 0;
};

class web_socket {
 public:
  explicit web_socket(const place& at, const std::string& origin = "", const std::string& target = "/socket")
      : connection_(at.port) {
    connection_.send("GET " + target + " HTTP/1.1\r\nHost: " + at.host() + "\r\n" +
                     (origin.empty() ? "" : "Origin: " + origin + "\r\n") +
                     "Upgrade: websocket\r\nConnection: Upgrade\r\nSec-WebSocket-Version: 13\r\n"
                     "Sec-WebSocket-Key: dGhlIHNhbXBsZSBub25jZQ==\r\n\r\n");
    answer_ = connection_.take_through("\r\n\r\n");
  }

  [[nodiscard]] const std::string& answer() const { return answer_; }
  [[nodiscard]] bool is_open() const { return answer_.find(" 101 ") != answer_.npos; }
  bool send(std::string_view text) { return connection_.send(framed(text)); }
  bool send_bytes(std::string_view bytes) { return connection_.send(bytes); }
  bool show(const place& at) { return send("{\"token\":\"" + at.token + "\"}"); }

  // The next text or end; an end without a code when the connection is over.
  frame next() {
    for (;;) {
      const std::string head = connection_.take(2);
      if (head.size() < 2) return {8, "", 0};
      std::uint64_t length = static_cast<unsigned char>(head[1]) & 0x7FU;
      const int more = length == 126 ? 2 : length == 127 ? 8 : 0;
      if (more != 0) length = 0;
      for (const char c : connection_.take(static_cast<std::size_t>(more)))
        length = length * 256 + static_cast<unsigned char>(c);
      frame f{head[0] & 0x0F, connection_.take(length)};
      if (f.kind == 8 && f.text.size() >= 2)
        f.code = static_cast<unsigned char>(f.text[0]) * 256 + static_cast<unsigned char>(f.text[1]);
      if (f.kind == 1 || f.kind == 8) return f;
    }
  }
  // The next text of this kind, or the end.
  frame next(std::string_view kind) {
    for (;;) {
      frame f = next();
      if (f.kind == 8 || f.text.find("\"kind\":\"" + std::string(kind) + '"') != f.text.npos) return f;
    }
  }

 private:
  static std::string framed(std::string_view text) {
    std::string all = "\x81";
    if (text.size() < 126) {
      all += static_cast<char>(0x80U | text.size());
    } else {  // up to 65,535 bytes
      all += static_cast<char>(0x80U | 126U);
      all += static_cast<char>(text.size() >> 8U);
      all += static_cast<char>(text.size());
    }
    return all + std::string(4, '\0') + std::string(text);  // masked by nothing but zeros
  }

  connection connection_;
  std::string answer_;
};

}  // namespace inspect_page_test
