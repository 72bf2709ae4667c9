// What a simulation tells of itself while it goes on. The library tact-inspect draws it.
#pragma once

#include <cstdint>
#include <string_view>

namespace tact {

class engine;
class simulation;

namespace sync {
enum class event : unsigned char;
}

namespace detail {

// A line that was added to simulation::trace().
struct simulated_line {
  unsigned thread = 0;  // the number of the thread; 0 is the program
  std::string_view thread_name{};
  sync::event what{};       // if it is about a message
  std::uint64_t actor = 0;  // its target; 0: the line is about no message
  unsigned actor_number = 0;
  std::string_view actor_name{};
  std::string_view text{};  // the line, without the thread
};

// Thread safety: the real thread of the simulation. All that is told stays as long as the call lasts.
class simulation_watcher {
 public:
  simulation_watcher() = default;
  simulation_watcher(const simulation_watcher&) = delete;
  simulation_watcher& operator=(const simulation_watcher&) = delete;
  virtual ~simulation_watcher() = default;

  // simulation::engine has made the engine, and returns it next.
  virtual void hear_engine(tact::engine&) = 0;
  virtual void hear_line(const simulated_line&) noexcept = 0;
  // The first check has failed, or the program cannot go on.
  virtual void hear_failure(std::string_view text) noexcept = 0;
};

// From now on the watcher hears of the simulation; null: none does. Returns the number of the thread that runs, which
// changes while the simulation goes on, and lives as long as it.
const unsigned& watch_simulation(simulation&, simulation_watcher*) noexcept;

}  // namespace detail
}  // namespace tact
