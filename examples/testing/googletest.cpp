// Tests of an actor with GoogleTest.
#include <gtest/gtest.h>

#include <mutex>
#include <string>
#include <vector>

#include "clerk.hpp"

namespace {

using namespace std::chrono_literals;

// The members go in the reverse order: the engine ends first, and tells `heard` until then.
class clerk_test : public testing::Test {
 protected:
  tact::engine_options options() {
    tact::engine_options o;
    o.on_failure = [this](const tact::failure_report& r) {  // on any worker
      const std::lock_guard lock(mutex);
      heard.push_back(r.what);
    };
    return o;
  }

  std::mutex mutex;
  std::vector<std::string> heard;
  tact::engine engine{options()};
  const tact::ref<shop::clerk> clerk = engine.create(shop::open_clerk(engine.create(shop::open_prices(3))));
};

TEST_F(clerk_test, offers_at_the_price_that_it_has_heard) {
  EXPECT_EQ(engine.ask(clerk, shop::offer{"tea"}), "tea: 3");
  EXPECT_THROW(engine.ask(clerk, shop::offer{}), tact::ask_error);
  engine.wait_idle();  // what handlers have told is here now
  const std::lock_guard lock(mutex);
  EXPECT_EQ(heard, std::vector<std::string>{"an offer of nothing"}) << engine.statistics();
}

TEST(clerk, waits_for_two_seconds_and_no_longer) {
  tact::simulation sim(1);
  auto& engine = sim.engine();
  const auto late = engine.create(shop::open_clerk(engine.create(shop::open_prices(3, 1h))));
  EXPECT_EQ(engine.ask(late, shop::offer{"tea"}), "tea: ask again tomorrow");
  EXPECT_EQ(sim.now(), 2s);
}

TEST(clerk, serves_two_customers_at_once) {
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
  EXPECT_EQ(answers, (std::vector<std::string>{"tea: 3", "tea: 3"}));
}

TEST(clerk, answers_in_time_in_every_order) {
  const auto found = tact::explore(200,
                                   [](tact::simulation& sim) {
                                     auto& engine = sim.engine();
                                     const auto clerk =
                                         engine.create(shop::open_clerk(engine.create(shop::open_prices(3, 2s))));
                                     static_cast<void>(engine.ask(clerk, shop::offer{"tea"}));
                                     sim.check(sim.now() <= 2s, "the answer was late");
                                   },
                                   {.prints = false});
  EXPECT_FALSE(found.failed) << found;
}

}  // namespace
