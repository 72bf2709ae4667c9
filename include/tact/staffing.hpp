// tact::staffing: how many workers an engine has, and how that is changed while it runs.
#include "tact/detail/language.hpp"  // first
#pragma once

#include "tact/detail/core.hpp"
#include "tact/detail/workers.hpp"
#include "tact/trying.hpp"

namespace tact {

// The calls of an engine for programs whose need of workers changes. docs/workers.md.
class staffing : public trying {
 public:
  // From now on `count` worker threads run, 1 to engine_options::workers_max. Throws usage_error for another number,
  // inside a handler, and for an engine without workers. The call returns when the workers that had to go have ended,
  // each behind the message that it runs, or when those that came have taken their share of the actors. Actors and
  // messages do not notice.
  // Throws std::system_error when the system gives no thread; the engine goes on with the workers that it has got.
  // Without effect in an engine that has ended.
  void set_workers(unsigned count) {
    constexpr auto call = "engine.set_workers";
    detail::refuse_inside_handler(call, "leave it to the thread that owns the engine");
    if (!detail::set_workers(core_, count)) detail::look_whether_stuck(call);
  }
  // How many workers run now, or ran when the engine ended.
  [[nodiscard]] unsigned workers() const noexcept { return detail::count_workers(core_); }

 protected:
  using trying::trying;
  ~staffing() = default;
};

}  // namespace tact
