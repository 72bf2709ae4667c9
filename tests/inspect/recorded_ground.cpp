#include "inspect/recorded_ground.hpp"

#include <iostream>
#include <memory>

#include "inspect/told_history.hpp"
#include "model/laws.hpp"
#include "support/catch.hpp"
#include "tact/inspect/recorder.hpp"

namespace tact::model {

namespace {

// Plays by `play`, which is given what looks on, and holds the trace against the history.
template <class Play>
history play_recorded(const program& p, bool in_turns, judged& sum, Play play) {
  std::unique_ptr<inspect::recorder> records;
  history h = play([&](engine& e) {
    records =
        std::make_unique<inspect::recorder>(e, inspect::recorder_options{.bytes_per_thread = std::size_t{256} << 10});
  });
  complaints wrong;
  chronicle c(p, h, wrong);
  if (!wrong.none() || !h.hung.empty()) return h;  // that is said by the check of the history
  decide(c);
  const auto told = records->read();
  sum.steps += told.events().size();
  ++(told.lost() == 0 ? sum.compared : sum.overfull);
  if (told.lost() == 0) check_told(c, told, in_turns);
  h.complaints = wrong.all();
  return h;
}

}  // namespace

void say(const judged& sum) {
  std::cout << sum.compared << " traces compared, of " << sum.steps << " steps; " << sum.overfull << " had lost some\n";
  CHECK(sum.compared > 20 * sum.overfull);
}

ground recorded_on_threads(judged& sum) {
  ground g = on_real_threads();
  g.scenarios = 10;
  g.play = [&sum](const program& p, std::uint64_t, mistake wrong, std::string*) {
    return play_recorded(p, false, sum, [&](const spectator& s) { return play_on_threads(p, wrong, s); });
  };
  return g;
}

ground recorded_in_simulations(judged& sum) {
  ground g = in_simulations();
  g.scenarios = 10;
  g.play = [&sum](const program& p, std::uint64_t seed, mistake wrong, std::string* told) {
    return play_recorded(p, true, sum, [&](const spectator& s) { return play_in_simulation(p, seed, wrong, told, s); });
  };
  return g;
}

}  // namespace tact::model
