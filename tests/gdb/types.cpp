// The types of the library, for a build in which it has no debug information: this file is compiled with it.
#include <mutex>

#include "actors/cells/metadata.hpp"
#include "actors/cells/resting.hpp"
#include "actors/engine/core.hpp"
#include "actors/pressure/limited_mailbox.hpp"
#include "actors/run/transactor.hpp"

// A debugger is told of each type that a variable needs.
struct types_of_library {
  const tact::detail::core* core;
  const tact::actors::transactor* transactor;
  const tact::actors::metadata* metadata;
  const tact::actors::limited_mailbox* limited_mailbox;
  const tact::actors::resting* resting;
  const tact::detail::waiter* waiter;
  const std::mutex* mutex;
};
[[gnu::used]] const types_of_library described{};
