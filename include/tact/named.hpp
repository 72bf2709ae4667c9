// tact::named: a name for one actor, for people.
#include "tact/detail/begin.hpp"  // first
#pragma once

#include <string>
#include <utility>

namespace tact {

// engine.create(open_teller(), tact::named("teller 3")): the name stands beside the placement, before the arguments of
// a spawned actor. Every report says it: failures, dead letters, dropped messages, still_running, monitors. It need not
// be unique. An actor without a name costs nothing; a name costs some memory, and a lock when the actor is made and
// when it ends.
struct named {
  explicit named(std::string text) noexcept : name(std::move(text)) {}
  std::string name;
};

}  // namespace tact

#include "tact/detail/end.hpp"  // last
