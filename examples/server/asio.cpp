// The chat server of epoll.cpp on Asio: sessions are actors on the thread that runs the io_context, the room is one on
// the workers. With a port as its argument it serves; without one it tries itself out.
#include <boost/asio/buffer.hpp>
#include <boost/asio/executor_work_guard.hpp>
#include <boost/asio/io_context.hpp>
#include <boost/asio/ip/tcp.hpp>
#include <boost/asio/post.hpp>
#include <boost/asio/read_until.hpp>
#include <chrono>
#include <cstdlib>
#include <future>
#include <memory>
#include <optional>
#include <string>
#include <thread>

#include "chat.hpp"
#include "users.hpp"

namespace {

namespace asio = boost::asio;
using asio::ip::tcp;
using namespace std::chrono_literals;

// The loop: each call of on_wake becomes a task of the io_context, and so does what one pump leaves.
class asio_loop {
 public:
  explicit asio_loop(tact::engine& engine) : actors(engine, [this] { post(); }) {}
  void run() { context.run(); }
  void quit() { context.stop(); }  // on any thread

  asio::io_context context{1};

 private:
  void post() {
    asio::post(context, [this] {
      if (actors.pump(1'000, 2ms).more) post();
    });
  }
  asio::executor_work_guard<asio::io_context::executor_type> stays_ = asio::make_work_guard(context);

 public:
  tact::loop actors;  // goes first
};

struct heard {
  std::string line;
};
struct has_read {};  // the client has read all that was written for it
struct left {};
struct taken {};

// A socket with what Asio needs while it reads and writes: it outlives the session until the last operation has ended.
class connection : public std::enable_shared_from_this<connection> {
 public:
  explicit connection(tcp::socket s) : socket_(std::move(s)) {}

  template <class Session>
  void read(tact::ref<Session> to) {
    constexpr std::size_t longest = chat::outgoing::bytes_max;
    asio::async_read_until(socket_, asio::dynamic_buffer(read_, longest), '\n',
                           [me = shared_from_this(), to](boost::system::error_code e, std::size_t bytes) {
                             if (e) return void(to | left{});
                             to | heard{me->read_.substr(0, bytes - 1)};
                             me->read_.erase(0, bytes);
                           });
  }
  template <class Session>
  void write(tact::ref<Session> to) {
    if (writes_) return;
    if (out.waiting().empty()) return void(to | has_read{});
    writes_ = true;
    piece_.assign(out.waiting().substr(0, 4'096));
    out.has_left(piece_.size());
    socket_.async_send(asio::buffer(piece_),
                       [me = shared_from_this(), to](boost::system::error_code e, std::size_t bytes) {
                         me->writes_ = false;
                         if (e) return void(to | left{});
                         me->out.come_back(me->piece_.substr(bytes));
                         me->write(to);
                       });
  }
  void close() {
    boost::system::error_code none;
    socket_.close(none);
  }

  chat::outgoing out{};

 private:
  tcp::socket socket_;
  std::string read_{};
  std::string piece_{};
  bool writes_ = false;
};

class session : public tact::actor<session, heard, has_read, left, taken, chat::session_mail> {
 public:
  session(std::shared_ptr<connection> c, tact::ref<chat::room_mail> room) : client_(std::move(c)), room_(room) {}
  session(const session&) = delete;
  session& operator=(const session&) = delete;
  ~session() { client_->close(); }

  // One line at a time goes to the room. While it waits nothing is read, so the client is held back by TCP.
  void receive(tact::self<session>& self, const heard& m) {
    self.ask(
        room_, chat::say{m.line}, [me = self.ref()](tact::transaction& tx) { tx.send(me, taken{}); },
        [me = self.ref()](tact::transaction& tx, const tact::failure&) { tx.send(me, taken{}); });
  }
  void receive(tact::self<session>& self, const taken&) { client_->read(self.ref()); }
  void receive(tact::self<session>& self, const chat::show& m) {
    if (last_) return;
    client_->out.add(*m.line);
    client_->write(self.ref());
  }
  void receive(tact::self<session>& self, const tact::request<chat::finish>& m) {
    self.defer(m);
    last_ = m;
    client_->out.add_last("goodbye\n");
    client_->write(self.ref());
  }
  void receive(tact::self<session>& self, const has_read&) {
    if (last_) leave(self);
  }
  void receive(tact::self<session>& self, const left&) { leave(self); }

 private:
  void leave(tact::self<session>& self) {
    if (last_) self.reply(*last_);
    self.stop();
  }

  const std::shared_ptr<connection> client_;
  const tact::ref<chat::room_mail> room_;
  std::optional<tact::request<chat::finish>> last_{};
};

struct accepted {
  std::shared_ptr<connection> client;
};
struct shut {};

class door : public tact::actor<door, accepted, shut> {
 public:
  door(tcp::acceptor a, asio_loop& loop, tact::ref<chat::room_mail> room)
      : acceptor_(std::move(a)), loop_(loop), room_(room) {}

  void receive(tact::self<door>& self, const accepted& m) {
    if (m.client != nullptr) {
      const auto made = self.spawn<session>(tact::on_loop(loop_.actors), m.client, room_);
      self.send(made, taken{});  // it reads its first line
      self.send(room_, chat::enter{made});
    }
    acceptor_.async_accept([me = self.ref()](boost::system::error_code e, tcp::socket s) {
      if (e) return;                                                 // the door is shut
      s.set_option(asio::socket_base::send_buffer_size(16 * 1024));  // what was not read has a bound here as well
      me | accepted{std::make_shared<connection>(std::move(s))};
    });
  }
  tact::allocation receive(tact::self<door>&, const shut&) { return tact::allocation::finished; }

 private:
  tcp::acceptor acceptor_;
  asio_loop& loop_;
  const tact::ref<chat::room_mail> room_;
};

}  // namespace

int main(int count, char** arguments) {
  chat::hold_signal();
  const auto port = static_cast<std::uint16_t>(count > 1 ? std::atoi(arguments[1]) : 0);
  tact::engine engine;
  const auto room = engine.spawn<chat::room>();

  struct begun {
    asio_loop* loop;
    tact::ref<door> entrance;
    std::uint16_t port;
  };
  std::promise<begun> tells;
  std::thread io([&] {
    asio_loop loop(engine);
    tcp::acceptor acceptor(loop.context, tcp::endpoint(asio::ip::address_v4::loopback(), port));
    const std::uint16_t at = acceptor.local_endpoint().port();
    const auto entrance = engine.spawn<door>(tact::on_loop(loop.actors), std::move(acceptor), std::ref(loop), room);
    entrance | accepted{};  // it waits for its first client
    tells.set_value({&loop, entrance, at});
    loop.run();
  });
  const begun server = tells.get_future().get();

  bool right = true;
  std::thread users([&] {
    if (count <= 1) right = chat::try_out(server.port);
  });
  const int signal = engine.run_until_signal([&] {
    engine.send(server.entrance, shut{});
    (void)engine.ask(room, chat::close_all{30s}, 31s);
  });
  server.loop->quit();
  io.join();
  users.join();
  return signal == SIGTERM && right ? 0 : 1;
}
