// tact::adapter, adapt and service_adapter: each message is translated once, in its order, and ends with its owner.
#include "tact/patterns/adapt.hpp"

#include <algorithm>
#include <memory>
#include <stdexcept>
#include <vector>

#include "patterns/trouble.hpp"

namespace adapt_test {

namespace {

using namespace tact::patterns_tests;
using tact::request;

// What others speak.
struct celsius {
  int degrees = 0;
};
struct wind {
  int force = 0;
};
struct weather : tact::protocol<celsius, wind> {};

// What a desk speaks.
struct reading {
  int number = 0;
  tracked instance{};
};
struct lend_ref {
  using reply = tact::ref<weather>;
};
struct close {};
struct desk : tact::protocol<reading, request<lend_ref>, close> {};

using numbers = std::shared_ptr<std::vector<int>>;

struct to_reading {
  reading operator()(const celsius& m) const {
    if (m.degrees == 13) throw std::invalid_argument("no such temperature");
    return {m.degrees};
  }
  reading operator()(const wind& m) const { return {m.force + 100}; }
};

tact::behavior<desk> open_desk(numbers seen) {
  return {
      [seen](auto&, const reading& m) { seen->push_back(m.number); },
      [](tact::self<desk>& self, const request<lend_ref>& m) {
        self.reply(m, tact::adapt<weather>(self, to_reading()));
      },
      [](tact::self<desk>& self, const close&) { self.stop(); },
  };
}

struct in_celsius {
  using reply = double;
  int place = 0;
};
struct in_fahrenheit {
  using reply = long;
  int place = 0;
  tracked instance{};
};

}  // namespace

TEST_CASE("adapt: what others send comes as the owner's messages, in order, and ends with it, whatever fails",
          "[law1][law4][law5]") {
  require_whatever_fails(
      [](tact::simulation& sim, const trouble& t) {
        auto& engine = sim.engine(quiet_options(2));
        const auto seen = std::make_shared<std::vector<int>>();
        const auto at = engine.create(open_desk(seen));
        const tact::ref<weather> in = engine.ask(at, lend_ref{});
        sim.run();
        t.begin();
        const auto sent = std::make_shared<int>(0);
        for (int thread = 0; thread != 2; ++thread) {
          sim.start_thread([=, &engine] {
            for (int n = 0; n != 3; ++n) {
              *sent += t.tries([&] { thread == 0 ? engine.send(in, celsius{n}) : engine.send(in, wind{n}); }) ? 1 : 0;
            }
          });
        }
        sim.run();
        sim.check(std::ssize(*seen) + (t.is_none() ? 0 : 1) >= *sent, "a message did not come");
        int last[] = {-1, 99};
        for (const int n : *seen) {
          sim.check(n > last[n >= 100 ? 1 : 0], "messages of one sender have changed places");
          last[n >= 100 ? 1 : 0] = n;
        }
        // A run of the desk that fails at its end is ordered once more.
        for (int i = 0; i != 2; ++i) {
          t.tries([&] { engine.send(at, close{}); });
          sim.run();
        }
        sim.check(engine.statistics().actors_alive == 0, "the adapter has not ended with its owner");
        sim.end();
      },
      300);
}

TEST_CASE("adapter: a message that cannot be translated is a failure, and the next one passes", "[law8]") {
  const nothing_left left;
  auto options = quiet_options(0);
  int failures = 0;
  options.on_failure = [&](const tact::failure_report&) { ++failures; };
  tact::engine engine(options);
  const auto seen = std::make_shared<std::vector<int>>();
  const auto at = engine.create(open_desk(seen));
  const auto whole = engine.create(tact::adapter<weather>(at, to_reading()));
  const auto one = engine.create(tact::adapter<wind>(at, to_reading()), tact::parallel);
  const tact::ref<weather> own = engine.ask(at, lend_ref{});
  for (const int n : {1, 13, 2}) {
    engine.send(whole, celsius{n});
    engine.send(own, celsius{n});
  }
  engine.send(one, wind{5});
  require_idle(engine);
  std::sort(seen->begin(), seen->end());
  CHECK(*seen == std::vector<int>{1, 1, 2, 2, 105});
  CHECK(failures == 2);
}

TEST_CASE("service adapter: each request ends once, with the answer in the asker's words, whatever fails",
          "[law1][law8]") {
  require_whatever_fails(
      [](tact::simulation& sim, const trouble& t) {
        auto& engine = sim.engine(quiet_options(2));
        const auto inner = engine.create(tact::behavior<request<in_celsius>>{[](auto& self, const auto& m) {
          if (m.body.place == 2) throw std::runtime_error("no such place");
          self.reply(m, m.body.place * 10.0);
        }});
        const auto outer = engine.create(tact::service_adapter<in_fahrenheit>(
            inner, [](const in_fahrenheit& q) { return in_celsius{q.place}; },
            [](double c) { return static_cast<long>(c * 1.8 + 32); }));
        t.begin();
        struct right {
          bool operator()(long answer, int item) const { return item == 1 && answer == 50; }
          bool operator()(const tact::ask_error& e) const { return e.reason() == tact::failure_reason::handler_threw; }
        };
        ask_through(
            sim, t, engine, outer, [](int item) { return in_fahrenheit{.place = item}; }, right());
      },
      300);
}

namespace {

// Passes the answer on in a run that owes nothing: when it fails, the asker waits for ever.
tact::behavior<request<in_fahrenheit>> forgetful(tact::ref<request<in_celsius>> to) {
  return {[to](tact::transaction& tx, const request<in_fahrenheit>& m) {
    tx.ask(to, in_celsius{m.body.place},
           [c = m.customer](tact::transaction& later, double r) { later.send(c, static_cast<long>(r * 1.8 + 32)); });
    tx.defer(m);
  }};
}

}  // namespace

TEST_CASE("service adapter: one that forgets its asker when a run fails is found", "[law8]") {
  require_found_when_it_fails([](tact::simulation& sim, const trouble& t) {
    auto& engine = sim.engine(quiet_options(2));
    const auto inner = engine.create(
        tact::behavior<request<in_celsius>>{[](auto& self, const auto& m) { self.reply(m, m.body.place * 10.0); }});
    const auto outer = engine.create(forgetful(inner));
    t.begin();
    struct right {
      bool operator()(long, int) const { return true; }
      bool operator()(const tact::ask_error&) const { return false; }
    };
    ask_through(
        sim, t, engine, outer, [](int item) { return in_fahrenheit{.place = item}; }, right());
  });
}

}  // namespace adapt_test
