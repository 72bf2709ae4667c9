// A process that is forked from one with engines: it may go another way, or is told that the engines are not there.
#include <chrono>
#include <csignal>
#include <cstdlib>
#include <memory>
#include <optional>
#include <thread>

#include "support/death.hpp"
#include "support/engine_fixture.hpp"

namespace forked_test {

using namespace tact;
using namespace tact::support;

namespace {

using Catch::Matchers::Contains;

struct number {
  using reply = long;
  long n;
};
struct go {};
struct desk : protocol<go, request<number>> {};

behavior<desk> open_desk() {
  return {[](auto&, const go&) {}, [](auto& self, const request<number>& m) { self.reply(m, m.body.n * 2); }};
}

struct office {
  explicit office(unsigned workers)
      : open(std::in_place, quiet_options(workers)), d(open->create(open_desk(), tact::parallel)) {
    if (open->ask(d, number{21}) != 42) std::abort();
  }
  std::optional<engine> open;
  ref<desk> d;
};

// Lets a child of a process with an engine do f(office), while others send; how the child ended is how this ends.
template <class F>
departure child(unsigned workers, F f) {
  return depart([&] {
    office o(workers);
    std::atomic<bool> enough{false};
    std::thread sender([&] {
      while (!enough) o.open->send(o.d, go{});
    });
    const pid_t born = ::fork();
    if (born == 0) {
      ::alarm(60);
      f(o);
      // What the threads of the parent had would be leaks to AddressSanitizer.
      base::under_asan ? ::_exit(3) : std::exit(3);
    }
    int status = 0;
    ::waitpid(born, &status, 0);
    enough = true;
    sender.join();
    if (o.open->ask(o.d, number{4}) != 8) ::_exit(99);  // the parent goes on
    if (WIFSIGNALED(status)) {
      ::signal(WTERMSIG(status), SIG_DFL);
      ::raise(WTERMSIG(status));
    }
    ::_exit(WEXITSTATUS(status));
  });
}

void require_told(const departure& d, const char* what) {
  INFO(d.words);
  CHECK(d.aborted());
  CHECK_THAT(d.words, Contains(std::string("tact: ") + what + " in a child process") && Contains("exec or _exit"));
}

}  // namespace

TEST_CASE("forked: a child may exec, _exit, exit, and make an engine of its own") {
  const unsigned workers = GENERATE(0u, 1u, 4u);
  const auto silent = [&](int code, auto f) {
    const auto d = child(workers, f);
    INFO(d.words);
    CHECK(d.exited(code));
    CHECK(d.words.empty());
  };
  silent(0, [](auto&) { ::execlp("true", "true", static_cast<char*>(nullptr)); });
  silent(5, [](auto&) { ::_exit(5); });
  silent(3, [](auto&) {});
  if (sanitized) TACT_SKIP("under a sanitizer the child of a process with threads can start none");
  silent(42, [](auto&) {
    office own(2);
    own.open->drain();
    ::_exit(static_cast<int>(own.open->statistics().commits) + 40);
  });
}

TEST_CASE("forked: a child that destroys an engine of its parent is told so, and goes on") {
  const unsigned workers = GENERATE(0u, 1u, 4u);
  const auto d = child(workers, [](office& o) {
    { const scope s(*o.open); }
    o.open.reset();
  });
  INFO(d.words);
  CHECK(d.exited(3));
  CHECK_THAT(d.words, Contains("a child process destroys an engine that lives in its parent"));
}

TEST_CASE("forked: a child that uses an engine of its parent is told so, and never hangs") {
  const unsigned workers = GENERATE(0u, 1u, 4u);
  require_told(child(workers, [](office& o) { o.open->send(o.d, go{}); }), "sending a message");
  require_told(child(workers, [](office& o) { o.d | go{}; }), "sending a message");
  require_told(child(workers, [](office& o) { o.open->ask(o.d, number{1}); }), "creating an actor, or asking,");
  require_told(child(workers, [](office& o) { static_cast<void>(o.open->create(open_desk(), tact::parallel)); }),
               "creating an actor, or asking,");
  require_told(child(workers, [](office& o) { o.open->wait_idle(); }), "engine.wait_idle");
  require_told(child(workers, [](office& o) { static_cast<void>(o.open->wait_finished(generous)); }),
               "engine.wait_finished");
  require_told(child(workers, [](office& o) { o.open->drain(); }), "engine.drain");
  require_told(child(workers, [](office& o) { o.open->cancel(); }), "engine.cancel");
  require_told(child(workers, [](office& o) { o.open->send_after(std::chrono::seconds(1), o.d, go{}); }),
               "setting a timer");
  if (workers == 0) {
    require_told(child(workers, [](office& o) { o.open->run_until_idle(); }), "engine.run_until_idle");
  } else {
    require_told(child(workers, [](office& o) { o.open->set_workers(1); }), "engine.set_workers");
  }
}

TEST_CASE("forked: a handler may fork; a child that returns from it handles nothing more") {
  const unsigned workers = GENERATE(1u, 4u);
  const auto d = depart([&] {
    engine e(quiet_options(workers));
    int status = 0;
    const auto a = e.create(behavior<desk>{[&](auto&, const go&) {
                                             const pid_t born = ::fork();
                                             if (born == 0) {
                                               ::alarm(60);
                                               return;
                                             }
                                             ::waitpid(born, &status, 0);
                                           },
                                           [](auto&, const request<number>&) { ::_exit(77); }});
    e.send(a, go{});
    e.wait_idle();
    ::_exit(WIFSIGNALED(status) ? WTERMSIG(status) : 1);
  });
  INFO(d.words);
  CHECK(d.exited(SIGABRT));
  CHECK_THAT(d.words, Contains("a handler that has forked returns in a child process"));
}

TEST_CASE("forked: a daemon has no engine of the process that it comes from") {
  const auto d = depart([] {
    int ends[2];
    if (::pipe(ends) != 0) std::abort();
    office o(2);
    const pid_t starter = ::fork();
    if (starter == 0) {
      if (::daemon(1, 1) != 0) std::abort();  // the starter leaves, and the daemon goes on
      ::close(ends[0]);
      ::alarm(60);
      o.d | go{};
      ::_exit(0);
    }
    ::close(ends[1]);
    char nothing = 0;
    static_cast<void>(!::read(ends[0], &nothing, 1));  // until the daemon has ended
    ::waitpid(starter, nullptr, 0);
  });
  INFO(d.words);
  CHECK(d.exited(0));
  CHECK_THAT(d.words, Contains("sending a message in a child process"));
}

}  // namespace forked_test
