// Implements the functions by which programs start an engine, run it, wait for it, look at it, and end it.
#include <utility>

#include "actors/common/visit.hpp"
#include "actors/engine/core.hpp"
#include "actors/engine/process_engines.hpp"
#include "actors/figures/structure_view.hpp"
#include "sync/reports.hpp"
#include "sync/system.hpp"
#include "sync/thread_state.hpp"
#include "tact/description.hpp"
#include "tact/detail/core.hpp"
#include "tact/detail/workers.hpp"
#include "tact/engine_figures.hpp"
#include "tact/pumped.hpp"
#include "tact/statistics.hpp"

namespace tact::detail {

std::chrono::steady_clock::time_point now() noexcept { return sync::clock::now(); }

core& start(const engine_options& options) {
  const auto& me = sync::thread_state::of_this_thread();
  if (me.worker != nullptr || me.never_waits) {
    throw usage_error(
        "tact::engine: not on a thread of an engine: what is sent in a handler leaves at its commit, and its thread "
        "must not wait for the end of the other engine; make it outside of handlers, and give them its refs");
  }
  return *new core(options);
}

// -- running and waiting

using goal = actors::outside_waits::goal;

pumped pump(core& engine, std::size_t most, deadline until) {
  const auto done = engine.waits().run_some(most, until);
  return {static_cast<std::size_t>(done.handled), done.more};
}
void run_engine(core& engine) { engine.waits().run(); }
void run_until_idle(core& engine) { engine.waits().run_until_idle(); }
void quit_run(core& engine) { engine.waits().quit_run(); }
unsigned count_workers(const core& engine) noexcept { return engine.count_workers(); }
bool set_workers(core& engine, unsigned count) { return engine.waits().set_workers(count); }
bool wait_idle(core& engine, deadline until) {
  return engine.waits().wait_quiet(until, goal::idle, "engine.wait_idle");
}
bool wait_finished(core& engine, deadline until) {
  return engine.waits().wait_quiet(until, goal::finished, "engine.wait_finished");
}

// -- looking

std::string still_running(core& engine) { return engine.census().still_running(); }
statistics read_statistics(core& engine) { return engine.census().read_statistics(); }
std::vector<worker_statistics> read_worker_statistics(core& engine) { return engine.census().read_worker_statistics(); }
std::vector<type_statistics> read_type_statistics(core& engine) { return engine.census().read_type_statistics(); }
std::vector<std::uint64_t> read_shard_depths(core& engine) { return engine.census().read_shard_depths(); }
std::vector<mailbox_depth> read_fullest_mailboxes(core& engine, std::size_t most) {
  return engine.census().read_fullest(most);
}
const placement_plan& read_plan(const core& engine) noexcept { return engine.plan(); }
std::vector<dead_letter> read_dead_letters(core& engine) { return engine.letters().read(); }
std::vector<dead_letter_count> count_dead_letters(core& engine) { return engine.letters().read_counts(); }
std::vector<thread_description> describe_threads(core& engine) { return engine.census().describe_threads(); }

void enter_engine(core& engine, part& p) noexcept { engine.parts().enter(p); }

// -- ending

bool drain(core& engine, deadline until) { return engine.shutdown().drain(until); }
bool cancel(core& engine, deadline until) { return engine.shutdown().cancel(until); }

namespace {

void finish_and_delete(core& engine) noexcept {
  engine.shutdown().finish();
  delete &engine;
}

}  // namespace

// Also where a thread of the engine calls it, and in a forked process.
void finish(core& engine) noexcept {
  if (engine.is_left_behind()) {
    sync::report(
        "tact: a child process destroys an engine that lives in its parent: it is left as it is; after fork or daemon "
        "let the child call exec or _exit, or make its own engine\n");
    return;
  }
  const actors::ending_engine here(engine.identity());
  if (here.is_in_circle()) {
    if (actors::visit::ends_process()) return engine.shutdown().leave_to_process_end();
    engine.shutdown().prepare_end_elsewhere();
    return actors::end_elsewhere([&engine] { finish_and_delete(engine); });
  }
  finish_and_delete(engine);
}

}  // namespace tact::detail

namespace tact {

engine_description engine_figures::describe() const {
  engine_description d = core_.census().describe_engine();
  d.structure = structure();
  d.dead_letters = core_.letters().read();
  return d;
}

tact::structure engine_figures::structure() const { return actors::read_structure(core_.parts(), core_.timed()); }

}  // namespace tact
