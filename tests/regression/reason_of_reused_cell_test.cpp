// Who asks an actor that has ended hears so, whatever is in its cell by now.
#include "support/engine_fixture.hpp"

namespace {

using namespace tact::support;

struct end {};
struct ask_for {
  using reply = long;
};
struct breed {
  int betas;
};
struct breeder : tact::protocol<breed> {};
struct mortal : tact::protocol<end, tact::request<ask_for>> {};

tact::behavior<mortal> open_mortal() {
  return {[](tact::self<mortal>& self, const end&) { self.stop(); },
          [](auto& self, const tact::request<ask_for>& m) { self.reply(m, 1); }};
}

// Betas that nobody ever answers stay in their cells.
tact::behavior<breeder> open_breeder() {
  return {[](auto& self, const breed& m) {
    for (int i = 0; i < m.betas; ++i) (void)self.beta([](tact::transaction&, const long&) {});
  }};
}

}  // namespace

// Fails today: where a beta or an asker has the cell, the reason is said to be answered_already.
TEST_CASE("failure: who asks an ended actor hears that it ended, also when a beta has its cell", "[.][known]") {
  TACT_FOR_EACH_WORKER_COUNT(workers);
  tact::engine engine(quiet_options(workers));
  std::vector<tact::ref<mortal>> gone;
  const int count = scaled(5'000);
  for (int i = 0; i < count; ++i) {
    gone.push_back(engine.create(open_mortal()));
    engine.send(gone.back(), end{});
  }
  require_idle(engine);
  engine.send(engine.create(open_breeder()), breed{count});
  require_idle(engine);
  unsigned wrong = 0;
  for (const auto& g : gone) {
    try {
      (void)engine.ask(g, ask_for{});
      ++wrong;
    } catch (const tact::ask_error& e) {
      wrong += e.reason() != tact::failure_reason::target_ended;
    }
  }
  CHECK(wrong == 0);
}
