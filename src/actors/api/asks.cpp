// Implements the functions by which threads and handlers wait for an answer.
#include "actors/common/this_thread.hpp"
#include "actors/engine/core.hpp"
#include "actors/life/idle_watch.hpp"
#include "actors/run/transactor.hpp"
#include "tact/detail/core.hpp"
#include "tact/detail/workers.hpp"

namespace tact::detail {

// -- a thread asks

std::chrono::milliseconds ask_timeout(const core& engine) noexcept { return engine.options().ask_timeout; }
inside_engine::inside_engine(core& engine) noexcept : engine_(engine) { engine.guests().enter(); }
inside_engine::~inside_engine() { engine_.guests().leave(); }
port create_asker(core& engine, closure& asker) {
  return create(engine, asker, placement::parallel);  // whoever asks is told from others by the kind of the asker
}
bool withdraw_asker(core& engine, port asker) noexcept {
  return engine.creations().withdraw(asker, engine.recorded_by());
}
bool wait_told(core& engine, wait_word& told, deadline until, port asked) {
  // Look at `told` first: a thread that has helped until it was told may have run the handler that drops the engine.
  return told.is_done() || engine.waits().wait_told(told, until, asked);
}
void look_whether_help_is_wanted(core& engine) { engine.waits().look_whether_help_is_wanted(); }
void help_until_told(core& engine, const wait_word& told) noexcept { engine.waits().help_until_told(told); }

// -- a handler waits

void note_parking() noexcept { actors::parker::note_parking(); }
port reserve_waiter(run& r, port asked) { return actors::transactor::of(r).parking().reserve_waiter(asked); }
port reserve_commit(run& r) { return actors::transactor::of(r).parking().reserve_commit(); }
void park(run& r, port reserved, waiter& w) {
  actors::transactor& here = actors::transactor::of(r);
  here.twice().compare_at_wait();
  here.parking().park(reserved, w);
}
void end_parked() {
  actors::transactor& here = actors::transactor::of(*actors::this_thread::handler());
  actors::rehearser::end_step(here);
  actors::idle_watch::end_behind_wait(here, *here.at().resumed());
  here.parking().leave_stack(actors::lane_stack::outcome::returned);
}

}  // namespace tact::detail
