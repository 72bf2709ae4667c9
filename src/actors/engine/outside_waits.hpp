// The calls of threads outside that wait for an engine, run an engine that has no workers, help its workers, or change
// their number.
#pragma once

#include <cstdint>

#include "actors/common/names.hpp"
#include "actors/common/phase.hpp"
#include "actors/figures/census.hpp"
#include "dispatch/dispatcher.hpp"
#include "dispatch/visitors/pump.hpp"
#include "sync/rundown.hpp"
#include "tact/detail/core.hpp"
#include "tact/detail/deadline.hpp"
#include "tact/engine_options.hpp"

namespace tact::actors {

// Thread safety: any thread, unless a comment says otherwise.
class outside_waits {
 public:
  outside_waits(const engine_options& options, dispatch::dispatcher& workers, sync::rundown<sync::real>& guests,
                const phase& p, const census& counts) noexcept
      : options_(options), workers_(workers), guests_(guests), phase_(p), census_(counts) {}
  outside_waits(const outside_waits&) = delete;
  outside_waits& operator=(const outside_waits&) = delete;

  enum class goal : bool { idle, finished };  // no message is left; and no actor either
  // `call`: the name of the user's call. Without a deadline, lines on stderr name this call and what it waits for.
  [[nodiscard]] bool wait_quiet(deadline until, goal g, const char* call) noexcept;
  // Waits until a thread ends the engine, in silence.
  void wait_until_closed() noexcept;
  // As wait_quiet, in silence, for a caller that is counted already.
  [[nodiscard]] bool wait_until_quiet(deadline until, goal g) noexcept;
  // Waits for `told`, for a thread that asks the actor `asked`.
  [[nodiscard]] bool wait_told(wait_word& told, deadline until, port asked) noexcept;

  // For engines without workers: in an engine with workers all of these throw tact::usage_error. So do the first three
  // while another thread runs the engine; quit_run may be called by any thread.
  [[nodiscard]] dispatch::pump::amount run_some(std::uint64_t most, deadline until);
  void run();
  void run_until_idle();
  void quit_run();

  // Throws tact::usage_error when the engine cannot have so many workers, std::system_error when the system gives no
  // thread. False: a simulation cannot go on.
  [[nodiscard]] bool set_workers(unsigned count);
  // Throws tact::usage_error when no thread may help this engine.
  void look_whether_help_is_wanted() const;
  // The calling thread runs messages until `told` is done, or no message waits.
  void help_until_told(const wait_word& told) noexcept;

 private:
  [[nodiscard]] dispatch::pump& pump_for(const char* call);
  [[nodiscard]] bool is_told_soon(const wait_word& told) const noexcept;
  [[nodiscard]] bool wait_until_told(wait_word& told, deadline until) noexcept;

  using guest = sync::rundown<sync::real>::guest;

  const engine_options& options_;
  dispatch::dispatcher& workers_;
  sync::rundown<sync::real>& guests_;
  const phase& phase_;
  const census& census_;
};

}  // namespace tact::actors
