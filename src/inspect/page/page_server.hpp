// The HTTP and WebSocket server of a live page.
#pragma once

#include <cstddef>
#include <memory>
#include <string>

#include "inspect/page/survey.hpp"
#include "tact/inspect/live_page.hpp"

namespace tact::inspect {

// Answers three things: GET / is the page, GET /socket becomes a WebSocket, GET /trace.json is the trace for Perfetto.
// Each of them must name a host of the page; the last two must show the token.
// Thread safety: run by one thread, stop by any.
class page_server {
 public:
  // Takes the port. The options are checked already. `tells` must live as long. Throws std::system_error.
  page_server(const live_page_options& options, survey& tells);
  ~page_server();  // REQUIRES: run has returned, or was not called
  page_server(const page_server&) = delete;
  page_server& operator=(const page_server&) = delete;

  [[nodiscard]] unsigned port() const noexcept;
  // Serves until stop.
  void run() noexcept;
  void stop() noexcept;

 private:
  class body;
  const std::unique_ptr<body> body_;
};

}  // namespace tact::inspect
