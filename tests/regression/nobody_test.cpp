// A message that leads nowhere: to an empty ref, and round to the actor that passes it on.
#include <chrono>

#include "support/engine_fixture.hpp"
#include "support/refusal.hpp"
#include "tact/simulation.hpp"

namespace nobody_test {

using namespace tact::support;

namespace {

struct note {
  int number = 0;
};

}  // namespace

TEST_CASE("ref: a thread's message to nobody is a dead letter, whatever call sends it", "[law4][law13]") {
  tact::engine engine(quiet_options(1));
  const tact::ref<note> nobody;
  nobody | note{1};
  engine.send(nobody, note{2});
  require_idle(engine);
  const auto letters = engine.dead_letters();
  REQUIRE(letters.size() == 2);
  for (const auto& l : letters) {
    CHECK(l.target == "nobody");
    CHECK(l.message == "note");
    CHECK(l.reason == tact::failure_reason::target_ended);
  }
}

TEST_CASE("ref: a timer's message to nobody is a dead letter, whatever call sets the timer", "[law4][law13]") {
  tact::simulation sim(1);
  auto& engine = sim.engine();
  const tact::ref<note> nobody;
  const auto a = engine.create(tact::behavior<note>{[&nobody](tact::self<note>& self, const note&) {
    self.send_after(std::chrono::milliseconds(1), nobody, note{1});
    self.send_every(std::chrono::milliseconds(1), nobody, note{2});
  }});
  engine.send(a, note{});
  engine.send_after(std::chrono::milliseconds(1), nobody, note{3});
  engine.send_every(std::chrono::milliseconds(1), nobody, note{4});
  sim.advance(std::chrono::seconds(1));
  const auto letters = engine.dead_letters();
  REQUIRE(letters.size() == 4);
  for (const auto& l : letters) CHECK(l.target == "nobody");
  CHECK(engine.statistics().timers_armed == 0);
}

TEST_CASE("ref: without an engine a message to nobody is destroyed", "[law13]") {
  struct counted_note {
    tracked t;
  };
  const nothing_left left;
  tact::ref<counted_note>() | counted_note{};
}

TEST_CASE("become: of an actor's own ref is refused, and so is a forwarder to itself", "[law7]") {
  tact::engine engine(quiet_options(1));
  std::string said;
  const auto a = engine.create(tact::behavior<note>{[&said](tact::self<note>& self, const note&) {
                                 said = refusal([&] { self.become(self.ref()); });
                               }},
                               tact::parallel);
  engine.send(a, note{});
  require_idle(engine);
  CHECK(said == "self.become(ref): the ref is the actor's own, and what is passed on would come back for ever");

  const auto group = engine.create_group(
      [](tact::ref<note> x, tact::ref<note>) {
        return std::tuple{tact::forwarder<note>(x), tact::behavior<note>{[](tact::self<note>&, const note&) {}}};
      },
      tact::parallel);
  engine.send(std::get<0>(group), note{});
  require_idle(engine);
  CHECK(engine.statistics().failures == 1);
}

}  // namespace nobody_test
