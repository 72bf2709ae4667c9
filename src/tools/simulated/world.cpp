#include "tools/simulated/world.hpp"

#include <utility>

namespace tact::simulated {

world::world(const schedule& as)
    : outside_(sync::thread_state::of_this_thread()),
      chances_(base::random(~as.seed).next()),
      stopwatch_(chances_),
      scheduler_(*this, as, chances_),
      control_(scheduler_) {
  if (sync::system::current() != nullptr) throw usage_error("tact::simulation: this thread is in a simulation already");
  if (outside_.worker != nullptr) throw usage_error("tact::simulation: not in a handler; make it in the program");
  sync::thread_state::of_this_thread() = {};
  enter(this);
  base::watch_allocations(this);
}

world::~world() {
  scheduler_.end();
  base::watch_allocations(nullptr);
  enter(nullptr);
  sync::thread_state::of_this_thread() = outside_;
}

void world::tell(detail::simulation_watcher* w) noexcept {
  story_.tell(w);
  scheduler_.verdict().tell(w);
}

unsigned world::start(const std::string& name, std::function<void()> body) {
  return scheduler_.start(name, std::move(body)).index;
}

unsigned world::start_beside(const std::string& name, std::function<void()> body) {
  thread_record& t = scheduler_.start(name, std::move(body));
  t.is_beside = true;
  return t.index;
}

}  // namespace tact::simulated
