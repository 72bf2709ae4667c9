// What becomes of an actor whose handler has thrown.
#pragma once

#include "tact/detail/core.hpp"
#include "tact/engine_options.hpp"
#include "tact/failure.hpp"

namespace tact::actors {

// What the rule says. If the rule throws, the actor ends. REQUIRES: the rule is not empty.
[[nodiscard]] failure_verdict decide(const failure_rule& rule, const failure_report& report) noexcept;
// What becomes of the actor after a failure, as its own rule says, else that of its scope, else that of the engine.
[[nodiscard]] failure_verdict decide(detail::port p, detail::actor_kind kind, const engine_options& options,
                                     const failure_report& report) noexcept;

}  // namespace tact::actors
