// Engines that are ended on threads of their own, or left to the end of their process; each in a process of its own.
#include <cstdlib>
#include <functional>
#include <latch>
#include <memory>
#include <optional>
#include <utility>

#include "support/coroutine.hpp"
#include "support/death.hpp"
#include "support/engine_fixture.hpp"
#include "support/home_of.hpp"

namespace ends_test {

using namespace tact;
using namespace tact::support;

namespace {

using Catch::Matchers::Contains;

struct number {
  using reply = long;
  long n;
};
struct go {};
// Ends an engine where it is destroyed.
struct cargo {
  std::shared_ptr<engine> held;
};
struct oracle : protocol<request<number>> {};
struct ender : protocol<go, cargo> {};

behavior<oracle> open_oracle() {
  return {[](auto& self, const request<number>& m) { self.reply(m, m.body.n * 2); }};
}
// Runs f(self) when it is told to.
template <class F>
behavior<ender> on_go(F f) {
  return {[=](self<ender>& self, const go&) { f(self); }, [](auto&, const cargo&) {}};
}

// Whose last owner a handler or a callback drops.
struct owned_engine {
  std::mutex lock{};
  std::shared_ptr<engine> last{};
  bool was_dropped = false;
  std::condition_variable dropped{};

  void drop() {
    std::shared_ptr<engine> gone;
    {
      const std::lock_guard guard(lock);
      gone = std::move(last);
    }
    if (gone == nullptr) return;
    gone.reset();
    const std::lock_guard guard(lock);
    was_dropped = true;
    dropped.notify_all();
  }
  void wait() {
    std::unique_lock guard(lock);
    dropped.wait(guard, [this] { return was_dropped; });
  }
};

// An engine with these options, in a process of its own, and `use(engine, kept)`, which sees to it that the engine is
// dropped on one of its own threads. `use` sends by `ref | m`, which keeps the engine meanwhile: it is no owner. When
// the process ends by itself nothing is left of it.
template <class Use>
void require_end(const engine_options& options, Use use) {
  const auto d = depart([&] {
    // Called behind what the library does at the process's end, because no engine was made before.
    std::atexit([] {
      if (tracked::alive != 0) ::_exit(9);
    });
    auto& kept = *new owned_engine;
    kept.last = std::make_shared<engine>(options);
    engine& e = *kept.last;
    static_cast<void>(
        e.create(behavior<go>{[kept = std::make_shared<tracked>()](auto&, const go&) {}}, tact::parallel));
    use(e, kept);
    kept.wait();
    std::exit(7);
  });
  INFO(d.words);
  CHECK(d.exited(7));
  CHECK(d.words.empty());
}

engine_options with(unsigned workers) {
  engine_options o = quiet_options(workers);
  o.helpers_max = 1;
  return o;
}

}  // namespace

TEST_CASE("ends: a handler that drops the last owner of its engine goes on, and another thread ends that") {
  const unsigned workers = GENERATE(1u, 4u);
  const auto dropping = [](owned_engine& kept) { return on_go([&kept](auto&) { kept.drop(); }); };
  require_end(with(workers), [&](engine& e, auto& kept) { e.create(dropping(kept), tact::parallel) | go{}; });
  require_end(with(workers), [&](engine& e, auto& kept) { e.create(dropping(kept)) | go{}; });
  require_end(with(workers), [&](engine& e, auto& kept) { e.create(dropping(kept), blocking) | go{}; });
  require_end(with(workers), [&](engine& e, auto& kept) {
    e.send_after(std::chrono::milliseconds(1), e.create(dropping(kept), tact::parallel), go{});
  });
}

TEST_CASE("ends: a handler that waits for an answer may drop its engine before and behind its wait") {
  const unsigned workers = GENERATE(1u, 4u);
  const bool before = GENERATE(true, false);
  require_end(with(workers), [&](engine& e, owned_engine& kept) {
    const auto wise = e.create(open_oracle(), tact::parallel);
    const auto asks = e.create(on_go([&kept, wise, before](auto& self) {
                                 if (before) kept.drop();
                                 if (self.ask(wise, number{21}) != 42) std::abort();
                                 if (!before) kept.drop();
                               }),
                               tact::parallel);
    asks | go{};
  });
}

TEST_CASE("ends: callbacks of options, what behaviours hold, and coroutines may drop their engine") {
  const unsigned workers = GENERATE(1u, 4u);
  static owned_engine* where = nullptr;
  engine_options options = with(workers);
  options.on_dead_letter = [](const dead_letter&) { where->drop(); };
  options.on_failure = [](const failure_report&) { where->drop(); };
  require_end(options, [](engine& e, owned_engine& kept) {
    where = &kept;
    e.create(on_go([](auto& self) { self.send(ref<ender>{}, go{}); }), tact::parallel) | go{};
  });
  require_end(options, [](engine& e, owned_engine& kept) {
    where = &kept;
    e.send(ref<ender>{}, go{});  // on a thread outside, in the middle of its send
  });
  require_end(options, [](engine& e, owned_engine& kept) {
    where = &kept;
    e.create(on_go([](auto&) { throw 1; }), tact::parallel) | go{};
  });
  require_end(with(workers), [](engine& e, owned_engine& kept) {
    const std::shared_ptr<void> last_words(nullptr, [&kept](void*) { kept.drop(); });
    e.create(behavior<go>{[last_words](auto& self, const go&) { self.stop(); }}, tact::parallel) | go{};
  });
  require_end(with(workers), [](engine& e, owned_engine& kept) {
    [](engine& of, ref<oracle> wise, owned_engine& last) -> coroutine {
      const number query{21};
      if (co_await of.ask_async(wise, query) != 42) std::abort();
      last.drop();
    }(e, e.create(open_oracle(), tact::parallel), kept);
  });
}

TEST_CASE("ends: a message may carry the last owner of its engine, whether it is handled or a dead letter") {
  const unsigned workers = GENERATE(0u, 1u, 4u);
  const auto d = depart([&] {
    std::latch gone(3);
    const auto own = [&] {
      return std::shared_ptr<engine>(new engine(quiet_options(workers)), [&gone](const engine* last) {
        delete last;
        gone.count_down();
      });
    };
    {
      auto e = own();
      const auto a = e->create(on_go([](auto&) {}), tact::parallel);
      engine& same = *e;
      a | cargo{std::move(e)};
      if (workers == 0) same.run_until_idle();
    }
    {
      auto e = own();
      const auto a = e->create(on_go([](auto& self) { self.stop(); }), tact::parallel);
      e->send(a, go{});
      e->wait_idle();
      a | cargo{std::move(e)};
    }
    {
      auto e = own();
      engine& same = *e;
      same.send(ref<ender>{}, cargo{std::move(e)});
    }
    gone.wait();  // else the process may end before a worker has come to the message
    std::exit(7);
  });
  INFO(d.words);
  CHECK(d.exited(7));
  CHECK(d.words.empty());
}

TEST_CASE("ends: an engine without workers is cut off where a handler drops its last owner") {
  const auto how = GENERATE(0, 1, 2, 3);
  const auto d = depart([&] {
    int handled = 0;
    auto e = std::make_shared<engine>(quiet_options(0));
    engine& same = *e;
    const auto a = e->create(on_go([&](auto&) {
      ++handled;
      e.reset();
    }));
    for (int i = 0; i < 3; ++i) same.send(a, go{});
    const auto wise = same.create(open_oracle(), tact::parallel);
    if (how == 0) same.run();
    if (how == 1) static_cast<void>(same.pump());
    if (how == 2) same.wait_idle();
    if (how == 3) {
      try {
        same.ask(wise, number{1});
      } catch (const ask_error&) {
      }
    }
    if (handled != 1) std::abort();
    std::exit(7);
  });
  INFO(d.words);
  CHECK(d.exited(7));
  CHECK_THAT(d.words, Contains("an engine dropped ") && Contains(" go for 1 ender"));
}

TEST_CASE("ends: an engine is dropped by a thread that helps it, and by the thread of its timers") {
  const auto helped = depart([] {
    auto e = std::make_shared<engine>(with(1));
    engine& same = *e;
    door opened;
    // The only worker is kept, so the thread that asks runs the rest.
    same.send(same.create(on_go([&](auto&) { opened.pass(); })), go{});
    const auto a = same.create(behavior<oracle>{[&](auto& self, const request<number>& m) {
                                 e.reset();
                                 opened.open();
                                 self.reply(m, 42);
                               }},
                               tact::parallel);
    if (same.ask(a, number{21}, help) != 42) std::abort();
    std::exit(7);
  });
  INFO(helped.words);
  CHECK(helped.exited(7));
  CHECK(helped.words.empty());

  const auto timed = depart([] {
    static std::atomic<bool> was_dropped{false};
    struct copied {
      std::shared_ptr<engine>* last;
      explicit copied(std::shared_ptr<engine>* l) : last(l) {}
      copied(const copied& other) : last(other.last) {
        if (last == nullptr) return;
        // Also on the thread of the timers, where waiting is not allowed either.
        try {
          (*last)->wait_idle();
          return;  // the copies that were made on the way
        } catch (const usage_error&) {
        }
        last->reset();
        last = nullptr;
        was_dropped = true;
        was_dropped.notify_all();
      }
      copied(copied&&) noexcept = default;
    };
    struct hears : protocol<copied> {};
    auto e = std::make_shared<engine>(with(1));
    const auto a = e->create(behavior<hears>{[](auto&, const copied&) {}}, tact::parallel);
    e->send_every(std::chrono::milliseconds(1), a, copied(&e));
    was_dropped.wait(false);
    std::exit(7);
  });
  INFO(timed.words);
  CHECK(timed.exited(7));
}

TEST_CASE("ends: of two engines that destroy each other both end") {
  const auto d = depart([] {
    auto first = std::make_unique<engine>(with(1));
    auto second = std::make_unique<engine>(with(1));
    engine& one = *first;
    engine& other = *second;
    meeting both(2);
    std::atomic<int> done{0};
    const auto dropping = [&](std::unique_ptr<engine>& whom) {
      return on_go([&](auto&) {
        both.join();
        whom.reset();
        ++done;
        done.notify_all();
      });
    };
    const auto a = one.create(dropping(second), tact::parallel);
    const auto b = other.create(dropping(first), tact::parallel);
    a | go{};
    b | go{};
    for (int n = done; n != 2; n = done) done.wait(n);
    std::exit(7);
  });
  INFO(d.words);
  CHECK(d.exited(7));
  CHECK(d.words.empty());
}

TEST_CASE("ends: an engine whose last owner is an actor of it may be ended by who knows it") {
  const unsigned workers = GENERATE(0u, 1u, 4u);
  const bool drains = GENERATE(true, false);
  const auto d = depart([&] {
    auto e = std::make_shared<engine>(quiet_options(workers));
    engine& same = *e;
    static_cast<void>(same.create(behavior<go>{[e = std::move(e)](auto&, const go&) {}}, tact::parallel));
    drains ? same.drain() : same.cancel();
    std::exit(7);
  });
  INFO(d.words);
  CHECK(d.exited(7));
  CHECK(d.words.empty());
}

TEST_CASE("ends: an actor's destructor may cancel the engine that ends it") {
  const unsigned workers = GENERATE(0u, 1u, 4u);
  const auto d = depart([&] {
    engine e(quiet_options(workers));
    std::shared_ptr<void> cancels(nullptr, [&e](void*) { e.cancel(); });
    static_cast<void>(e.create(behavior<go>{[cancels = std::move(cancels)](auto&, const go&) {}}, tact::parallel));
    auto group = std::make_shared<scope>(e);
    static_cast<void>(group->create(behavior<go>{[](auto&, const go&) {}}, tact::parallel));
    static_cast<void>(e.create(behavior<go>{[group = std::move(group)](auto&, const go&) {}}, tact::parallel));
    e.cancel();
  });
  INFO(d.words);
  CHECK(d.exited(0));
  CHECK(d.words.empty());
}

TEST_CASE("ends: a worker that has ended an engine without workers is a worker as before") {
  const auto d = depart([] {
    engine e(quiet_options(1));
    auto other = std::make_unique<engine>(quiet_options(0));
    int handled = 0;
    const auto b = other->create(on_go([&](auto&) { ++handled; }), tact::parallel);
    bool is_refused = false;
    const auto a = e.create(on_go([&](auto& self) {
                              b | go{};  // at the commit, so it comes too late
                              other->send(b, go{});
                              other.reset();
                              self.send(ref<ender>{}, go{});
                              try {
                                e.wait_idle();
                              } catch (const usage_error&) {
                                is_refused = true;
                              }
                            }),
                            tact::parallel);
    b | go{};
    a | go{};
    e.drain();
    if (handled != 1 || !is_refused || e.statistics().dead_letters != 1) std::abort();
  });
  INFO(d.words);
  CHECK(d.exited(0));
}

// The other engine's handler is told of the end, and what it frees then is freed on this worker's thread.
TEST_CASE("ends: a worker that has ended another engine creates actors in its own engine's memory") {
  const auto d = depart([] {
    engine e(quiet_options(1));
    auto o = quiet_options(2);
    o.shutdown_timeout = std::chrono::milliseconds(1);
    auto other = std::make_unique<engine>(o);
    const auto silent = other->create(behavior<oracle>{[](auto& self, const request<number>& m) { self.defer(m); }});
    const auto wait = [silent](auto& self) {
      try {
        static_cast<void>(self.ask(silent, number{1}));
      } catch (const ask_error&) {
        // The engine has ended.
      }
    };
    for (int i = 0; i < 64; ++i) other->create(on_go(wait), tact::parallel) | go{};
    while (other->statistics().waiting != 64) std::this_thread::yield();
    bool are_own = true;
    const auto a = e.create(on_go([&](auto& self) {
      other.reset();
      const void* const own = memory_of(tact::detail::self_port(tact::detail::access::run_of(self)));
      for (int i = 0; i < 1000; ++i) {
        const auto made = self.create(on_go([](auto&) {}), tact::parallel);
        are_own = are_own && memory_of(tact::detail::access::port_of(made)) == own;
      }
    }));
    a | go{};
    e.drain();
    if (!are_own) std::abort();
  });
  INFO(d.words);
  CHECK(d.exited(0));
}

TEST_CASE("ends: a timer may be cancelled where its message is copied") {
  const auto d = depart([] {
    struct copied {
      timer* own;
      explicit copied(timer* t) : own(t) {}
      copied(const copied& other) : own(other.own) { static_cast<void>(own->cancel()); }
      copied(copied&&) noexcept = default;
    };
    struct hears : protocol<copied> {};
    engine e(quiet_options(1));
    door opened;
    timer own;
    const auto a = e.create(behavior<hears>{[&](auto&, const copied&) { opened.open(); }}, tact::parallel);
    own = e.send_every(std::chrono::milliseconds(1), a, copied(&own));
    if (!opened.pass()) std::abort();
    e.drain();
  });
  INFO(d.words);
  CHECK(d.exited(0));
}

TEST_CASE("ends: std::exit in a handler ends the process with its code, where the engine is static") {
  if (sanitized) TACT_SKIP("to a sanitizer the threads that are left are leaks");
  const unsigned workers = GENERATE(0u, 1u, 4u);
  const int placed = GENERATE(0, 1);
  const auto d = depart([&] {
    static engine e(with(workers));
    const auto a = placed == 0 ? e.create(on_go([](auto&) { std::exit(7); }), tact::parallel)
                               : e.create(on_go([](auto&) { std::exit(7); }), blocking);
    const auto busy = e.create(on_go([](auto& self) { self.send(self.ref(), go{}); }), tact::parallel);
    for (int i = 0; i < 4; ++i) e.send(busy, go{});
    e.send(a, go{});
    e.wait_idle();
  });
  INFO(d.words);
  CHECK(d.exited(7));
  CHECK(d.words.empty());
}

}  // namespace ends_test
