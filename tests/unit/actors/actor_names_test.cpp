// How reports name the customers of asks: by the request, and by who asked.
#include <sstream>
#include <string>
#include <vector>

#include "support/catch.hpp"
#include "support/engine_fixture.hpp"
#include "tact/patterns/all_of.hpp"
#include "tact/patterns/ask_all.hpp"
#include "tact/simulation.hpp"
#include "tact/tact.hpp"

using Catch::Matchers::Contains;

namespace {

struct load {
  using reply = int;
};
struct fetch {
  using reply = int;
};
struct go {};
struct store : tact::protocol<tact::request<load>, tact::request<fetch>> {};
struct cache : tact::protocol<go> {};

tact::behavior<store> open_store() {
  return {[](auto& self, const tact::request<load>& m) { self.reply(m, 1); },
          [](auto&, const tact::request<fetch>&) { throw std::runtime_error("no such page"); }};
}

// A program in a simulation, with what its engine has told.
struct told {
  std::vector<tact::failure_report> failures;
  std::vector<std::string> letters;
  std::string trace;
};

template <class Handler>
told run(Handler handler) {
  told all;
  tact::engine_options options;
  options.workers = 2;
  options.on_failure = [&](const tact::failure_report& r) { all.failures.push_back(r); };
  options.on_dead_letter = [&](const tact::dead_letter& l) { all.letters.push_back(l.target); };
  tact::simulation sim(1);
  tact::engine& e = sim.engine(options);
  const auto at = e.create(open_store());
  const auto of = e.create(tact::behavior<cache>([=](tact::self<cache>& self, const go&) { handler(self, at); }));
  e.send(of, go{});
  sim.run();
  all.trace = sim.trace();
  sim.end();
  return all;
}

TEST_CASE("names: a continuation that throws is the answer to the request of the actor that asked", "[api][ask]") {
  const told t = run([](auto& self, tact::ref<store> at) {
    self.ask(at, load{}, [](tact::transaction&, int) { throw std::runtime_error("it does not fit"); });
  });
  REQUIRE(t.failures.size() == 1);
  CHECK(t.failures[0].actor == "answer to request<load>, asked by cache");
  CHECK(t.failures[0].message == "int");
  std::ostringstream line;
  line << t.failures[0];
  CHECK(line.str() ==
        "answer to request<load>, asked by cache threw while handling int: it does not fit (the actor ends)");
}

TEST_CASE("names: a continuation that asks again asks for the actor that it came from", "[api][ask]") {
  const told t = run([](auto& self, tact::ref<store> at) {
    self.on_commit([at](tact::transaction& effect) {
      effect.ask(at, load{}, [at](tact::transaction& tx, int) {
        tx.ask(at, load{}, [](tact::transaction&, int) { throw std::runtime_error("second"); });
      });
    });
  });
  REQUIRE(t.failures.size() == 1);
  CHECK(t.failures[0].actor == "answer to request<load>, asked by cache");
}

TEST_CASE("names: an ask of many and a beta are named after the request, and after the message", "[api][ask]") {
  const told of_many = run([](auto& self, tact::ref<store> at) {
    self.ask_all(std::vector<tact::ref<store>>{at, at}, load{},
                 [](tact::transaction&, const std::vector<tact::outcome<int>>&) { throw std::runtime_error("many"); });
  });
  REQUIRE(of_many.failures.size() == 1);
  CHECK(of_many.failures[0].actor == "answers to request<load>, asked by cache");
  const told of_beta = run([](auto& self, tact::ref<store> at) {
    self.send(at, tact::request<load>{self.beta([](auto&, int) { throw std::runtime_error("beta"); }), {}});
  });
  REQUIRE(of_beta.failures.size() == 1);
  CHECK(of_beta.failures[0].actor == "int");
}

TEST_CASE("names: dead letters and traces tell the address behind the noun", "[api][ask][simulation]") {
  const told t = run([](auto& self, tact::ref<store> at) { self.ask(at, fetch{}, [](tact::transaction&, int) {}); });
  REQUIRE(t.letters.size() == 1);
  CHECK_THAT(t.letters[0], Catch::Matchers::Matches("answer@[0-9]+ to request<fetch>, asked by cache"));
  const told of_wait = run([](auto& self, tact::ref<store> at) { self.ask(at, load{}); });
  CHECK_THAT(of_wait.trace,
             Catch::Matchers::Matches("[^]*answer@[0-9]+ to request<load>, asked by cache handles int\n[^]*"));
}

TEST_CASE("names: what a thread outside has asked says so", "[api][ask]") {
  std::string letter;
  tact::engine_options options;
  options.workers = 0;
  options.on_dead_letter = [&](const tact::dead_letter& l) { letter = l.target; };
  tact::engine e(options);
  tact::ref<int> customer;
  const auto slow =
      e.create(tact::behavior<tact::request<load>>([&](tact::transaction& tx, const tact::request<load>& m) {
        customer = m.customer;
        tx.defer(m);
      }));
  CHECK_FALSE(e.ask(slow, load{}, std::chrono::milliseconds(1)));
  e.send(customer, 1);
  e.run_until_idle();
  CHECK_THAT(letter, Catch::Matchers::Matches("answer@[0-9a-f#]+ to request<load>, asked by a thread outside"));
}

TEST_CASE("names: statistics, and the report of who is alive, name asks that wait", "[api][ask]") {
  std::vector<tact::alive_actors> alive;
  {
    tact::engine_options options;
    options.workers = 0;
    options.report_alive = true;
    options.on_dead_letter = [](const tact::dead_letter&) {};
    options.on_alive = [&](const std::vector<tact::alive_actors>& all) { alive = all; };
    tact::engine e(options);
    const auto silent = e.create(
        tact::behavior<tact::request<load>>([](tact::transaction& tx, const tact::request<load>& m) { tx.defer(m); }));
    const auto of = e.create(tact::behavior<cache>([=](tact::self<cache>& self, const go&) {
      self.ask(silent, load{}, [](auto&, int) {});
      self.ask_all(std::vector{silent}, load{}, [](auto&, const std::vector<tact::outcome<int>>&) {});
    }));
    e.send(of, go{});
    e.run_until_idle();
    CHECK_THAT(e.still_running(), Contains("1 answer to request<load>, asked by cache") &&
                                      Contains("1 answers to request<load>, asked by cache"));
    const auto types = e.type_statistics();
    CHECK(std::any_of(types.begin(), types.end(),
                      [](const auto& t) { return t.actor == "answers to request<load>, asked by cache"; }));
  }
  CHECK(std::any_of(alive.begin(), alive.end(),
                    [](const auto& a) { return a.actor == "answers to request<load>, asked by cache"; }));
}

}  // namespace
