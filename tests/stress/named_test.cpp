// Names that a user gives: every report says them, and an actor without a name is reported as before.
#include <sstream>

#include "support/captured_stderr.hpp"
#include "support/engine_fixture.hpp"

namespace named_test {

namespace {

using namespace tact::support;
using tact::named;

struct trip {};
struct stop {};
struct query {
  using reply = int;
};
struct teller : tact::protocol<trip, stop, tact::request<query>> {};

tact::behavior<teller> open_teller() {
  return {[](auto&, const trip&) { throw std::runtime_error("no money"); },
          [](tact::self<teller>& self, const stop&) { self.stop(); },
          [](auto& self, const tact::request<query>& m) { self.reply(m, 1); }};
}

class clerk : public tact::actor<clerk, trip, stop> {
 public:
  explicit clerk(int number) : number_(number) {}
  void receive(tact::self<clerk>&, const trip&) { throw std::runtime_error("no pen " + std::to_string(number_)); }
  tact::allocation receive(tact::self<clerk>&, const stop&) { return tact::allocation::delete_; }

 private:
  int number_;
};

bool contains(const std::string& text, const std::string& part) { return text.find(part) != std::string::npos; }

}  // namespace

TEST_CASE("named: failures and dead letters say the name, also when the actor has ended", "[law8]") {
  TACT_FOR_EACH_WORKER_COUNT(workers);
  std::mutex mutex;
  std::vector<std::string> names;
  auto options = quiet_options(workers);
  options.on_failure = [&](const tact::failure_report& r) {
    const std::lock_guard lock(mutex);
    names.push_back(r.name);
  };
  tact::engine engine(options);
  const auto a = engine.create(open_teller(), named("teller 1"), tact::parallel);
  const auto b = engine.create(open_teller(), named("teller 2"));
  const auto c = engine.create(open_teller(), named("teller 3"), tact::heavy);
  const auto d = engine.spawn<clerk>(tact::blocking, named("clerk 4"), 7);
  const auto e = engine.spawn<clerk>(named("clerk 5"), 8);
  clerk own(9);
  const auto f = engine.attach(own, named("clerk 6"));
  const auto g = engine.create(open_teller(), tact::parallel);
  for (const auto r : {a, b, c, g}) r | trip{};
  for (const auto r : {d, e, f}) r | trip{};
  require_idle(engine);
  std::sort(names.begin(), names.end());
  CHECK(names == std::vector<std::string>{"", "clerk 4", "clerk 5", "clerk 6", "teller 1", "teller 2", "teller 3"});
  for (const auto r : {a, b, c, g}) r | stop{};
  require_idle(engine);
  a | trip{};
  d | trip{};
  g | trip{};
  require_idle(engine);
  const auto letters = engine.dead_letters();
  REQUIRE(letters.size() == 3);
  CHECK(contains(letters[0].target + letters[1].target + letters[2].target, "teller 1 (teller@"));
  CHECK(contains(letters[0].target + letters[1].target + letters[2].target, "clerk 4 (clerk@"));
  const auto nameless = [](const auto& l) { return l.target.starts_with("teller@"); };
  CHECK(std::count_if(letters.begin(), letters.end(), nameless) == 1);
}

TEST_CASE("named: an actor made in a handler has its name from the commit on, and none if there is none", "[law1]") {
  TACT_FOR_EACH_WORKER_COUNT(workers);
  auto options = quiet_options(workers);
  std::atomic<int> seen{0};
  options.on_failure = [&](const tact::failure_report& r) { seen += r.name == "child" && r.actor == "teller" ? 1 : 0; };
  tact::engine engine(options);
  struct make {
    bool keep;
  };
  const auto parent = engine.create(tact::behavior<make>{[](tact::self<make>& self, const make& m) {
                                      const auto child = self.create(open_teller(), named("child"), tact::parallel);
                                      child | trip{};
                                      static_cast<void>(self.spawn<clerk>(named("unused"), 3));
                                      if (!m.keep) self.discard();
                                    }},
                                    tact::parallel);
  for (int i = 0; i < 100; ++i) parent | make{i % 2 == 0};
  require_idle(engine);
  CHECK(seen == 50);
  CHECK(engine.statistics().actors_alive == 101);
}

TEST_CASE("named: what still runs, what was dropped and what was watched is said by name", "[law11]") {
  std::vector<tact::dropped_messages> dropped;
  tact::ended end;
  std::string running;
  auto options = quiet_options(2);
  options.shutdown_timeout = std::chrono::milliseconds(0);
  options.on_dropped = [&](const auto& all) { dropped = all; };
  const std::string text = captured_stderr([&] {
    tact::engine engine(options);
    const auto watched = engine.create(open_teller(), named("short"), tact::parallel);
    engine.monitor(watched, engine.create(tact::behavior<tact::ended>{[&](auto&, const tact::ended& e) { end = e; }},
                                          tact::parallel));
    watched | stop{};
    require_idle(engine);
    // It goes on for ever.
    struct turn {};
    const auto t =
        engine.create(tact::behavior<turn>{[](tact::self<turn>& self, const turn&) { self.send(self.ref(), turn{}); }},
                      named("long"));
    for (int i = 0; i < 5; ++i) t | turn{};
    const auto until = std::chrono::steady_clock::now() + generous;
    const auto runs = [&] { return contains(running, "long (turn@") && contains(running, "1 turn (long)"); };
    while (!runs() && std::chrono::steady_clock::now() < until) running = engine.still_running();
  });
  INFO(running << text);
  CHECK(contains(running, "handling turn"));
  CHECK(contains(running, "1 turn (long)"));
  CHECK(contains(end.actor, "short (teller@"));
  REQUIRE(dropped.size() == 1);
  CHECK(dropped[0].name == "long");
  CHECK(dropped[0].messages == 5);
}

TEST_CASE("named: one line on stderr says who threw", "[law8]") {
  const std::string text = captured_stderr([] {
    tact::engine_options options;
    options.workers = 1;
    tact::engine engine(options);
    engine.create(open_teller(), named("teller 9"), tact::parallel) | trip{};
    engine.wait_idle();
  });
  CHECK(contains(text, "tact: teller 9 (teller) threw while handling trip: no money\n"));
}

TEST_CASE("named: of actors that have ended a thousand are remembered, and what they were given is destroyed",
          "[law10]") {
  TACT_FOR_EACH_WORKER_COUNT(workers);
  const nothing_left left;
  tact::engine engine(quiet_options(workers));
  for (int i = 0; i < 5'000; ++i) {
    const auto rule = [kept = tracked{}](const tact::failure_report&) { return tact::failure_policy::end; };
    engine.create(open_teller(), named("teller " + std::to_string(i)), tact::failure_rule(rule), tact::parallel) |
        stop{};
    if (i % 500 == 0) require_idle(engine);
  }
  require_idle(engine);
  // The last ones go when no worker can see them any more.
  const auto until = std::chrono::steady_clock::now() + generous;
  while (tracked::alive > 1024 && std::chrono::steady_clock::now() < until) std::this_thread::yield();
  CHECK(tracked::alive == 1024);
  CHECK(engine.statistics().actors_alive == 0);
}

}  // namespace named_test
