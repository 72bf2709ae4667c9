// tact::help: a thread that asks works for the engine meanwhile.
#include "tact/detail/language.hpp"  // first
#pragma once

namespace tact {

struct help_t {
  explicit help_t() = default;
};

// For engine.ask(to, query, tact::help), and no other call. Until its answer is there the thread runs what waits while
// workers are busy, as one of them; then it gives back what is left. When nothing waits it sleeps until its answer
// comes. A handler that takes long keeps it, whatever has become of its question: hence never with a time limit, and
// never on a thread that must not be held. Source of the idea: the asking threads of Lisp-Actors.
inline constexpr help_t help{};

}  // namespace tact
