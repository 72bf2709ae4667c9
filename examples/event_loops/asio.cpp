// An Asio loop that pumps an engine between its own events: other threads send lines, an actor counts words.
#include <boost/asio/executor_work_guard.hpp>
#include <boost/asio/io_context.hpp>
#include <boost/asio/post.hpp>
#include <chrono>
#include <iostream>
#include <thread>
#include <vector>

#include "words.hpp"

namespace {

// The adapter: each call of on_wake becomes a task of the loop, and so does what one pump leaves.
class pumped_by_asio {
 public:
  explicit pumped_by_asio(boost::asio::io_context& loop) : loop_(loop), engine_(options()) {}
  [[nodiscard]] tact::engine& engine() { return engine_; }

 private:
  void post() {
    boost::asio::post(loop_, [this] {
      if (engine_.pump(1'000, std::chrono::milliseconds(2)).more) post();
    });
  }
  tact::engine_options options() {
    tact::engine_options o;
    o.workers = 0;
    o.on_wake = [this] { post(); };
    return o;
  }

  boost::asio::io_context& loop_;
  tact::engine engine_;
};

constexpr int senders = 3;
constexpr int lines = 5'000;

}  // namespace

int main() {
  boost::asio::io_context loop;
  auto stay = boost::asio::make_work_guard(loop);
  pumped_by_asio pumped(loop);
  long counted = -1;
  std::thread::id counted_on;
  const auto counter = pumped.engine().create(words::count_words(
      [&](long n) {
        counted = n;
        counted_on = std::this_thread::get_id();
        stay.reset();
      },
      senders));

  std::vector<std::thread> threads;
  for (int i = 0; i < senders; ++i) {
    threads.emplace_back([&] {
      for (int n = 0; n < lines; ++n) counter | words::line{"three short words"};
      counter | words::last_line{};
    });
  }
  loop.run();
  for (std::thread& t : threads) t.join();
  std::cout << counted << " words on the thread of the loop\n";
  return counted == 3L * senders * lines && counted_on == std::this_thread::get_id() ? 0 : 1;
}
