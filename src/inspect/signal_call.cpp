#include "tact/inspect/signal_call.hpp"

#include <fcntl.h>
#include <poll.h>
#include <pthread.h>
#include <unistd.h>

#include <array>
#include <cerrno>
#include <csignal>
#include <string>
#include <system_error>
#include <thread>
#include <utility>

#include "sync/policy.hpp"
#include "tact/engine_options.hpp"
#include "tact/failure.hpp"

namespace tact::inspect {

namespace {

constexpr int patience_ms = 5000;
constexpr std::array fatal{SIGSEGV, SIGBUS, SIGFPE, SIGILL, SIGABRT};

bool is_fatal(int signal) noexcept {
  for (const int f : fatal) {
    if (f == signal) return true;
  }
  return false;
}

// One byte after another, in both directions. It is made once for a signal and never closed, because a handler that
// began on another thread may still write when nothing catches the signal any more.
struct pipes {
  std::array<int, 2> calls{};
  std::array<int, 2> answers{};
};
constexpr char called = 1;
constexpr char ends = 2;

struct signal_place {
  sync::atomic<const pipes*> told{nullptr};
  sync::atomic<bool> is_taken{false};
  sync::atomic<pthread_t> listener{};
  struct sigaction before {};  // written before the handler is set
};
constexpr int signals = NSIG;
std::array<signal_place, signals> places;

void put(int end, char byte) noexcept { static_cast<void>(!::write(end, &byte, 1)); }
// False: no byte came in time.
bool take(int end, char& byte, int limit_ms) noexcept {
  for (;;) {
    if (::read(end, &byte, 1) == 1) return true;
    pollfd readable{end, POLLIN, 0};
    if (::poll(&readable, 1, limit_ms) == 0) return false;
  }
}
void empty(int end) noexcept {
  for (char byte = 0; ::read(end, &byte, 1) == 1;) {
  }
}

// Safe in a handler: system calls and lock-free atomics only.
extern "C" void hear_signal(int signal) {
  const int saved = errno;
  signal_place& here = places[static_cast<std::size_t>(signal)];
  const pipes* const told = here.told.load();
  put(told->calls[1], called);
  if (is_fatal(signal)) {
    char byte = 0;
    if (::pthread_equal(::pthread_self(), here.listener.load()) == 0)
      static_cast<void>(take(told->answers[0], byte, patience_ms));
    ::sigaction(signal, &here.before, nullptr);
    static_cast<void>(::raise(signal));  // it comes when this handler has returned
  }
  errno = saved;
}

const pipes* make_pipes() {
  auto made = std::make_unique<pipes>();
  for (std::array<int, 2>* const one : {&made->calls, &made->answers}) {
    if (::pipe2(one->data(), O_CLOEXEC | O_NONBLOCK) != 0)
      throw std::system_error(errno, std::generic_category(), "tact::inspect::signal_call: no pipe");
  }
  return made.release();
}

signal_place& place_of(int signal) {
  if (signal <= 0 || signal >= signals || signal == SIGKILL || signal == SIGSTOP) {
    throw option_error("tact::inspect::signal_call: " + std::to_string(signal) +
                       " is no signal that a program can catch; give one such as SIGQUIT or SIGUSR1");
  }
  return places[static_cast<std::size_t>(signal)];
}

}  // namespace

class signal_call::catching {
 public:
  catching(int signal, std::function<void()> then) : signal_(signal), place_(place_of(signal)), then_(std::move(then)) {
    if (!then_) throw option_error("tact::inspect::signal_call: the function is empty; give one to be called");
    if (place_.is_taken.exchange(true)) {
      throw usage_error("tact::inspect::signal_call: another object calls a function at signal " +
                        std::to_string(signal) + "; let that one end first");
    }
    try {
      if (place_.told.load() == nullptr) place_.told.store(make_pipes());
      empty(place_.told.load()->calls[0]);
      empty(place_.told.load()->answers[0]);
      listener_ = std::thread([this] { listen(); });
    } catch (...) {
      place_.is_taken.store(false);
      throw;
    }
    struct sigaction catches {};
    catches.sa_handler = &hear_signal;
    catches.sa_flags = SA_RESTART | SA_ONSTACK;
    ::sigaction(signal_, nullptr, &place_.before);
    ::sigaction(signal_, &catches, nullptr);
  }
  catching(const catching&) = delete;
  catching& operator=(const catching&) = delete;
  ~catching() {
    ::sigaction(signal_, &place_.before, nullptr);
    put(place_.told.load()->calls[1], ends);
    listener_.join();
    place_.is_taken.store(false);
  }

 private:
  void listen() noexcept {
    const pipes& told = *place_.told.load();
    place_.listener.store(::pthread_self());
    for (char byte = 0; take(told.calls[0], byte, -1) && byte != ends;) {
      try {
        then_();
      } catch (...) {
        // As said at the declaration.
      }
      put(told.answers[1], called);
    }
  }

  const int signal_;
  signal_place& place_;
  const std::function<void()> then_;
  std::thread listener_;
};

signal_call::signal_call(int signal, std::function<void()> then)
    : catching_(std::make_unique<catching>(signal, std::move(then))) {}
signal_call::~signal_call() = default;

}  // namespace tact::inspect
