// A chat server on epoll: sessions are actors on the thread of the loop, the room is one on the workers. SIGTERM lets
// it say goodbye to all clients before it ends. With a port as its argument it serves; without one it tries itself out.
#include <netinet/in.h>
#include <sys/epoll.h>
#include <sys/eventfd.h>
#include <sys/socket.h>
#include <unistd.h>

#include <atomic>
#include <chrono>
#include <cstdlib>
#include <future>
#include <map>
#include <optional>
#include <string>
#include <thread>

#include "chat.hpp"
#include "users.hpp"

namespace {

using namespace std::chrono_literals;

struct ready {
  std::uint32_t events;
};

class descriptor {
 public:
  explicit descriptor(int n) : number(n) {}
  descriptor(const descriptor&) = delete;
  descriptor& operator=(const descriptor&) = delete;
  ~descriptor() { ::close(number); }
  const int number;
};

// The loop: whichever actor waits for a descriptor is sent `ready` when it is.
class epoll_loop {
 public:
  explicit epoll_loop(tact::engine& engine) : actors(engine, [this] { ring(); }) {
    epoll_event readable{.events = EPOLLIN, .data = {.fd = bell_.number}};
    ::epoll_ctl(epoll_.number, EPOLL_CTL_ADD, bell_.number, &readable);
  }
  void watch(int fd, std::uint32_t events, tact::ref<ready> who) {
    const bool is_new = waiting_.insert_or_assign(fd, who).second;
    epoll_event e{.events = events, .data = {.fd = fd}};
    ::epoll_ctl(epoll_.number, is_new ? EPOLL_CTL_ADD : EPOLL_CTL_MOD, fd, &e);
  }
  void forget(int fd) {
    if (waiting_.erase(fd) != 0) ::epoll_ctl(epoll_.number, EPOLL_CTL_DEL, fd, nullptr);
  }
  void run() {
    while (!quits_) {
      epoll_event e{};
      if (::epoll_wait(epoll_.number, &e, 1, -1) != 1) continue;
      if (e.data.fd == bell_.number) {
        eventfd_t rings = 0;
        ::eventfd_read(bell_.number, &rings);
      } else if (const auto found = waiting_.find(e.data.fd); found != waiting_.end()) {
        found->second | ready{e.events};
      }
      if (actors.pump(1'000, 2ms).more) ring();
    }
  }
  void quit() {  // on any thread
    quits_ = true;
    ring();
  }

 private:
  void ring() { ::eventfd_write(bell_.number, 1); }

  descriptor epoll_{::epoll_create1(EPOLL_CLOEXEC)};
  descriptor bell_{::eventfd(0, EFD_NONBLOCK | EFD_CLOEXEC)};
  std::map<int, tact::ref<ready>> waiting_;
  std::atomic<bool> quits_{false};

 public:
  tact::loop actors;  // goes first: its sessions forget their descriptors
};

struct taken {};

class session : public tact::actor<session, ready, taken, chat::session_mail> {
 public:
  session(int socket, epoll_loop& loop, tact::ref<chat::room_mail> room) : socket_(socket), loop_(loop), room_(room) {}
  session(const session&) = delete;
  session& operator=(const session&) = delete;
  ~session() { loop_.forget(socket_.number); }

  void receive(tact::self<session>& self, const ready& m) {
    if ((m.events & EPOLLOUT) != 0) write(self);
    if ((m.events & (EPOLLIN | EPOLLHUP | EPOLLERR)) == 0 || waits_for_room_) return;
    char buffer[4096];
    const ssize_t bytes = ::recv(socket_.number, buffer, sizeof buffer, MSG_DONTWAIT);
    if (bytes < 0 && errno == EAGAIN) return;
    if (bytes <= 0) return leave(self);
    read_.append(buffer, static_cast<std::size_t>(bytes));
    if (read_.size() > chat::outgoing::bytes_max) return leave(self);  // no line is so long
    next_line(self);
  }
  // One line at a time goes to the room. While it waits nothing is read, so the client is held back by TCP.
  void receive(tact::self<session>& self, const taken&) {
    waits_for_room_ = false;
    next_line(self);
  }
  void receive(tact::self<session>& self, const chat::show& m) {
    if (!last_) out_.add(*m.line);
    write(self);
  }
  void receive(tact::self<session>& self, const tact::request<chat::finish>& m) {
    self.defer(m);
    last_ = m;
    out_.add_last("goodbye\n");
    write(self);
  }

 private:
  void watch(tact::self<session>& self) {
    const std::uint32_t reads = waits_for_room_ ? 0U : std::uint32_t{EPOLLIN};
    loop_.watch(socket_.number, reads | (out_.waiting().empty() ? 0U : std::uint32_t{EPOLLOUT}), self.ref());
  }
  void next_line(tact::self<session>& self) {
    if (const auto end = read_.find('\n'); end != std::string::npos) {
      waits_for_room_ = true;
      self.ask(
          room_, chat::say{read_.substr(0, end)}, [me = self.ref()](tact::transaction& tx) { tx.send(me, taken{}); },
          [me = self.ref()](tact::transaction& tx, const tact::failure&) { tx.send(me, taken{}); });
      read_.erase(0, end + 1);
    }
    watch(self);
  }
  void write(tact::self<session>& self) {
    while (!out_.waiting().empty()) {
      const auto waiting = out_.waiting();
      const ssize_t bytes = ::send(socket_.number, waiting.data(), waiting.size(), MSG_DONTWAIT | MSG_NOSIGNAL);
      if (bytes < 0 && errno != EAGAIN) return leave(self);
      if (bytes < 0) return watch(self);
      out_.has_left(static_cast<std::size_t>(bytes));
    }
    last_ ? leave(self) : watch(self);
  }
  void leave(tact::self<session>& self) {
    if (last_) self.reply(*last_);
    self.stop();
  }

  const descriptor socket_;
  epoll_loop& loop_;
  const tact::ref<chat::room_mail> room_;
  std::string read_{};
  bool waits_for_room_ = false;
  chat::outgoing out_{};
  std::optional<tact::request<chat::finish>> last_{};
};

struct shut {};

class door : public tact::actor<door, ready, shut> {
 public:
  door(int listening, epoll_loop& loop, tact::ref<chat::room_mail> room)
      : listening_(listening), loop_(loop), room_(room) {}
  door(const door&) = delete;
  door& operator=(const door&) = delete;
  ~door() { loop_.forget(listening_.number); }

  void receive(tact::self<door>& self, const ready&) {
    const int socket = ::accept4(listening_.number, nullptr, nullptr, SOCK_NONBLOCK | SOCK_CLOEXEC);
    if (socket < 0) return;
    const int small = 16 * 1024;  // what the client has not read waits here, where it has a bound
    ::setsockopt(socket, SOL_SOCKET, SO_SNDBUF, &small, static_cast<socklen_t>(sizeof small));
    const auto made = self.spawn<session>(tact::on_loop(loop_.actors), socket, std::ref(loop_), room_);
    loop_.watch(socket, EPOLLIN, made);
    self.send(room_, chat::enter{made});
  }
  tact::allocation receive(tact::self<door>&, const shut&) { return tact::allocation::finished; }

 private:
  const descriptor listening_;
  epoll_loop& loop_;
  const tact::ref<chat::room_mail> room_;
};

int listen_on(std::uint16_t port, std::uint16_t& is) {
  const int s = ::socket(AF_INET, SOCK_STREAM | SOCK_NONBLOCK | SOCK_CLOEXEC, 0);
  const int yes = 1;
  ::setsockopt(s, SOL_SOCKET, SO_REUSEADDR, &yes, static_cast<socklen_t>(sizeof yes));
  sockaddr_in at{};
  at.sin_family = AF_INET;
  at.sin_port = htons(port);
  at.sin_addr.s_addr = htonl(INADDR_LOOPBACK);
  socklen_t size = sizeof at;
  if (::bind(s, reinterpret_cast<const sockaddr*>(&at), size) != 0 || ::listen(s, 64) != 0) std::exit(1);
  ::getsockname(s, reinterpret_cast<sockaddr*>(&at), &size);
  is = ntohs(at.sin_port);
  return s;
}

}  // namespace

int main(int count, char** arguments) {
  chat::hold_signal();
  std::uint16_t port = 0;
  const int listening = listen_on(count > 1 ? static_cast<std::uint16_t>(std::atoi(arguments[1])) : 0, port);
  tact::engine engine;
  const auto room = engine.spawn<chat::room>();

  std::promise<std::pair<epoll_loop*, tact::ref<door>>> begun;
  std::thread io([&] {
    epoll_loop loop(engine);
    const auto made = engine.spawn<door>(tact::on_loop(loop.actors), listening, std::ref(loop), room);
    loop.watch(listening, EPOLLIN, made);
    begun.set_value({&loop, made});
    loop.run();
  });
  const auto [loop, entrance] = begun.get_future().get();

  bool right = true;
  std::thread users([&, port] {
    if (count <= 1) right = chat::try_out(port);
  });
  const int signal = engine.run_until_signal([&, entrance = entrance] {
    engine.send(entrance, shut{});
    (void)engine.ask(room, chat::close_all{30s}, 31s);
  });
  loop->quit();
  io.join();
  users.join();
  return signal == SIGTERM && right ? 0 : 1;
}
