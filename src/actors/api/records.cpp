// Implements the functions by which the steps of an engine are recorded.
#include <string>
#include <utility>

#include "actors/cells/cell.hpp"
#include "actors/engine/core.hpp"
#include "actors/failure/dead_letters.hpp"
#include "actors/run/transactor.hpp"
#include "sync/system.hpp"
#include "tact/detail/trace_sink.hpp"

namespace tact::detail {

bool record_steps(core& engine, std::shared_ptr<trace_sink> to) { return engine.record(std::move(to)); }
trace_sink* recorded_by(core& engine) noexcept { return engine.recorded_by(); }

bool is_alive(port p) noexcept { return actors::is_current(actors::or_nobody(p)) && p > index_mask; }
std::string read_name(port p) { return actors::describe(p); }
bool is_simulated() noexcept { return sync::system::current() != nullptr; }

void note_mark(run& r, std::string_view text) noexcept {
  actors::run_state& here = actors::run_state::of(r);
  if (here.watched().tracer() == nullptr) return;
  // relaxed: owner-only write, read back by its owner.
  here.watched().tracer()->write(
      {.step = trace_step::marked, .actor = here.handling.load(std::memory_order_relaxed), .text = text});
}

}  // namespace tact::detail
