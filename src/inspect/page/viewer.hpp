// A browser that looks at a live page, over a WebSocket.
#pragma once

#include <deque>
#include <memory>
#include <string>

#include "inspect/page/guests.hpp"
#include "inspect/page/net.hpp"

namespace tact::inspect {

// What it has not taken yet is bounded: a newer snapshot takes the place of an older one. Thread safety: the thread of
// the server.
class viewer : public std::enable_shared_from_this<viewer> {
 public:
  viewer(net::beast::tcp_stream&& connection, guests& all);
  ~viewer();
  viewer(const viewer&) = delete;
  viewer& operator=(const viewer&) = delete;

  // Host and Origin of the request were found right.
  void begin(const net::request& r);
  void show(std::shared_ptr<const std::string> snapshot);

 private:
  void read();
  void heard(net::error e);
  void obey(std::string_view text);
  void check_token(std::string_view text);
  [[nodiscard]] bool is_too_fast();
  void tell(std::shared_ptr<const std::string> text);
  void write();
  void wrote(net::error e);
  void close(net::websocket::close_code code, const char* why);

  guests& all_;
  net::websocket::stream<net::beast::tcp_stream> socket_;
  net::asio::steady_timer limit_;  // for the token, and for each write
  net::beast::flat_buffer buffer_;
  std::deque<std::shared_ptr<const std::string>> answers_;
  std::shared_ptr<const std::string> snapshot_;
  std::shared_ptr<const std::string> written_;  // that is being written
  double credit_ = 0;                           // messages that it may send at once
  std::chrono::steady_clock::time_point credit_at_{};
  bool has_token_ = false;
  bool is_closing_ = false;
};

}  // namespace tact::inspect
