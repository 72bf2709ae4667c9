#include "inspect/page/page_server.hpp"

#include <chrono>
#include <exception>
#include <memory>
#include <string>
#include <system_error>
#include <utility>

#include "inspect/page/guests.hpp"
#include "inspect/page/net.hpp"
#include "inspect/page/pace.hpp"
#include "inspect/page/viewer.hpp"
#include "inspect/page/visit.hpp"

namespace tact::inspect {

namespace {

// Less than a fiftieth of a processor is spent on telling how the engine is.
constexpr int share_of_snapshots = 50;

net::tcp::acceptor listening(net::asio::io_context& io, const live_page_options& o) {
  const net::tcp::endpoint at(net::asio::ip::make_address(o.address), o.port);
  net::tcp::acceptor a(io);
  net::error e;
  a.open(at.protocol(), e);
  if (!e) a.set_option(net::asio::socket_base::reuse_address(true), e);
  if (!e) a.bind(at, e);
  if (!e) a.listen(net::asio::socket_base::max_listen_connections, e);
  if (!e) return a;
  const bool is_busy = e == net::asio::error::address_in_use;
  const std::string where = is_busy ? "port = " + std::to_string(o.port) : "address = \"" + o.address + '"';
  const std::string remedy = is_busy ? "another program listens there; give another port, or 0 for any that is free"
                                     : "the system does not give this address and port";
  throw std::system_error(e.value(), std::system_category(), "live_page_options." + where + ": " + remedy);
}

}  // namespace

class page_server::body {
 public:
  body(const live_page_options& o, survey& tells)
      : options_(o),
        guests_(options_, tells),
        acceptor_(listening(io_, options_)),
        pace_(std::chrono::nanoseconds(std::chrono::seconds(1)) / o.snapshots_per_second, share_of_snapshots) {
    guests_.serve_at(port());
    guests_.when_first_comes([this] { tick(); });
    accept();
  }
  body(const body&) = delete;
  body& operator=(const body&) = delete;

  [[nodiscard]] unsigned port() const { return acceptor_.local_endpoint().port(); }
  void run() { io_.run(); }
  void stop() { io_.stop(); }

 private:
  void accept() {
    acceptor_.async_accept([this](net::error e, net::tcp::socket s) {
      if (e == net::asio::error::operation_aborted) return;
      if (e) return accept_later();
      accept();
      if (guests_.has_room()) std::make_shared<visit>(std::move(s), guests_)->begin();
    });
  }
  // The process has too many files open, as a rule.
  void accept_later() {
    retry_.expires_after(std::chrono::seconds(1));
    retry_.async_wait([this](net::error e) {
      if (!e) accept();
    });
  }
  void tick() {
    if (guests_.viewers().empty()) return;
    try {
      pace_.step([this] { show(); });
    } catch (const std::exception&) {
      // Without memory there is no snapshot this time.
    }
    timer_.expires_at(pace_.next());
    timer_.async_wait([this](net::error e) {
      if (!e) tick();
    });
  }

  void show() {
    const auto told = std::make_shared<const std::string>(guests_.tells().snapshot());
    const auto viewers = guests_.viewers();
    for (viewer* v : viewers) v->show(told);
  }

  const live_page_options options_;
  guests guests_;  // connections refer to it, and the next one holds them
  net::asio::io_context io_{1};
  net::tcp::acceptor acceptor_;
  net::asio::steady_timer retry_{io_};
  net::asio::steady_timer timer_{io_};
  pace pace_;
};

page_server::page_server(const live_page_options& options, survey& tells)
    : body_(std::make_unique<body>(options, tells)) {}
page_server::~page_server() = default;

unsigned page_server::port() const noexcept { return body_->port(); }

// Without memory for one answer the others are served.
void page_server::run() noexcept {
  for (;;) {
    try {
      return body_->run();
    } catch (const std::exception&) {
      continue;
    }
  }
}

void page_server::stop() noexcept { body_->stop(); }

}  // namespace tact::inspect
