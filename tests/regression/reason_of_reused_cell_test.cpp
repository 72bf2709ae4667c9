// Who asks an actor that has ended hears so, and who answers twice hears that, whatever is in the cell by now.
#include "support/engine_fixture.hpp"

namespace reason_of_reused_cell_test {

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

// Betas that are never answered stay in their cells.
tact::behavior<breeder> open_breeder() {
  return {[](auto& self, const breed& m) {
    for (int i = 0; i < m.betas; ++i) (void)self.beta([](tact::transaction&, const long&) {});
  }};
}

}  // namespace

TEST_CASE("failure: who asks an ended actor hears that it ended, also when a beta has its cell", "[law8]") {
  TACT_FOR_EACH_WORKER_COUNT(workers);
  tact::engine engine(quiet_options(workers));
  std::vector<tact::ref<mortal>> gone;
  const int count = scaled(5'000);
  for (int i = 0; i < count; ++i) {
    gone.push_back(engine.create(open_mortal(), tact::parallel));
    engine.send(gone.back(), end{});
  }
  require_idle(engine);
  engine.send(engine.create(open_breeder(), tact::parallel), breed{count});
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

TEST_CASE("failure: a second answer is told from one to an ended actor, also when an actor has the cell", "[law8]") {
  TACT_FOR_EACH_WORKER_COUNT(workers);
  std::atomic<int> late{0}, others{0};
  auto options = quiet_options(workers);
  options.on_dead_letter = [&](const tact::dead_letter& d) {
    ++(d.reason == tact::failure_reason::answered_already ? late : others);
  };
  tact::engine engine(options);
  const int count = scaled(5'000);
  std::vector<tact::ref<long>> customers;
  engine.create(tact::behavior<breed>{[&](auto& self, const breed& m) {
                  for (int i = 0; i < m.betas; ++i)
                    customers.push_back(self.beta([](tact::transaction&, const long&) {}));
                }},
                tact::parallel) |
      breed{count};
  require_idle(engine);
  for (const auto c : customers) c | 1L;
  require_idle(engine);
  for (int i = 0; i < count; ++i) static_cast<void>(engine.create(open_mortal(), tact::parallel));
  for (const auto c : customers) c | 2L;
  require_idle(engine);
  CHECK(late == count);
  CHECK(others == 0);
}

}  // namespace reason_of_reused_cell_test
