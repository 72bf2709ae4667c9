// Tests of an actor with Catch2.
#define CATCH_CONFIG_MAIN
#include <catch2/catch.hpp>
#include <mutex>
#include <string>
#include <vector>

#include "clerk.hpp"

namespace {

using namespace std::chrono_literals;

// What an engine has told. It is declared before the engine, which tells it until its end.
class told {
 public:
  tact::engine_options options() {
    tact::engine_options o;
    o.on_failure = [this](const tact::failure_report& r) { note(r.what); };
    o.on_dead_letter = [this](const tact::dead_letter& l) { note("dead: " + std::string(l.message)); };
    return o;
  }
  [[nodiscard]] std::vector<std::string> all() const {
    const std::lock_guard lock(mutex_);
    return all_;
  }

 private:
  void note(std::string text) {  // on any worker
    const std::lock_guard lock(mutex_);
    all_.push_back(std::move(text));
  }

  mutable std::mutex mutex_;
  std::vector<std::string> all_;
};

TEST_CASE("a clerk offers at the price that it has heard") {
  told heard;
  tact::engine engine(heard.options());
  const auto clerk = engine.create(shop::open_clerk(engine.create(shop::open_prices(3))));
  CHECK(engine.ask(clerk, shop::offer{"tea"}) == "tea: 3");
  CHECK_THROWS_WITH(engine.ask(clerk, shop::offer{}), Catch::Contains("an offer of nothing"));
  engine.wait_idle();  // what handlers have told is here now
  INFO(engine.statistics());
  CHECK(heard.all() == std::vector<std::string>{"an offer of nothing"});
}

TEST_CASE("a clerk waits for two seconds, and no longer") {
  tact::simulation sim(1);
  auto& engine = sim.engine();
  const auto quick = engine.create(shop::open_clerk(engine.create(shop::open_prices(3, 1s))));
  const auto late = engine.create(shop::open_clerk(engine.create(shop::open_prices(3, 1h))));
  CHECK(engine.ask(quick, shop::offer{"tea"}) == "tea: 3");
  CHECK(sim.now() == 1s);
  CHECK(engine.ask(late, shop::offer{"tea"}) == "tea: ask again tomorrow");
  CHECK(sim.now() == 3s);
}

TEST_CASE("two customers at once are both served") {
  std::vector<std::string> answers;  // before the simulation, whose threads write it
  tact::simulation sim(7);
  auto& engine = sim.engine();
  const auto clerk = engine.create(shop::open_clerk(engine.create(shop::open_prices(3, 500ms))));
  for (const auto arrives : {100ms, 300ms}) {
    sim.start_thread([&, arrives] {
      sim.sleep_for(arrives);
      answers.push_back(engine.ask(clerk, shop::offer{"tea"}));
    });
  }
  sim.advance(1s);
  CHECK(answers == std::vector<std::string>{"tea: 3", "tea: 3"});
}

TEST_CASE("in no order does a clerk answer late") {
  const auto found = tact::explore(200,
                                   [](tact::simulation& sim) {
                                     sim.show_messages<shop::clerk, shop::prices>();
                                     auto& engine = sim.engine();
                                     const auto clerk =
                                         engine.create(shop::open_clerk(engine.create(shop::open_prices(3, 2s))));
                                     const std::string answer = engine.ask(clerk, shop::offer{"tea"});
                                     sim.check(answer.starts_with("tea: "), "another answer: " + answer);
                                     sim.check(sim.now() <= 2s, "the answer was late");
                                   },
                                   {.prints = false});
  INFO(found);  // the seed, the text, and the trace
  CHECK_FALSE(found.failed);
}

}  // namespace
