// Who asks an actor that has ended hears so, whatever is in its cell by now.
#include "support/engine_fixture.hpp"

namespace {

using namespace tact::support;

struct end {};
struct ask_for {
  using reply = long;
};
struct mortal : tact::protocol<end, tact::request<ask_for>> {};

tact::behavior<mortal> open_mortal() {
  return {[](tact::self<mortal>& self, const end&) { self.stop(); },
          [](auto& self, const tact::request<ask_for>& m) { self.reply(m, 1); }};
}

}  // namespace

// Fails today, now and then: the request's own asker, or that of another thread, has the cell.
TEST_CASE("failure: who asks an ended actor hears that it ended, also when its cell is reused", "[.][law8]") {
  TACT_FOR_EACH_WORKER_COUNT(workers);
  tact::engine engine(quiet_options(workers));
  std::vector<tact::ref<mortal>> gone;
  for (int i = 0; i < 5'000; ++i) {
    gone.push_back(engine.create(open_mortal()));
    engine.send(gone.back(), end{});
  }
  require_idle(engine);
  std::atomic<unsigned> wrong{0};
  on_threads(2, [&](unsigned) {
    for (const auto& g : gone) {
      try {
        (void)engine.ask(g, ask_for{});
        ++wrong;
      } catch (const tact::ask_error& e) {
        wrong += e.reason() != tact::failure_reason::target_ended;
      }
    }
  });
  CHECK(wrong == 0);
}
