// What the programs on CAF share: its options. Written for CAF 0.17.
#pragma once

#include <caf/all.hpp>

#include "programs/program.hpp"

namespace bench {

inline std::string caf_runtime() {
  return "CAF " + std::to_string(CAF_MAJOR_VERSION) + "." + std::to_string(CAF_MINOR_VERSION) + "." +
         std::to_string(CAF_PATCH_VERSION);
}

// Its work stealing scheduler with as many threads as tact has workers; profiling and logging stay off, actors are
// dynamically typed, event-based, and spawned without being detached or monitored. An actor may handle as many messages
// in a row as there are. A worker without work looks often before it sleeps.
class caf_options : public caf::actor_system_config {
 public:
  explicit caf_options(program& p) {
    const auto polls = static_cast<std::int64_t>(p.number("polls", 100, 100, "work-stealing.aggressive-poll-attempts"));
    set("scheduler.max-threads", std::int64_t{p.threads()});
    set("work-stealing.aggressive-poll-attempts", polls);
  }
};

}  // namespace bench
