// What a program is told on stderr while it waits, and when it loses work or an engine; each in a process of its own.
#include <unistd.h>

#include <chrono>
#include <cstdio>
#include <cstdlib>
#include <memory>
#include <string>
#include <thread>
#include <utility>

#include "support/death.hpp"
#include "support/engine_fixture.hpp"
#include "sync/patience.hpp"

namespace said_test {

using namespace tact;
using namespace tact::support;

namespace {

using Catch::Matchers::Contains;
using namespace std::chrono_literals;

struct number {
  using reply = long;
  long n;
};
struct go {};
struct later {};
struct silent_one : protocol<go, later, request<number>> {};

// Answers when it is told to.
behavior<silent_one> open_silent() {
  struct state {
    ref<long> customer{};
  };
  return {[](auto& self, const go&) { self.stop(); }, [](auto&, const later&) {},
          [](auto& self, const request<number>& m) {
            self.defer(m);
            self.become(behavior<silent_one>{[customer = m.customer](auto& s, const go&) {
                                               s.send(customer, 42L);
                                               s.stop();
                                             },
                                             [](auto&, const later&) {}, [](auto&, const request<number>&) {}});
          }};
}

// Returns when this process has said so on its standard error output, which is a file.
std::string wait_for_words(const std::string& text) {
  for (;;) {
    std::string all(64 * 1024, '\0');
    const auto size = ::pread(STDERR_FILENO, all.data(), all.size(), 0);
    all.resize(size > 0 ? static_cast<std::size_t>(size) : 0);
    if (all.find(text) != std::string::npos) return all;
    std::this_thread::yield();
  }
}

template <class F>
departure impatiently(F f) {
  return depart([&] {
    sync::patience::limit = 5ms;
    f();
  });
}

}  // namespace

TEST_CASE("said: a wait without a limit says again and again for whom it waits; one with a limit says nothing") {
  const unsigned workers = GENERATE(0u, 1u, 4u);
  const auto finished = impatiently([&] {
    engine e(quiet_options(workers));
    const auto a = e.create(open_silent(), named("the last"), tact::parallel);
    static_cast<void>(e.wait_finished(50ms));
    if (::lseek(STDERR_FILENO, 0, SEEK_CUR) != 0) ::_exit(9);
    std::thread waiter([&] { e.wait_finished(); });
    wait_for_words("engine.wait_finished waits: ");
    e.send(a, go{});
    waiter.join();
  });
  INFO(finished.words);
  CHECK(finished.exited(0));
  CHECK_THAT(finished.words, Contains("tact: engine.wait_finished waits: 0 messages in flight; actors alive: ") &&
                                 Contains("1 silent_one (the last)"));

  const auto asked = impatiently([&] {
    engine e(quiet_options(workers));
    const auto a = e.create(open_silent(), named("the shy"));
    std::thread waiter([&] {
      if (e.ask(a, number{1}) != 42) ::_exit(9);
      if (!e.wait_finished(generous)) ::_exit(10);
    });
    wait_for_words("engine.ask waits for an answer of the shy (silent_one");
    e.send(a, go{});
    waiter.join();
  });
  INFO(asked.words);
  CHECK(asked.exited(0));
}

TEST_CASE("said: who waits for whom is part of what still runs") {
  const unsigned workers = GENERATE(1u, 4u);
  const auto d = depart([&] {
    engine e(quiet_options(workers));
    const auto shy = e.create(open_silent(), named("the shy"));
    const auto asks = e.create(behavior<go>{[shy](self<go>& self, const go&) {
                                 if (self.ask(shy, number{1}) != 42) std::abort();
                               }},
                               named("the curious"));
    e.send(asks, go{});
    while (e.statistics().waiting == 0) std::this_thread::yield();
    std::fputs((e.still_running() + "\nthen ").c_str(), stderr);
    e.send(shy, go{});
    e.wait_idle();
    std::fputs(e.still_running().c_str(), stderr);
  });
  INFO(d.words);
  CHECK(d.exited(0));
  CHECK_THAT(d.words, Contains("1 handler waits for an answer"));
#if !defined(NDEBUG)
  CHECK_THAT(d.words, Contains("(the curious (go") && Contains(" for the shy (silent_one"));
#endif
  CHECK_THAT(d.words.substr(d.words.find("then ")), !Contains("waits for an answer"));
}

TEST_CASE("said: timers that go with their engine are told in one line, unless that was drained or cancelled") {
  const unsigned workers = GENERATE(0u, 1u, 4u);
  const auto set = [](engine& e) {
    const auto a = e.create(open_silent(), named("the late"), tact::parallel);
    const auto b = e.create(open_silent(), tact::parallel);
    e.send_after(1h, a, later{});
    e.send_after(1h, b, later{});
    e.send_after(2h, b, later{});
    e.send_every(1h, b, go{});
    e.send_after(3h, b, go{}).cancel();
  };
  const auto told = depart([&] {
    engine e(quiet_options(workers));
    set(e);
  });
  CHECK(told.words ==
        "tact: an engine ended with 3 timers set, which will not fire (call drain() before, which drops timers on "
        "purpose): 2 later for 1 silent_one, 1 later for 1 "
        "silent_one (the late)\n");
  const auto one = depart([&] {
    engine e(quiet_options(workers));
    e.send_after(1h, e.create(open_silent()), later{});
  });
  CHECK_THAT(one.words, Contains("ended with 1 timer set, ") && Contains("drain()"));
  const auto on_purpose = depart([&] {
    engine e(quiet_options(workers));
    set(e);
    e.drain();
  });
  CHECK(on_purpose.words.empty());
  const auto heard = depart([&] {
    engine_options o = quiet_options(workers);
    o.on_dropped = [](const std::vector<dropped_messages>& all) {
      for (const auto& d : all) std::fprintf(stderr, "%d %d;", static_cast<int>(d.messages), d.were_timed ? 1 : 0);
    };
    engine e(o);
    set(e);
  });
  CHECK(heard.words == "2 1;1 1;");
}

TEST_CASE("said: a process that ends with an engine that was not ended says what is lost") {
  const unsigned workers = GENERATE(0u, 1u, 4u);
  const auto own = depart([&] {
    auto e = std::make_shared<engine>(quiet_options(workers));
    engine& same = *e;
    static_cast<void>(
        same.create(behavior<go>{[e = std::move(e)](auto&, const go&) {}}, named("the owner"), tact::parallel));
    std::exit(7);
  });
  INFO(own.words);
  CHECK(own.exited(7));
  CHECK_THAT(own.words, Contains("tact: an engine was not ended before its process") &&
                            Contains("actors alive: 1 go (the owner)"));
  const auto ended = depart([&] {
    auto* e = new engine(quiet_options(workers));
    static_cast<void>(e->create(open_silent(), tact::parallel));
    e->drain();
    std::exit(7);
  });
  CHECK(ended.exited(7));
  CHECK(ended.words.empty());
}

TEST_CASE("said: an engine is not made in a handler") {
  const unsigned workers = GENERATE(0u, 1u, 4u);
  const auto d = depart([&] {
    engine e(quiet_options(workers));
    const auto a = e.create(behavior<go>{[&](auto&, const go&) {
                              try {
                                const engine inner;
                              } catch (const usage_error& error) {
                                std::fputs(error.what(), stderr);
                              }
                            }},
                            tact::parallel);
    e.send(a, go{});
    e.wait_idle();
  });
  CHECK(d.exited(0));
  CHECK_THAT(d.words,
             Contains("tact::engine: not on a thread of an engine") && Contains("make it outside of handlers"));
}

}  // namespace said_test
