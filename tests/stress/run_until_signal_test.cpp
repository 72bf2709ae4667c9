// engine.run_until_signal: a program goes on until it is asked to end, and what it had begun is finished.
#include <unistd.h>

#include <csignal>
#include <thread>

#include "support/engine_fixture.hpp"
#include "support/refusal.hpp"

namespace run_until_signal_test {

namespace {

using namespace tact::support;

using handler = void (*)(int);

handler handler_of(int number) {
  struct sigaction now {};
  ::sigaction(number, nullptr, &now);
  return now.sa_handler;
}

// Sends a signal to this process as soon as the engine catches it: before that it would end the test.
class signaller {
 public:
  explicit signaller(int number) : number_(number), before_(handler_of(number)) {}
  void send_when_caught() const {
    wait_until_caught();
    ::kill(::getpid(), number_);
  }
  void wait_until_caught() const {
    while (!is_caught()) std::this_thread::yield();
  }
  bool is_caught() const { return handler_of(number_) != before_; }

 private:
  int number_;
  handler before_;
};

// The calling thread, and those that it starts, block both signals as long as this exists.
class blocked {
 public:
  blocked() {
    ::sigset_t both;
    ::sigemptyset(&both);
    ::sigaddset(&both, SIGINT);
    ::sigaddset(&both, SIGTERM);
    ::pthread_sigmask(SIG_BLOCK, &both, &before_);
  }
  ~blocked() {
    // What still waits to be delivered belongs to a test that has failed, and must not end the process.
    ::sigset_t pending;
    for (int n; ::sigpending(&pending) == 0 &&
                (::sigismember(&pending, n = SIGINT) == 1 || ::sigismember(&pending, n = SIGTERM) == 1);) {
      ::sigset_t one;
      ::sigemptyset(&one);
      ::sigaddset(&one, n);
      int taken = 0;
      ::sigwait(&one, &taken);
    }
    ::pthread_sigmask(SIG_SETMASK, &before_, nullptr);
  }
  blocked(const blocked&) = delete;
  blocked& operator=(const blocked&) = delete;

  // Does the calling thread block that signal?
  static bool here(int number) {
    ::sigset_t now;
    ::pthread_sigmask(SIG_BLOCK, nullptr, &now);
    return ::sigismember(&now, number) == 1;
  }

 private:
  ::sigset_t before_{};
};

struct count_down {
  int left;
};

}  // namespace

TEST_CASE("run_until_signal: a signal drains the engine, and the call says which one it was", "[law11]") {
  TACT_FOR_EACH_THREAD_COUNT(workers);
  const int number = GENERATE(SIGINT, SIGTERM);
  const signaller asks(number);
  tact::engine engine(quiet_options(workers));
  std::atomic<int> handled{0};
  const auto counts = engine.create(tact::behavior<count_down>{[&](auto& self, const count_down& m) {
    if (++handled == 1) asks.send_when_caught();
    if (m.left != 0) self.send(self.ref(), count_down{m.left - 1});
  }});
  engine.send(counts, count_down{1000});
  CHECK(engine.run_until_signal() == number);
  CHECK(handled == 1001);
  CHECK_FALSE(asks.is_caught());
  CHECK(engine.statistics().dead_letters == 0);
  engine.send(counts, count_down{0});
  CHECK(engine.statistics().dead_letters == 1);
}

TEST_CASE("run_until_signal: what is not finished within shutdown_timeout is cancelled", "[law11]") {
  TACT_FOR_EACH_THREAD_COUNT(workers);
  const signaller asks(SIGTERM);
  auto options = quiet_options(workers);
  options.shutdown_timeout = std::chrono::milliseconds(20);
  tact::engine engine(options);
  const auto endless = engine.create(tact::behavior<count_down>{[&](auto& self, const count_down& m) {
    if (m.left == 0) asks.send_when_caught();
    self.send(self.ref(), count_down{1});
  }});
  engine.send(endless, count_down{0});
  CHECK(engine.run_until_signal() == SIGTERM);
  CHECK(engine.statistics().dead_letters == 1);
}

TEST_CASE("run_until_signal: waits for the signal, whether or not there are actors", "[law11]") {
  TACT_FOR_EACH_THREAD_COUNT(workers);
  const signaller asks(SIGTERM);
  tact::engine engine(quiet_options(workers));
  int returned = -1;
  std::atomic<bool> is_over{false};
  std::thread waits([&] {
    returned = engine.run_until_signal();
    is_over = true;
  });
  asks.wait_until_caught();
  std::atomic<int> handled{0};
  for (int n = 0; n < 10; ++n) {
    const auto client = engine.create(tact::behavior<count_down>{[&](auto& self, const count_down&) {
                                        ++handled;
                                        self.stop();
                                      }},
                                      tact::parallel);
    engine.send(client, count_down{0});
    require_idle(engine);
    CHECK_FALSE(is_over);
  }
  ::kill(::getpid(), SIGTERM);
  waits.join();
  CHECK(returned == SIGTERM);
  CHECK(handled == 10);
}

TEST_CASE("run_until_signal: calls a function before it drains, and what that sends is handled", "[law11]") {
  TACT_FOR_EACH_THREAD_COUNT(workers);
  const bool throws = GENERATE(false, true);
  const signaller asks(SIGINT);
  tact::engine engine(quiet_options(workers));
  std::atomic<int> told{0};
  const auto client = engine.create(tact::behavior<count_down>{[&](auto&, const count_down&) { ++told; }});
  std::thread sends([&] { asks.send_when_caught(); });
  const auto stop = [&] {
    for (int n = 0; n < 100; ++n) engine.send(client, count_down{0});
    if (throws) throw std::runtime_error("the door is stuck");
  };
  if (throws) {
    CHECK_THROWS_WITH(engine.run_until_signal(stop), "the door is stuck");
  } else {
    CHECK(engine.run_until_signal(stop) == SIGINT);
  }
  sends.join();
  CHECK(told == 100);
  CHECK(engine.statistics().dead_letters == 0);
}

TEST_CASE("run_until_signal: returns 0 when another thread ends the engine", "[law11]") {
  TACT_FOR_EACH_THREAD_COUNT(workers);
  const bool drains = GENERATE(false, true);
  const signaller asks(SIGTERM);
  tact::engine engine(quiet_options(workers));
  std::thread ends([&] {
    asks.wait_until_caught();
    drains ? engine.drain() : engine.cancel();
  });
  CHECK(engine.run_until_signal() == 0);
  ends.join();
  CHECK_FALSE(asks.is_caught());
}

TEST_CASE("run_until_signal_or_end: returns 0 when every actor has ended before a signal came", "[law11]") {
  TACT_FOR_EACH_THREAD_COUNT(workers);
  const signaller asks(SIGTERM);
  tact::engine engine(quiet_options(workers));
  const auto ends = engine.create(tact::behavior<count_down>{[&](auto& self, const count_down&) {
                                    asks.wait_until_caught();
                                    self.stop();
                                  }},
                                  tact::parallel);
  engine.send(ends, count_down{0});
  CHECK(engine.run_until_signal_or_end() == 0);
  CHECK_FALSE(asks.is_caught());
}

TEST_CASE("run_until_signal: hears of a signal that all threads blocked, and leaves the masks as they were",
          "[law11]") {
  TACT_FOR_EACH_THREAD_COUNT(workers);
  const int number = GENERATE(SIGINT, SIGTERM);
  const blocked here;  // and so in the threads that begin below
  const signaller asks(number);
  tact::engine engine(quiet_options(workers));
  const auto stays = engine.create(tact::sink<count_down>(), tact::parallel);
  int returned = 0;
  bool is_blocked_again = false;
  std::atomic<bool> is_over{false};
  std::thread waits([&] {
    returned = engine.run_until_signal();
    is_blocked_again = blocked::here(SIGINT) && blocked::here(SIGTERM);
    is_over = true;
  });
  asks.send_when_caught();
  const auto enough = std::chrono::steady_clock::now() + generous;
  while (!is_over && std::chrono::steady_clock::now() < enough) std::this_thread::yield();
  INFO("the signal was sent, and run_until_signal should return");
  CHECK(is_over);
  if (!is_over) engine.cancel();
  waits.join();
  CHECK(returned == number);
  CHECK(is_blocked_again);
  CHECK(blocked::here(number));
  engine.send(stays, count_down{0});
  CHECK(engine.statistics().dead_letters == 1);
}

TEST_CASE("run_until_signal: is refused where nobody could hear of a signal, with the remedy") {
  const signaller asks(SIGTERM);
  tact::engine engine(quiet_options(1));
  const auto stays = engine.create(tact::sink<count_down>(), tact::parallel);
  int returned = 0;
  std::thread waits([&] { returned = engine.run_until_signal(); });
  asks.wait_until_caught();
  tact::engine another(quiet_options(1));
  CHECK_THAT(refusal([&] { another.run_until_signal(); }), Catch::Matchers::Contains("let one thread wait"));
  ::kill(::getpid(), SIGTERM);
  waits.join();
  CHECK(returned == SIGTERM);
  engine.send(stays, count_down{0});
  CHECK(engine.statistics().dead_letters == 1);
  tact::engine without_workers(quiet_options(0));
  CHECK_THAT(refusal([&] { without_workers.run_until_signal(); }), Catch::Matchers::Contains("call engine.run"));
  std::string told;
  const auto inside = another.create(tact::behavior<count_down>{[&](auto&, const count_down&) {
                                       told = refusal([&] { another.run_until_signal(); });
                                     }},
                                     tact::parallel);
  another.send(inside, count_down{0});
  require_idle(another);
  CHECK_THAT(told, Catch::Matchers::Contains("the thread that owns the engine"));
  tact::loop place(another, [] {});
  CHECK_THAT(refusal([&] { another.run_until_signal(); }),
             Catch::Matchers::StartsWith("engine.run_until_signal: this thread has a tact::loop") &&
                 Catch::Matchers::Contains("call it on another thread"));
}

}  // namespace run_until_signal_test
