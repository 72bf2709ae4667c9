// Every time of a store, with all durations: what is over at once, and what never ends.
#include "support/extreme_times.hpp"

#include <chrono>
#include <string>

#include "store/store_folder.hpp"
#include "support/catch.hpp"
#include "support/engine_fixture.hpp"
#include "tact/simulation.hpp"
#include "tact/store/durable.hpp"
#include "tact/store/store.hpp"
#include "tact/tact.hpp"

namespace store_times_test {

namespace {

using namespace std::chrono_literals;
using tact::support::for_each_far_time;
using tact::support::for_each_past_time;
using tact::support::quiet_options;
using tact::support::store_folder;

template <class F>
void tried(const char* call, F f) {
  INFO(call);
  f();
}

TEST_CASE("own: a time of any length is one that is over at once, or one that never ends") {
  const store_folder folder;
  tact::engine engine(quiet_options(2));
  const tact::store_file file(engine, folder / "a");
  const tact::store<long, long> table(file, "numbers");
  long n = 0;
  tried("store_file::own", [&] {
    for_each_past_time([&](auto time) {
      auto mine = file.own(time);
      REQUIRE(mine);
      table.put(1, ++n);  // waits until it is over
      CHECK(!mine->extend(1h));
    });
    for_each_far_time([&](auto time) {
      auto mine = file.own(time);
      REQUIRE(mine);
      CHECK(!file.own(1h));
    });
  });
  tried("store_owner::extend", [&] {
    for_each_past_time([&](auto time) {
      auto mine = file.own(1h);
      REQUIRE(mine);
      CHECK(mine->extend(time));
      table.put(1, ++n);
      CHECK(!mine->extend(1h));
    });
    for_each_far_time([&](auto time) {
      auto mine = file.own(1h);
      REQUIRE(mine);
      CHECK(mine->extend(time));
      CHECK(!file.own(1h));
    });
  });
  CHECK(table.find(1) == n);
}

struct set_past {};
struct set_far {};
struct tick {};
struct ticks {
  using reply = long;
};
struct clock_protocol : tact::protocol<set_past, set_far, tick, tact::request<ticks>> {};
struct clock_state {
  long ticks = 0;
};

tact::ref<clock_protocol> open_clock(tact::engine& engine, const tact::store_file& file) {
  return tact::create_durable<clock_protocol>(
      engine, file, "clock", clock_state{},
      [](auto& self, const clock_state&, const set_past&) {
        for_each_past_time([&](auto time) { self.send_after(time, tick{}); });
      },
      [](auto& self, const clock_state&, const set_far&) {
        for_each_far_time([&](auto time) { self.send_after(time, tick{}); });
      },
      [](auto& self, const clock_state& now, const tick&) { self.become({now.ticks + 1}); },
      [](auto& self, const clock_state& now, const tact::request<ticks>& m) { self.reply(m, now.ticks); });
}

TEST_CASE("durable: a timer of any length comes at once, or never, also when its actor is made again", "[law14]") {
  const store_folder folder;
  long past = 0;
  for_each_past_time([&](auto) { ++past; });
  for (int start = 0; start < 2; ++start) {
    tact::simulation sim(1);
    tact::engine& engine = sim.engine(quiet_options(1));
    const tact::store_file file(engine, folder / "a");
    const auto clock = open_clock(engine, file);
    tried("durable_self::send_after", [&] {
      if (start == 0) {
        engine.send(clock, set_past{});
        engine.send(clock, set_far{});
      }
      sim.run();
      sim.advance(24h * 365 * 70);
      CHECK(engine.ask(clock, ticks{}) == past);
    });
  }
}

}  // namespace

}  // namespace store_times_test
