// The class tact::simulation, implemented by a world.
#include "tact/simulation.hpp"

#include <optional>
#include <utility>

#include "base/assert.hpp"
#include "tools/simulated/world.hpp"

namespace tact {

namespace detail {

class simulation_state {
 public:
  explicit simulation_state(const schedule& as) : world(as) {}
  ~simulation_state() { end(); }
  simulation_state(const simulation_state&) = delete;
  simulation_state& operator=(const simulation_state&) = delete;

  void end() noexcept {
    TACT_ASSERT(world.this_thread() == 0,
                "a simulation is ended on one of the threads that it simulates, such as in a handler: let the program "
                "end it");
    for (const unsigned t : std::exchange(threads, {})) world.join(t);
    engine.reset();
    world.scheduler().join_all();  // also the threads that end engines destroyed inside the simulation
  }

  simulated::world world;
  std::optional<tact::engine> engine;
  std::vector<unsigned> threads;
  simulation_watcher* watcher = nullptr;
};

void look_whether_stuck(const char* call) {
  const sync::director* const s = sync::director::current();
  if (s == nullptr || s->why_in_vain().empty()) return;
  throw simulation_error(std::string(call) + " in a simulation: " + std::string(s->why_in_vain()));
}

const unsigned& watch_simulation(simulation& s, simulation_watcher* w) noexcept {
  simulation_state& state = *s.state_;
  state.watcher = w;
  state.world.tell(w);
  return state.world.scheduler().running_thread();
}

}  // namespace detail

simulation::simulation(const schedule& as) : state_(std::make_unique<detail::simulation_state>(as)) {}
simulation::~simulation() = default;
void simulation::end() noexcept { state_->end(); }

engine& simulation::engine() { return state_->engine ? *state_->engine : engine(engine_options{}); }

engine& simulation::engine(const engine_options& options) {
  if (state_->engine)
    throw usage_error("tact::simulation: its engine is there already; give its options the first time");
  engine_options with = options;
  if (!with.on_failure) with.on_failure = [](const failure_report&) {};
  if (!with.on_dropped) with.on_dropped = [](const std::vector<dropped_messages>&) {};
  state_->engine.emplace(with);
  if (state_->watcher != nullptr) state_->watcher->hear_engine(*state_->engine);
  return *state_->engine;
}

void simulation::start_thread(std::function<void()> body) {
  const std::string name = "thread " + std::to_string(state_->threads.size() + 1);
  state_->threads.push_back(state_->world.start_beside(name, std::move(body)));
}

void simulation::run() { state_->world.control().run(); }
bool simulation::step() { return state_->world.control().step(); }
void simulation::advance_ns(std::int64_t time) { state_->world.control().advance(std::chrono::nanoseconds(time)); }
std::chrono::nanoseconds simulation::now() const noexcept { return state_->world.scheduler().clock().elapsed(); }

void simulation::sleep_ns(std::int64_t time) {
  constexpr const char* call = "simulation::sleep_for";
  if (sync::director::current() != &state_->world) {
    throw usage_error(std::string(call) +
                      ": the calling thread is none of this simulation; start it with simulation::start_thread");
  }
  detail::refuse_inside_handler(call, "let it set a timer, self.send_after(delay, to, message), and return");
  state_->world.control().sleep_for(std::chrono::nanoseconds(time));
  detail::look_whether_stuck(call);
}

void simulation::show(const detail::type_key& type, detail::message_printer printer) {
  state_->world.story().contents().show(type, printer);
}

void simulation::throw_at(std::uint64_t nth) noexcept { state_->world.planned().throw_at(nth); }
void simulation::fail_allocation(std::uint64_t nth) noexcept { state_->world.planned().fail_allocation(nth); }
bool simulation::has_thrown() const noexcept { return state_->world.planned().has_thrown(); }
bool simulation::has_failed_allocation() const noexcept { return state_->world.planned().has_refused(); }

void simulation::check(bool holds, std::string_view text) {
  if (!holds) state_->world.scheduler().verdict().fail(text);
}
const std::string& simulation::failure() const noexcept { return state_->world.scheduler().verdict().failure(); }
std::uint64_t simulation::switches() const noexcept { return state_->world.scheduler().switches(); }
std::uint64_t simulation::points() const noexcept { return state_->world.scheduler().points(); }
schedule simulation::so_far() const { return state_->world.scheduler().choice().so_far(); }
std::string simulation::trace() const { return state_->world.story().text(state_->world.scheduler().thread_names()); }

}  // namespace tact
