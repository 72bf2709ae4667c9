// One HTTP request to a live page, and its answer.
#pragma once

#include <memory>
#include <optional>
#include <string>

#include "inspect/page/guests.hpp"
#include "inspect/page/net.hpp"

namespace tact::inspect {

// The page as it is sent, and what its policy for the browser needs: made by web/embed.py.
extern const std::string_view live_page_parts[];
extern const std::size_t live_page_parts_count;
extern const char live_page_script_hash[];
extern const char live_page_style_hash[];

// A connection serves one request. Thread safety: the thread of the server.
class visit : public std::enable_shared_from_this<visit> {
 public:
  visit(net::tcp::socket&& connection, guests& all);
  ~visit();
  visit(const visit&) = delete;
  visit& operator=(const visit&) = delete;

  void begin();

 private:
  void heard(net::error e);
  void refuse(net::http::status status, std::string_view why);
  void send_page();
  void send_trace();
  void answer(net::http::status status, std::string_view type, std::string body);

  guests& all_;
  net::beast::tcp_stream connection_;
  net::beast::flat_buffer buffer_;
  net::http::request_parser<net::http::empty_body> parser_;
  net::http::response<net::http::string_body> response_;
};

}  // namespace tact::inspect
