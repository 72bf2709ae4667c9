// A user's build with more warnings than the library's own: no option needs to be named, and nothing in the headers is
// warned of. The pragmas make errors of them, whatever the build's options are.
#pragma GCC diagnostic error "-Wextra"
#pragma GCC diagnostic error "-Wmissing-field-initializers"
#pragma GCC diagnostic error "-Wconversion"
#pragma GCC diagnostic error "-Wsign-conversion"
#pragma GCC diagnostic error "-Wfloat-conversion"
#pragma GCC diagnostic error "-Wold-style-cast"

#include <chrono>

#include "tact/tact.hpp"

namespace {

struct line {
  int number;
};

class logger : public tact::actor<logger, line> {
 public:
  logger(unsigned size, float part, char letter) : sum_(part + static_cast<float>(size) + static_cast<float>(letter)) {}
  void receive(tact::self<logger>&, const line&) {}
  float sum_;
};

}  // namespace

void strict_user();
void strict_user() {
  [[maybe_unused]] const tact::schedule schedule{.seed = 2};
  [[maybe_unused]] const tact::explore_options exploring{.shrinking_runs = 2};
  const tact::exploration found{.failed = true};
  [[maybe_unused]] const tact::mailbox_limit limit{.messages = 3};
  const tact::failure failure{.reason = tact::failure_reason::timed_out};
  const tact::failure_report report{.actor = "a"};
  [[maybe_unused]] const tact::unrepeatable_handler unrepeatable{.actor = "a"};
  const tact::dead_letter letter{.target = "a"};
  const tact::dropped_messages dropped{.messages = 1};
  const tact::alive_actors alive{.count = 1};
  const tact::mailbox_depth depth{.messages = 1};
  [[maybe_unused]] const tact::placement_plan plan{.pinned = true};
  const tact::ended ended{.actor = "a"};
  [[maybe_unused]] const tact::pumped pumped{.more = true};
  tact::engine engine({.workers = 1, .rehearse = true, .shutdown_timeout = std::chrono::milliseconds(10)});
  engine.spawn<logger>(tact::named("log"), 0, 0, 0) | line{1};
  engine.spawn<logger>(2, 2.5, 66) | line{2};
}
