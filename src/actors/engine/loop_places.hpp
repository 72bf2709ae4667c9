// The event loops of the user's threads: the places of their actors in the engine, and the calls that wake them.
// Protocol page: docs/protocols/loop.md.
#pragma once

#include <cstdint>
#include <functional>

#include "actors/cells/cell_store.hpp"
#include "actors/cells/host.hpp"
#include "actors/common/names.hpp"
#include "dispatch/dispatcher.hpp"
#include "dispatch/visitors/pump.hpp"
#include "tact/detail/core.hpp"
#include "tact/detail/deadline.hpp"

namespace tact::actors {

// Thread safety: open and call from any thread; the other functions on the thread that made the loop.
class loop_places {
 public:
  loop_places(dispatch::dispatcher& workers, cell_store& cells, const host& h, unsigned blocking_max) noexcept
      : workers_(workers), cells_(cells), host_(h), blocking_max_(blocking_max) {}
  loop_places(const loop_places&) = delete;
  loop_places& operator=(const loop_places&) = delete;

  // Returns the loop's place. Throws tact::usage_error when no place is free. `wake` makes the event loop pump.
  [[nodiscard]] std::uint32_t open(std::function<void()> wake);
  // Ends the actors of the place, and handles what still waits there.
  void close(std::uint32_t place) noexcept;
  [[nodiscard]] dispatch::pump::amount pump(std::uint32_t place, std::uint64_t most, deadline until) noexcept;
  // Calls the user's function that wakes an event loop. The calling thread is marked meanwhile, so that the function
  // cannot wait for the engine.
  void call(const std::function<void()>& wake) noexcept;

 private:
  void tell_continuations(std::uint32_t place) noexcept;

  dispatch::dispatcher& workers_;
  cell_store& cells_;
  const host host_;
  const unsigned blocking_max_;
};

}  // namespace tact::actors
