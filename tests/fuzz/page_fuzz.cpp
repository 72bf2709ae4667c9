// What a client sends to a live page may be anything: nothing breaks, and nothing of the client stays when it has gone.
#include <sys/socket.h>
#include <unistd.h>

#include <cstdlib>
#include <iostream>
#include <memory>
#include <string>
#include <string_view>

#include "inspect/page/guests.hpp"
#include "inspect/page/net.hpp"
#include "inspect/page/viewer.hpp"
#include "inspect/page/visit.hpp"
#include "tact/tact.hpp"

namespace {

namespace net = tact::inspect::net;
namespace page = tact::inspect;

struct ping {
  int left = 0;
};

// The engine of which the page tells. Its actors have worked already.
struct program {
  tact::engine engine{{.workers = 0}};
  page::recorder recorder{engine};

  program() {
    const auto actor = engine.create(tact::behavior<ping>([](auto& self, const ping& m) {
      if (m.left != 0) self.send(self.ref(), ping{m.left - 1});
    }));
    engine.send(actor, ping{20});
    engine.run_until_idle();
  }
};

// The page without its thread and its port.
struct served {
  program told{};
  const page::live_page_options options{
      .token = "0123456789abcdef", .allow_control = true, .message_bytes = 256, .messages_per_second = 1000};
  page::survey survey{told.engine, &told.recorder, options.allow_control};
  page::guests guests{options, survey};
  net::asio::io_context io{1};

  served() {
    guests.serve_at(8080);
    guests.when_first_comes([this] {
      const auto text = std::make_shared<const std::string>(survey.snapshot());
      for (page::viewer* v : guests.viewers()) v->show(text);
    });
  }
};

// The other end of a connection.
class client {
 public:
  explicit client(served& by) : by_(by) {
    int ends[2];
    if (::socketpair(AF_UNIX, SOCK_STREAM | SOCK_CLOEXEC, 0, ends) != 0) std::abort();
    end_ = ends[0];
    net::tcp::socket theirs(by.io);
    theirs.assign(net::tcp::v4(), ends[1]);
    std::make_shared<page::visit>(std::move(theirs), by.guests)->begin();
  }
  ~client() { leave(); }
  client(const client&) = delete;
  client& operator=(const client&) = delete;

  void send(std::string_view bytes) {
    while (!bytes.empty()) {
      const ssize_t n = ::send(end_, bytes.data(), bytes.size(), MSG_NOSIGNAL | MSG_DONTWAIT);
      if (n > 0) bytes.remove_prefix(static_cast<std::size_t>(n));
      if (!serve() && n <= 0) return;  // the page has closed the connection
    }
    while (serve()) {
    }
  }
  void leave() {
    if (end_ < 0) return;
    ::close(std::exchange(end_, -1));
    while (by_.io.poll() != 0) {
    }
  }

 private:
  // Lets the page do what it can do now, and takes its answers. False: there was nothing to do.
  bool serve() {
    const bool has_worked = by_.io.poll() != 0;
    if (by_.io.stopped()) by_.io.restart();
    char taken[65536];
    return ::recv(end_, taken, sizeof taken, MSG_DONTWAIT) > 0 || has_worked;
  }

  served& by_;
  int end_ = -1;
};

constexpr std::string_view upgrade =
    "GET /socket HTTP/1.1\r\nHost: localhost:8080\r\nUpgrade: websocket\r\nConnection: Upgrade\r\n"
    "Sec-WebSocket-Version: 13\r\nSec-WebSocket-Key: dGhlIHNhbXBsZSBub25jZQ==\r\n\r\n";

// A text in one frame, masked by zeros.
std::string framed(std::string_view text) {
  std::string all = "\x81";
  if (text.size() < 126) {
    all += static_cast<char>(0x80U | text.size());
  } else {
    all += static_cast<char>(0x80U | 126U);
    all += static_cast<char>(text.size() >> 8U);
    all += static_cast<char>(text.size());
  }
  return all + std::string(4, '\0') + std::string(text);
}

// The first character says how far the client has come already; the rest is what it sends then.
void act(client& c, char how, std::string_view rest) {
  if (how != 'h') c.send(upgrade);
  if (how == 'c' || how == 't') c.send(framed(R"({"token":"0123456789abcdef"})"));
  if (how != 'c') return c.send(rest);
  for (int lines = 0; !rest.empty() && lines < 8; ++lines) {  // each is a command
    const std::size_t end = rest.find('\n');
    c.send(framed(rest.substr(0, end)));
    rest.remove_prefix(end == rest.npos ? rest.size() : end + 1);
  }
}

}  // namespace

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  static served by;
  if (size == 0) return 0;
  const std::string_view all(reinterpret_cast<const char*>(data), size);
  by.io.restart();
  {
    client c(by);
    act(c, all.front(), all.substr(1));
  }
  if (by.io.stopped()) return 0;
  std::cerr << "the client has gone, and its connection is still served\n";
  std::abort();
}
