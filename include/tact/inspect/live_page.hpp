// tact::inspect::live_page: shows a running engine in the browser.
#include "tact/detail/begin.hpp"  // first
#pragma once

#include <chrono>
#include <cstddef>
#include <cstdint>
#include <iosfwd>
#include <memory>
#include <string>
#include <vector>

#include "tact/engine.hpp"
#include "tact/inspect/recorder.hpp"

namespace tact::inspect {

struct live_page_options {
  // Where the page is served. Only programs on the same machine reach the loopback address. Nothing is encrypted, so to
  // look from another machine a tunnel such as that of ssh is better than another address here.
  std::string address = "127.0.0.1";
  // 0: any that is free; live_page::url tells which.
  std::uint16_t port = 0;
  // Further names by which browsers reach the page: "build7.example", or with the port that they see if it is another
  // one: "localhost:9000". On loopback "localhost" and the address are known already; another address needs them.
  std::vector<std::string> hosts{};
  // What a browser must know to be told anything: letters, digits, - and _, 16 at least. Empty: a random one.
  std::string token{};
  // Browsers may start and stop the recorder. Without it they only look.
  bool allow_control = false;
  // So many browsers may look at a time; one more is told that there are too many. 1 to 1,000.
  unsigned clients = 8;
  // Length of a message from a browser; a longer one ends its connection. 256 to 65,536.
  std::size_t message_bytes = 4096;
  // How many messages a browser may send, on average; one that sends more loses its connection. 1 to 1,000.
  unsigned messages_per_second = 20;
  // How long a browser may take to send a request, to show the token, and to take an answer. 100 ms to 10 minutes.
  std::chrono::milliseconds time_limit{10'000};
  // How often browsers are told the state of the engine. It is less often where that would take more than a fiftieth of
  // a processor. 1 to 60.
  unsigned snapshots_per_second = 4;
};
std::ostream& operator<<(std::ostream&, const live_page_options&);

// Serves from its beginning to its end, on a thread of its own.
//
//   tact::inspect::live_page page(engine);
//   std::cout << "look at " << page.url() << std::endl;
//
// As long as no browser looks it only waits for one: it reads nothing of the engine. It writes nothing to stdout or
// stderr. docs/inspect/live_page.md shows the page, and has the format of what it is told.
// Thread safety: the constructors and the destructor by one thread, url by any.
class live_page {
 public:
  // The engine must live longer than the page; it may be drained before. Throws option_error, whose text names the
  // option and the remedy; std::system_error when the system does not give the address, the port or a thread; and
  // usage_error for an engine of a simulation.
  explicit live_page(engine& of, const live_page_options& options = {});
  // The page also shows what the recorder keeps: who sends to whom, handlers by time, chains of causes. The recorder
  // must be that of the same engine, and live longer than the page.
  live_page(engine& of, recorder& steps, const live_page_options& options = {});
  live_page(const live_page&) = delete;
  live_page& operator=(const live_page&) = delete;
  // Ends all connections, and waits for the thread.
  ~live_page();

  // The address for a browser, with the token: "http://127.0.0.1:41213/#0c5f...". Constant. Who has it may look.
  [[nodiscard]] const std::string& url() const noexcept;

 private:
  class server_thread;
  const std::unique_ptr<server_thread> thread_;
};

}  // namespace tact::inspect

#include "tact/detail/end.hpp"  // last
