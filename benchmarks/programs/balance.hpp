// Balance, for every runtime: the executor's actors, with work in each message, placed on some of the workers only.
// Source: C∀.
#pragma once

#include <string>

#include "programs/executor.hpp"
#include "programs/work.hpp"

namespace bench {

// Actors are created round over the workers, so a slot is on worker `slot % workers`. On those that are loaded the
// slots hold real actors; all others are dummies, which end with their first message.
struct balance_setting {
  explicit balance_setting(program& p)
      : workers(p.threads()),
        one(p.choice("loaded", {"one", "multi"}, "the first worker, or every other one") == "one"),
        real_per_worker(static_cast<std::uint32_t>(p.number("real", 2000, 40, "actors per loaded worker"))),
        group(p, real_per_worker * (one ? 1 : (workers + 1) / 2), 20),
        steps(static_cast<std::uint32_t>(p.number("steps", 190, 10, "steps of work per message"))),
        result(work(steps)) {
    p.require(real_per_worker % group.set == 0, "--real is a multiple of --set");
    p.say("unit", std::to_string(work_ns(steps)) + "ns");
  }

  [[nodiscard]] std::uint32_t slots() const { return real_per_worker * workers; }
  [[nodiscard]] std::uint32_t dummies() const { return slots() - group.actors; }
  [[nodiscard]] std::uint64_t messages() const { return group.messages() + dummies(); }

  [[nodiscard]] bool is_real(std::uint32_t slot) const {
    const std::uint32_t worker = slot % workers;
    return one ? worker == 0 : worker % 2 == 0;
  }
  // Real actors are numbered worker by worker, so that those of a group are on the same one.
  [[nodiscard]] std::uint32_t id_of(std::uint32_t slot) const {
    const std::uint32_t nth_loaded = one ? 0 : slot % workers / 2;
    return nth_loaded * real_per_worker + slot / workers;
  }
  // The work of one message; false if it came out wrong.
  [[nodiscard]] bool do_work() const { return work(steps) == result; }

  std::uint32_t workers;
  bool one;
  std::uint32_t real_per_worker;
  executor_setting group;
  std::uint32_t steps;
  std::uint64_t result;
};

}  // namespace bench
