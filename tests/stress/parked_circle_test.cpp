// Handlers that wait for each other would wait for ever: debug builds find the circle, and name it.
#if !defined(NDEBUG)
#include <atomic>
#include <string>
#include <vector>

#include "stress/parked_ask.hpp"
#include "tact/future.hpp"

namespace parked_circle_test {

using namespace tact::parked_tests;
using namespace tact;
using namespace std::chrono_literals;

namespace {

struct circle : protocol<request<number>> {};
using asked = ref<request<number>>;

}  // namespace

TEST_CASE("parked ask: handlers that wait for each other are found in debug builds, and the circle is named") {
  TACT_FOR_EACH_WORKER_COUNT(workers);
  engine e(quiet_options(workers));
  // The first is exclusive and asks the second, and so on; the last asks the first.
  const unsigned length = GENERATE(2u, 3u, 5u);
  const bool others_parallel = GENERATE(false, true);
  struct whom : protocol<request<number>, asked> {};
  struct make {
    static behavior<whom> open(asked next) {
      return {[=](auto& self, const request<number>& m) { self.reply(m, self.ask(next, number{m.body.n}) + 1); },
              [](self<whom>& self, const asked& other) { self.become(open(other)); }};
    }
  };
  std::vector<ref<whom>> all;
  for (unsigned i = 0; i < length; ++i) {
    const std::string name = "member " + std::to_string(i);
    const auto next = all.empty() ? asked{} : asked(all.back());
    all.push_back(i == 0 || !others_parallel ? e.create(make::open(next), named(name))
                                             : e.create(make::open(next), named(name), tact::parallel));
  }
  e.send(all.front(), asked(all.back()));
  require_idle(e);
  try {
    (void)e.ask(all.front(), number{1});
    FAIL("a circle of waits was answered");
  } catch (const ask_error& error) {
    const std::string text = error.what();
    INFO(text);
    CHECK(text.find("waits in a circle") != std::string::npos);
    for (unsigned i = 0; i < length; ++i) CHECK(text.find("member " + std::to_string(i)) != std::string::npos);
  }
  require_idle(e);
}

namespace {

struct seat : protocol<request<number>, asked, go> {};
behavior<seat> open_seat(asked next) {
  return {[=](auto& self, const request<number>& m) { self.reply(m, self.ask(next, number{m.body.n}) + 1); },
          [](self<seat>& self, const asked& other) { self.become(open_seat(other)); }, [](auto&, const go&) {}};
}
ref<seat> create_seat(engine& e, asked next, int mailbox) {
  switch (mailbox) {
    case 0:
      return e.create(open_seat(next), by_priority([](const request<number>& m) { return m.body.n; }));
    case 1:
      return e.create(open_seat(next), mailbox_limit{.messages = 100, .when_full = when_full::drop_oldest});
    case 2:
      return e.create(open_seat(next), mailbox_limit{.messages = 1, .when_full = when_full::drop_oldest});
    default:
      return e.create(open_seat(next), mailbox_limit{.messages = 100});
  }
}

}  // namespace

TEST_CASE("parked ask: a circle is found through each mailbox, also behind what lies there and is dropped for it") {
  TACT_FOR_EACH_WORKER_COUNT(workers);
  const int mailbox = GENERATE(range(0, 4));
  auto options = quiet_options(workers);
  options.on_dropped = [](auto&) {};
  engine e(options);
  std::atomic<bool> may_ask_back{false};
  const auto first = create_seat(e, {}, mailbox);
  // It does not close the circle before the first one waits, and something lies in the mailbox of the first one.
  const auto second = e.create(behavior<circle>{[&, first](auto& self, const request<number>& m) {
                                 may_ask_back.wait(false);
                                 self.reply(m, self.ask(first, number{m.body.n}));
                               }},
                               blocking);
  e.send(first, asked(second));
  require_idle(e);
  auto answer = e.ask_future(first, number{1});
  wait_until(e, [&] { return e.statistics().waiting == 1; });
  e.send(first, go{0});
  may_ask_back = true;
  may_ask_back.notify_all();
  require_idle(e);
  try {
    static_cast<void>(answer.get());
    FAIL("a circle of waits was answered");
  } catch (const ask_error& error) {
    CHECK_THAT(error.what(), Catch::Contains("waits in a circle: "));
  }
  require_idle(e);
}

TEST_CASE("parked ask: who waits for somebody that has answered it is no part of a circle") {
  TACT_FOR_EACH_WORKER_COUNT(workers);
  engine e(quiet_options(workers));
  struct polite : protocol<request<number>, asked> {};
  struct make {
    // Answers before it asks back.
    static behavior<polite> open(asked next) {
      return {[=](auto& self, const request<number>& m) {
                self.reply(m, m.body.n);
                if (m.body.n > 0) (void)self.ask(next, number{m.body.n - 1});
              },
              [](self<polite>& self, const asked& other) { self.become(open(other)); }};
    }
  };
  const auto one = e.create(make::open({}));
  const auto other = e.create(make::open(one));
  e.send(one, asked(other));
  for (long i = 0; i < 50; ++i) {
    CHECK(e.ask(one, number{20}) == 20);
    require_idle(e);  // two such rows at once would wait for each other
  }
  CHECK(e.statistics().failures == 0);
}

}  // namespace parked_circle_test
#endif
