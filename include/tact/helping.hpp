// tact::help: a tag by which a thread that asks works for the engine meanwhile.
#include "tact/detail/begin.hpp"  // first
#pragma once

namespace tact {

struct help_t {
  explicit help_t() = default;
};

// For engine.ask(to, query, tact::help), and no other call. Until its answer is there, the thread runs messages that
// wait while workers are busy, as if it were one more worker; then it gives back what is left. When no message waits,
// it sleeps until its answer comes. A handler that takes long keeps the thread, also when its answer is there: hence
// there is no form with a time limit, and threads that must not be blocked must not help. Source of the idea: the
// asking threads of Lisp-Actors.
inline constexpr help_t help{};

}  // namespace tact

#include "tact/detail/end.hpp"  // last
