// The stacks that threads show when they get a signal. Handlers run on the stacks of their threads here, because none
// of this program can wait.
#include "tact/inspect/thread_stack.hpp"

#include <pthread.h>

#include <array>
#include <cstdio>
#include <future>
#include <sstream>
#include <string>
#include <thread>
#include <vector>

#include "inspect/turning.hpp"
#include "support/death.hpp"
#include "support/engine_fixture.hpp"
#include "tact/inspect/engine_stacks.hpp"

namespace inspect_thread_stack_test {

namespace {

using namespace tact::support;
using tact::inspect::stack_of_thread;
using tact::inspect::stack_options;
using tact::inspect::thread_stack;
using turning::has;
using turning::turn_in_circles;
using turning::turn_in_squares;
using turning::turner;

constexpr stack_options patient{.limit = generous};
constexpr stack_options hasty{.limit = std::chrono::milliseconds(20)};

std::string text_of(const thread_stack& s) {
  std::ostringstream text;
  text << s;
  return text.str();
}

std::string output_of(const std::string& command) {
  std::FILE* const pipe = ::popen(command.c_str(), "r");
  REQUIRE(pipe != nullptr);
  std::string text;
  for (int c = std::fgetc(pipe); c != EOF; c = std::fgetc(pipe)) text += static_cast<char>(c);
  ::pclose(pipe);
  return text;
}

int block(int signal, int how) {
  sigset_t set;
  sigemptyset(&set);
  sigaddset(&set, signal);
  return ::pthread_sigmask(how, &set, nullptr);
}

// A thread that blocks the signal until it is told to let it in, and lives on.
class blocker {
 public:
  explicit blocker(int signal)
      : thread_([this, signal] {
          block(signal, SIG_BLOCK);
          number_.set_value(::gettid());
          opens_.get_future().wait();
          block(signal, SIG_UNBLOCK);
          opened_.set_value();
          ends_.get_future().wait();
        }) {}
  blocker(const blocker&) = delete;
  blocker& operator=(const blocker&) = delete;
  ~blocker() {
    if (!is_open_) open();
    ends_.set_value();
    thread_.join();
  }
  [[nodiscard]] int number() { return number_.get_future().get(); }
  void open() {
    is_open_ = true;
    opens_.set_value();
    opened_.get_future().wait();
  }

 private:
  bool is_open_ = false;
  std::promise<int> number_;
  std::promise<void> opens_;
  std::promise<void> opened_;
  std::promise<void> ends_;
  std::thread thread_;  // last: it uses the others
};

std::atomic<int> heard{0};
void hear(int, siginfo_t*, void*) { heard.fetch_add(1); }

void install(int signal, void (*f)(int, siginfo_t*, void*)) {
  struct sigaction act {};
  act.sa_sigaction = f;
  act.sa_flags = SA_SIGINFO;
  REQUIRE(::sigaction(signal, &act, nullptr) == 0);
}

struct turn {};

}  // namespace

TEST_CASE("thread stack: a thread is shown with the function that it is in, and with none of the handler") {
  const turner t(&turn_in_circles);
  const thread_stack s = stack_of_thread(t.number(), patient);
  INFO(text_of(s));
  CHECK(has(s, "turning::turn_in_circles(turning::exit&)"));
  CHECK(!has(s, "turn_in_squares"));
  if (!tact::base::under_tsan) CHECK(!has(s, "hear_request"));  // it is told of signals late, out of its own functions
  CHECK(s.why_none.empty());
}

TEST_CASE("thread stack: the command that is printed shows the functions that no name is known of, too") {
  if (std::system("addr2line --version > /dev/null 2>&1") != 0) TACT_SKIP("addr2line is not installed");
  const turner t(&turn_in_circles);
  const std::string text = text_of(stack_of_thread(t.number(), patient));
  const std::size_t at = text.find("addr2line -Cfpie ");
  REQUIRE(at != std::string::npos);
  const std::string shown = output_of(text.substr(at, text.find('\n', at) - at));
  INFO(text << '\n' << shown);
  CHECK(shown.find("turning::turn_in_circles") != std::string::npos);
  CHECK(shown.find("turner::turner") != std::string::npos);  // its function has no name
}

TEST_CASE("thread stack: the asking thread shows its own") {
  const thread_stack s = stack_of_thread(::gettid(), patient);
  INFO(text_of(s));
  CHECK(has(s, "tact::inspect::stack_of_thread"));
}

TEST_CASE("thread stack: several ask at once, and each gets the stack that it has asked for") {
  const turner circles(&turn_in_circles);
  const turner squares(&turn_in_squares);
  constexpr int askers = 4;
  const int rounds = scaled(300);
  std::atomic<int> wrong{0};
  std::vector<std::thread> threads;
  for (int n = 0; n < askers; ++n) {
    threads.emplace_back([&, n] {
      for (int i = 0; i < rounds; ++i) {
        const bool is_round = (n + i) % 2 == 0;
        const thread_stack s = stack_of_thread((is_round ? circles : squares).number(), patient);
        if (!has(s, is_round ? "turn_in_circles" : "turn_in_squares")) ++wrong;
        if (has(s, is_round ? "turn_in_squares" : "turn_in_circles")) ++wrong;
      }
    });
  }
  for (std::thread& t : threads) t.join();
  CHECK(wrong == 0);
}

TEST_CASE("thread stack: threads that end meanwhile show a stack, or it is said that they have ended") {
  int shown = 0;
  int ended = 0;
  std::string other;
  constexpr int threads = 1000;
  for (int n = 0; n < threads; ++n) {
    std::atomic<int> number{0};
    std::thread t([&] { number.store(::gettid()); });
    while (number.load() == 0) std::this_thread::yield();
    const thread_stack s = stack_of_thread(number.load(), patient);
    t.join();
    if (!s.frames.empty()) {
      ++shown;
    } else if (s.why_none == "thread " + std::to_string(number.load()) + " has ended") {
      ++ended;
    } else {
      other = s.why_none;
    }
  }
  CHECK(shown + ended == threads);
  CHECK(ended > 0);
  CHECK(other.empty());
  CHECK(stack_of_thread(::gettid(), patient).why_none.empty());
}

TEST_CASE("thread stack: of a thread that blocks the signal it is said so, and the late signal writes nowhere") {
  const turner t(&turn_in_circles);
  blocker blocked(SIGURG);
  const int number = blocked.number();
  const thread_stack none = stack_of_thread(number, hasty);
  CHECK(none.frames.empty());
  CHECK(none.why_none == "thread " + std::to_string(number) + " blocks signal " + std::to_string(SIGURG));
  CHECK(has(stack_of_thread(t.number(), patient), "turn_in_circles"));
  blocked.open();
  CHECK(has(stack_of_thread(t.number(), patient), "turn_in_circles"));
  if (tact::base::under_tsan) return;  // it keeps a signal while the thread sleeps
  CHECK(!stack_of_thread(number, patient).frames.empty());
}

TEST_CASE("thread stack: a system call in which a thread waits is begun again") {
  if (tact::base::under_tsan) TACT_SKIP("it keeps a signal that came on the way into a system call");
  std::array<int, 2> pipe{};
  REQUIRE(::pipe(pipe.data()) == 0);
  std::promise<int> number;
  ssize_t got = 0;
  std::thread t([&] {
    number.set_value(::gettid());
    char byte = 0;
    got = ::read(pipe[0], &byte, 1);
  });
  const int asked = number.get_future().get();
  for (int n = 0; n < 100; ++n) CHECK(!stack_of_thread(asked, patient).frames.empty());
  CHECK(::write(pipe[1], "x", 1) == 1);
  t.join();
  CHECK(got == 1);
  ::close(pipe[0]);
  ::close(pipe[1]);
}

TEST_CASE("thread stack: a handler that the program had before is called for the signals of others only") {
  const int signal = SIGRTMIN + 1;
  heard = 0;
  install(signal, &hear);
  CHECK(!stack_of_thread(::gettid(), {.signal = signal}).frames.empty());
  CHECK(heard == 0);
  REQUIRE(::pthread_kill(::pthread_self(), signal) == 0);
  CHECK(heard == 1);
  CHECK(!stack_of_thread(::gettid(), {.signal = signal}).frames.empty());
  CHECK(heard == 1);
}

TEST_CASE("thread stack: nothing is sent to a handler that the program has installed afterwards") {
  const int signal = SIGRTMIN + 2;
  heard = 0;
  CHECK(!stack_of_thread(::gettid(), {.signal = signal}).frames.empty());
  install(signal, &hear);
  const thread_stack none = stack_of_thread(::gettid(), {.signal = signal});
  CHECK(none.frames.empty());
  CHECK(none.why_none.find("its own handler of signal " + std::to_string(signal)) != std::string::npos);
  CHECK(heard == 0);
  ::signal(signal, SIG_DFL);
  CHECK(!stack_of_thread(::gettid(), {.signal = signal}).frames.empty());
}

TEST_CASE("thread stack: a signal that somebody sends does what it did before") {
  last_words(
      [] {
        static_cast<void>(stack_of_thread(::gettid(), {.signal = SIGUSR1}));
        ::raise(SIGUSR1);
      },
      SIGUSR1);
  const departure d = depart([] {
    static_cast<void>(stack_of_thread(::gettid(), patient));
    ::raise(SIGURG);
  });
  CHECK(d.exited(0));
}

TEST_CASE("thread stack: a forked child asks anew, also when a thread of its parent was asked meanwhile") {
  blocker blocked(SIGURG);
  const int number = blocked.number();
  std::atomic<bool> ends{false};
  std::thread asks([&] {
    while (!ends.load()) static_cast<void>(stack_of_thread(number, hasty));
  });
  for (int n = 0; n < 10; ++n) {
    const departure d = depart([&] {
      if (stack_of_thread(::gettid(), patient).frames.empty()) ::_exit(1);
      if (stack_of_thread(number, patient).why_none.find("has ended") == std::string::npos) ::_exit(2);
    });
    INFO(d.words);
    CHECK(d.exited(0));
  }
  ends = true;
  asks.join();
}

TEST_CASE("thread stack: options that make no sense, and numbers of no thread, are named") {
  for (const int signal : {-1, SIGKILL, SIGSTOP, SIGSEGV, SIGABRT, 32, 33, 65, 100000})
    CHECK_THROWS_WITH(stack_of_thread(::gettid(), {.signal = signal}), Catch::Contains("stack_options.signal"));
  for (const int ms : {0, -1}) {
    CHECK_THROWS_WITH(stack_of_thread(::gettid(), {.limit = std::chrono::milliseconds(ms)}),
                      Catch::Contains("stack_options.limit"));
  }
  for (const int number : {0, -1, 1 << 29})
    CHECK(stack_of_thread(number).why_none == "thread " + std::to_string(number) + " is none of the system's");
  CHECK(stack_of_thread(::gettid(), {.signal = 0}).empty());
}

TEST_CASE("thread stack: the handler of an engine is shown below the thread that runs it, on the thread's own stack") {
  turning::exit out;
  std::promise<bool> is_on_thread;
  tact::engine engine(quiet_options(2));
  const auto busy = engine.create(tact::behavior<turn>([&](auto&, const turn&) {
                                    pthread_attr_t how;
                                    ::pthread_getattr_np(::pthread_self(), &how);
                                    void* low = nullptr;
                                    std::size_t bytes = 0;
                                    ::pthread_attr_getstack(&how, &low, &bytes);
                                    ::pthread_attr_destroy(&how);
                                    const auto* const here = reinterpret_cast<const char*>(&how);
                                    is_on_thread.set_value(here >= low && here < static_cast<char*>(low) + bytes);
                                    turn_in_circles(out);
                                  }),
                                  tact::named("the busy one"));
  engine.send(busy, turn{});
  // AddressSanitizer has locals of functions elsewhere.
  CHECK((is_on_thread.get_future().get() || tact::base::under_asan));
  out.wait_until_used();
  const tact::inspect::engine_stacks all = describe_with_stacks(engine, patient);
  std::ostringstream text;
  text << all;
  INFO(text.str());
  const std::size_t runs = text.str().find("runs the busy one");
  const std::size_t frame = text.str().find("turning::turn_in_circles(");
  CHECK(runs != std::string::npos);
  CHECK(frame != std::string::npos);
  CHECK(frame > runs);
  CHECK(text.str().find("addr2line -Cfpie /") > frame);
  out.open();
  require_idle(engine);
}

}  // namespace inspect_thread_stack_test
