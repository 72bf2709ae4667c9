// A TCP service on Asio whose state is an actor. Asio's thread reads and writes and never waits for an actor: a
// connection is a coroutine, `co_await engine.ask_async(...)` suspends it, and `.via` brings it back to Asio's thread.
// A line "7" adds 7 to the sum and is answered with the sum; what is no number is refused by the actor, by an
// exception.
#include <asio.hpp>
#include <charconv>
#include <coroutine>
#include <exception>
#include <iostream>
#include <istream>
#include <stdexcept>
#include <string>
#include <tact/tact.hpp>
#include <thread>
#include <vector>

namespace {

using asio::ip::tcp;

// -- the actor

struct add {
  using reply = long;
  std::string number;
};
struct sum : tact::protocol<tact::request<add>> {};

tact::behavior<sum> open_sum(long so_far) {
  return {[=](tact::self<sum>& self, const tact::request<add>& m) {
    const std::string& text = m.body.number;
    long n = 0;
    const auto [end, error] = std::from_chars(text.data(), text.data() + text.size(), n);
    if (error != std::errc() || end != text.data() + text.size()) throw std::invalid_argument(text + " is no number");
    self.become(open_sum(so_far + n));
    self.reply(m, so_far + n);
  }};
}

// -- Asio and coroutines

struct connection {
  struct promise_type {
    connection get_return_object() { return {}; }
    std::suspend_never initial_suspend() noexcept { return {}; }
    std::suspend_never final_suspend() noexcept { return {}; }
    void return_void() noexcept {}
    void unhandled_exception() noexcept { std::terminate(); }
  };
};

// An operation of Asio that ends with an error and a size: co_await gives the error.
template <class Start>
class operation {
 public:
  explicit operation(Start s) : start_(s) {}
  [[nodiscard]] bool await_ready() const noexcept { return false; }
  void await_suspend(std::coroutine_handle<> who) {
    start_([this, who](asio::error_code e, std::size_t) {
      error_ = e;
      who.resume();
    });
  }
  [[nodiscard]] asio::error_code await_resume() const noexcept { return error_; }

 private:
  Start start_;
  asio::error_code error_{};
};

connection serve(tcp::socket socket, tact::engine& engine, tact::ref<sum> to) {
  const auto on_this_thread = [loop = socket.get_executor()](auto call) { asio::post(loop, std::move(call)); };
  asio::streambuf buffer;
  for (;;) {
    if (co_await operation([&](auto then) { asio::async_read_until(socket, buffer, '\n', std::move(then)); }))
      co_return;
    std::istream in(&buffer);
    std::string line;
    std::getline(in, line);
    std::string answer;
    try {
      const add query{line};  // GCC 12 copies the bytes of an aggregate that is made within a co_await
      answer = std::to_string(co_await engine.ask_async(to, query).via(on_this_thread)) + "\n";
    } catch (const tact::ask_error& e) {
      answer = std::string(e.what()) + "\n";
    }
    if (co_await operation([&](auto then) { asio::async_write(socket, asio::buffer(answer), std::move(then)); }))
      co_return;
  }
}

void accept_all(tcp::acceptor& door, tact::engine& engine, tact::ref<sum> to) {
  door.async_accept([&door, &engine, to](asio::error_code error, tcp::socket socket) {
    if (error) return;  // the door is closed
    serve(std::move(socket), engine, to);
    accept_all(door, engine, to);
  });
}

// -- its users

std::string say(tcp::socket& to, asio::streambuf& buffer, const std::string& line) {
  asio::write(to, asio::buffer(line + "\n"));
  asio::read_until(to, buffer, '\n');
  std::istream in(&buffer);
  std::string answer;
  std::getline(in, answer);
  return answer;
}

// The last answer.
std::string add_ones(tcp::endpoint at, int times) {
  asio::io_context own;
  tcp::socket socket(own);
  socket.connect(at);
  asio::streambuf buffer;
  for (int i = 0; i < times; ++i) say(socket, buffer, "1");
  return say(socket, buffer, "no number");
}

}  // namespace

int main() {
  constexpr int clients = 4, times = 250;
  asio::io_context loop;
  tact::engine engine([] {
    tact::engine_options options;
    options.on_failure = [](const tact::failure_report&) {};  // its sender is told
    return options;
  }());
  const auto to = engine.create(open_sum(0));
  tcp::acceptor door(loop, tcp::endpoint(asio::ip::address_v4::loopback(), 0));
  const tcp::endpoint at = door.local_endpoint();
  accept_all(door, engine, to);
  std::thread asio_thread([&] { loop.run(); });

  std::vector<std::string> refusals(clients);
  std::vector<std::thread> users;
  for (int i = 0; i < clients; ++i) {
    users.emplace_back([&, i] { refusals[static_cast<std::size_t>(i)] = add_ones(at, times); });
  }
  for (auto& u : users) u.join();
  asio::post(loop, [&] { door.close(); });
  asio_thread.join();  // every connection has ended

  const long total = engine.ask(to, add{"0"});
  std::cout << clients << " clients added up " << total << "; then they heard: " << refusals.front() << '\n';
  bool refused = true;
  for (const auto& r : refusals) refused = refused && r == "ask: handler threw: no number is no number";
  return total == clients * times && refused ? 0 : 1;
}
