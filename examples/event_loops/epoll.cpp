// An epoll loop that pumps an engine beside its files: a pipe brings lines, an actor counts words, on one thread.
#include <sys/epoll.h>
#include <sys/eventfd.h>
#include <unistd.h>

#include <array>
#include <chrono>
#include <iostream>
#include <string>
#include <string_view>
#include <thread>

#include "words.hpp"

namespace {

// The adapter: an eventfd is readable while there is something to pump.
class pumped_by_epoll {
 public:
  explicit pumped_by_epoll(int epoll) : engine_(options()) {
    epoll_event readable{.events = EPOLLIN, .data = {.fd = bell_.number}};
    ::epoll_ctl(epoll, EPOLL_CTL_ADD, bell_.number, &readable);
  }
  [[nodiscard]] tact::engine& engine() { return engine_; }
  [[nodiscard]] int bell() const { return bell_.number; }
  // The bell is readable. Its count is taken before the pump: what comes meanwhile rings again.
  void on_readable() {
    eventfd_t rings = 0;
    ::eventfd_read(bell_.number, &rings);
    if (engine_.pump(1'000, std::chrono::milliseconds(2)).more) ::eventfd_write(bell_.number, 1);
  }

 private:
  tact::engine_options options() {
    tact::engine_options o;
    o.workers = 0;
    o.on_wake = [bell = bell_.number] { ::eventfd_write(bell, 1); };
    return o;
  }

  struct descriptor {
    const int number = ::eventfd(0, EFD_NONBLOCK | EFD_CLOEXEC);
    ~descriptor() { ::close(number); }
  };

  descriptor bell_;  // goes after the engine, which rings it until its end
  tact::engine engine_;
};

constexpr int lines = 20'000;
constexpr std::string_view text = "three short words\n";

void write_lines(int to) {
  for (int i = 0; i < lines; ++i) {
    if (::write(to, text.data(), text.size()) != static_cast<ssize_t>(text.size())) break;
  }
  ::close(to);
}

// Sends whole lines to the actor, and the last line when the pipe has ended. False: it has.
bool read_lines(int from, std::string& rest, tact::ref<words::counter> to) {
  std::array<char, 4096> buffer{};
  const ssize_t bytes = ::read(from, buffer.data(), buffer.size());
  if (bytes <= 0) {
    to | words::last_line{};
    return false;
  }
  rest.append(buffer.data(), static_cast<std::size_t>(bytes));
  for (std::size_t end; (end = rest.find('\n')) != std::string::npos; rest.erase(0, end + 1)) {
    to | words::line{rest.substr(0, end)};
  }
  return true;
}

}  // namespace

int main() {
  const int epoll = ::epoll_create1(EPOLL_CLOEXEC);
  std::array<int, 2> ends{};
  if (epoll < 0 || ::pipe(ends.data()) != 0) return 1;
  epoll_event readable{.events = EPOLLIN, .data = {.fd = ends[0]}};
  ::epoll_ctl(epoll, EPOLL_CTL_ADD, ends[0], &readable);

  pumped_by_epoll pumped(epoll);
  long counted = -1;
  std::thread::id counted_on;
  const auto counter = pumped.engine().create(words::count_words(
      [&](long n) {
        counted = n;
        counted_on = std::this_thread::get_id();
      },
      1));

  std::thread writer(write_lines, ends[1]);
  std::string rest;
  while (counted < 0) {
    epoll_event ready{};
    if (::epoll_wait(epoll, &ready, 1, -1) != 1) continue;
    if (ready.data.fd == pumped.bell()) {
      pumped.on_readable();
    } else if (!read_lines(ends[0], rest, counter)) {
      ::epoll_ctl(epoll, EPOLL_CTL_DEL, ends[0], nullptr);
    }
  }
  writer.join();
  ::close(ends[0]);
  ::close(epoll);
  std::cout << counted << " words on the thread of the loop\n";
  return counted == 3L * lines && counted_on == std::this_thread::get_id() ? 0 : 1;
}
