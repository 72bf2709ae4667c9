// tact::inspect::timed and watched: relays that look, and change nothing for those on both sides.
#include "tact/inspect/timed.hpp"

#include <chrono>
#include <sstream>
#include <stdexcept>
#include <string>
#include <vector>

#include "support/engine_fixture.hpp"
#include "tact/inspect/line_output.hpp"
#include "tact/inspect/watched.hpp"
#include "tact/simulation.hpp"

namespace inspect_timed_test {

namespace {

using namespace tact::support;
using namespace std::chrono_literals;
using tact::inspect::timed;
using tact::inspect::timing;

struct deposit {
  long cents = 0;
  friend std::ostream& operator<<(std::ostream& out, const deposit& d) { return out << d.cents << " cents"; }
};
struct balance {
  using reply = long;
  std::chrono::milliseconds takes{0};
};
struct withdrawal {
  using reply = void;
  long cents = 0;
};
struct unprintable {};

struct account : tact::protocol<deposit, unprintable, tact::request<balance>, tact::request<withdrawal>> {};

struct customer_number {
  int number = -1;
};

int number_in(const tact::context& c) {
  const customer_number* const found = c.find<customer_number>();
  return found == nullptr ? -1 : found->number;
}

tact::behavior<account> account_with(long cents, std::vector<int>* seen = nullptr) {
  using self_type = tact::self<account>;
  return {
      [=](self_type& self, const deposit& m) {
        if (seen != nullptr) seen->push_back(static_cast<int>(m.cents));
        self.become(account_with(cents + m.cents, seen));
      },
      [](self_type&, const unprintable&) {},
      [=](self_type& self, const tact::request<balance>& m) {
        if (m.body.takes.count() == 0) return self.reply(m, cents);
        self.send_after(m.body.takes, m.customer, cents);
        self.defer(m);
      },
      [=](self_type& self, const tact::request<withdrawal>& m) {
        if (m.body.cents > cents) throw std::runtime_error("not so much");
        self.become(account_with(cents - m.body.cents, seen));
        self.reply(m);
      },
  };
}

// Both relays: nothing may change.
template <class F>
void with_each_relay(tact::engine& engine, tact::ref<account> to, F f) {
  std::ostringstream all;
  tact::inspect::line_output output(all);
  const tact::inspect::line_redirection here(output);
  f(to);
  f(engine.create(timed(to, timing())));
  f(engine.create(tact::inspect::watched(to, "account")));
  f(engine.create(timed(to, timing()), tact::parallel));
}

tact::failure failure_of(tact::engine& engine, tact::ref<account> to, long cents) {
  try {
    engine.ask(to, withdrawal{cents});
  } catch (const tact::ask_error& e) {
    return {e.reason(), e.what(), e.causes()};
  }
  return {tact::failure_reason::timed_out, "it did not fail"};
}

}  // namespace

TEST_CASE("timed: it tells how long answers took, exactly, and counts what is no request") {
  tact::simulation sim(1);
  tact::engine& engine = sim.engine(quiet_options(1));
  const auto to = engine.create(account_with(10));
  const timing times;
  const auto relay = engine.create(timed(to, times));
  engine.send(relay, deposit{5});
  engine.send(relay, unprintable{});
  for (const auto takes : {1ms, 2ms, 3ms, 4ms, 100ms}) CHECK(engine.ask(relay, balance{takes}) == 15);
  CHECK(failure_of(engine, relay, 99).reason == tact::failure_reason::handler_threw);
  const auto answered = times.answered();
  CHECK(answered.count() == 5);
  CHECK(answered.min() >= 1'000'000);
  CHECK(answered.min() < 1'100'000);
  CHECK(answered.max() >= 100'000'000);
  CHECK(answered.median() >= 2'950'000);
  CHECK(answered.median() <= 3'100'000);
  CHECK(times.failed().count() == 1);
  CHECK(times.passed() == 2);
  CHECK(times.open() == 0);
  std::ostringstream text;
  text << times;
  CHECK_THAT(text.str(), Catch::Contains("answered: 5 values, ") && Catch::Contains("; failed: 1 value, ") &&
                             Catch::Contains("; 0 open, 2 messages"));
}

TEST_CASE("timed: a request that is not answered yet is open") {
  tact::simulation sim(1);
  tact::engine& engine = sim.engine(quiet_options(1));
  const auto to = engine.create(account_with(10));
  const timing times;
  const auto relay = engine.create(timed(to, times));
  const auto customer = engine.create(tact::behavior<long>([](auto&, const long&) {}));
  engine.send(relay, tact::request<balance>{customer, {10ms}});
  sim.advance(9ms);
  CHECK(times.open() == 1);
  CHECK(times.answered().count() == 0);
  sim.advance(2ms);
  CHECK(times.open() == 0);
  CHECK(times.answered().count() == 1);
}

TEST_CASE("timed, watched: answers, failures and the context go through a relay as they are") {
  tact::engine engine(quiet_options(2));
  const auto to = engine.create(account_with(10));
  std::vector<tact::failure> failures;
  with_each_relay(engine, to, [&](tact::ref<account> relay) {
    CHECK(engine.ask(relay, balance{}) == 10);
    CHECK(engine.ask(relay, balance{1ms}) == 10);
    engine.ask(relay, withdrawal{0});
    failures.push_back(failure_of(engine, relay, 11));
  });
  for (const tact::failure& f : failures) {
    CHECK(f.reason == tact::failure_reason::handler_threw);
    CHECK(f.what == failures.front().what);
  }
  // The context: its values come to the target.
  std::vector<int> numbers;
  const auto reads = engine.create(tact::behavior<account>{
      [&](auto& self, const deposit&) { numbers.push_back(number_in(self.context())); },
      [](auto&, const unprintable&) {},
      [&](auto& self, const tact::request<balance>& m) { self.reply(m, long{number_in(self.context())}); },
      [](auto& self, const tact::request<withdrawal>& m) { self.reply(m); },
  });
  with_each_relay(engine, reads, [&](tact::ref<account> relay) {
    tact::with_context(tact::context().with(customer_number{7}), [&] {
      CHECK(engine.ask(relay, balance{}) == 7);
      engine.send(relay, deposit{});
    });
    require_idle(engine);
  });
  CHECK(numbers == std::vector<int>{7, 7, 7, 7});
  // An actor that has ended.
  const auto gone = engine.create(tact::behavior<account>{
      [](auto& self, const deposit&) { self.stop(); },
      [](auto&, const unprintable&) {},
      [](auto& self, const tact::request<balance>& m) { self.reply(m, 0L); },
      [](auto& self, const tact::request<withdrawal>& m) { self.reply(m); },
  });
  engine.send(gone, deposit{});
  require_idle(engine);
  with_each_relay(engine, gone, [&](tact::ref<account> relay) {
    CHECK(failure_of(engine, relay, 1).reason == tact::failure_reason::target_ended);
  });
}

TEST_CASE("timed, watched: what one sender sends arrives in its order") {
  tact::engine engine(quiet_options(2));
  std::vector<int> seen;
  const auto to = engine.create(account_with(0, &seen));
  std::ostringstream all;
  tact::inspect::line_output output(all);
  const tact::inspect::line_redirection here(output);
  const auto relay = engine.create(timed(engine.create(tact::inspect::watched(to, "account")), timing()));
  std::vector<int> sent;
  for (int n = 0; n < scaled(500); ++n) {
    engine.send(relay, deposit{n});
    sent.push_back(n);
  }
  require_idle(engine);
  CHECK(seen == sent);
}

TEST_CASE("timed: each request is counted once in every order, whatever it comes to") {
  const auto run = [](tact::simulation& sim) {
    auto& engine = sim.engine(quiet_options(3));
    const timing times;
    const auto to = engine.create(account_with(1));
    const auto relay = engine.create(timed(to, times), tact::parallel);
    const auto ask = [&](long cents) {
      try {
        engine.ask(relay, withdrawal{cents});
        return true;
      } catch (const tact::ask_error&) {
        return false;
      }
    };
    bool first = false;
    bool second = false;
    sim.start_thread([&] { first = ask(1); });
    sim.start_thread([&] { second = ask(1); });
    sim.run();
    sim.check(first != second, "both were served, or none");
    sim.check(times.answered().count() == 1 && times.failed().count() == 1, "a request was not counted, or twice");
    sim.check(times.open() == 0, "a request is open");
    sim.end();
  };
  const tact::exploration found = tact::explore(static_cast<std::uint64_t>(scaled(200)), run);
  INFO(found.text());
  CHECK(!found.failed);
}

TEST_CASE("watched: it prints each message, with what is in it, and the answers") {
  std::ostringstream all;
  tact::inspect::line_output output(all);
  {
    const tact::inspect::line_redirection here(output);
    tact::simulation sim(1);
    tact::engine& engine = sim.engine(quiet_options(1));
    const auto relay = engine.create(tact::inspect::watched(engine.create(account_with(10)), "mine"));
    engine.send(relay, deposit{5});
    engine.send(relay, unprintable{});
    CHECK(engine.ask(relay, balance{2ms}) == 15);
    CHECK(failure_of(engine, relay, 99).reason == tact::failure_reason::handler_threw);
  }
  REQUIRE(output.flush());
  CHECK_THAT(all.str(), Catch::StartsWith("mine: deposit 5 cents\nmine: unprintable\nmine: request<balance>\n"
                                          "mine: request<balance>, after 2"));
  CHECK_THAT(all.str(), Catch::Contains(" ms: 15\nmine: request<withdrawal>\nmine: request<withdrawal>, after ") &&
                            Catch::Contains("handler threw") && Catch::Contains("not so much"));
}

}  // namespace inspect_timed_test
