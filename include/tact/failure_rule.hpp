// tact::failure_rule: what becomes of an actor whose handler threw.
#include "tact/detail/begin.hpp"  // first
#pragma once

#include <chrono>
#include <functional>
#include <iosfwd>
#include <optional>
#include <string>
#include <type_traits>
#include <utility>

#include "tact/failure.hpp"

namespace tact {

// What a rule says of a failure: a policy, and if there is more to say, how long the actor rests first, and whether the
// message is handled again.
struct failure_verdict {
  failure_verdict(failure_policy p, std::chrono::nanoseconds rest = {}, bool handle_again = false) noexcept  // NOLINT
      : policy(p), after(rest), again(handle_again) {}

  failure_policy policy;
  // How long the actor rests before it is made anew, or goes on. What comes for it meanwhile waits, in order. Orders to
  // end it do not wait. A parallel actor does not rest: it goes on as it was until it is made anew.
  std::chrono::nanoseconds after;
  // True: the message whose handler threw is the first that is handled after that. It is tried attempts_max times at
  // most; when it has failed again and is not tried once more, it is a dead letter (failure_reason::handler_threw). Its
  // customer hears of a failure only then.
  bool again;
};
std::ostream& operator<<(std::ostream&, const failure_verdict&);

// A policy, or a function that decides on each failure: failure_policy or failure_verdict f(const failure_report&). The
// rule of an actor is asked first, then that of its scope, then the engine's (engine_options); an empty rule leaves the
// decision to the next one. The function is called on the thread that ran the handler, outside of its transaction,
// before the failure is reported; `actor_ends` and `restarts` of its argument are not decided yet. It must not block,
// and several workers may call it at once. When it throws, the actor ends.
class failure_rule {
 public:
  failure_rule() noexcept = default;
  failure_rule(failure_policy policy) noexcept : policy_(policy) {}  // NOLINT: implicit by design
  template <class F>
    requires(!std::is_same_v<F, failure_rule> && std::is_invocable_r_v<failure_verdict, F&, const failure_report&>)
  failure_rule(F f) : decide_(std::move(f)) {}  // NOLINT: implicit by design

  // True unless the rule is empty.
  explicit operator bool() const noexcept { return policy_.has_value() || decide_ != nullptr; }
  // The policy, if the rule is one; none if the rule is empty, or if a function decides.
  [[nodiscard]] std::optional<failure_policy> fixed() const noexcept { return policy_; }
  // REQUIRES: the rule is not empty.
  [[nodiscard]] failure_verdict decide(const failure_report& report) const {
    return policy_ ? failure_verdict(*policy_) : decide_(report);
  }

 private:
  std::optional<failure_policy> policy_;
  std::function<failure_verdict(const failure_report&)> decide_;
};

// engine.create(b, tact::tried_up_to(3)): a rule by which a message whose handler threw is handled again, until it has
// been tried `times` times; attempts_max at most. `first` is what becomes of the actor before each further attempt, and
// `last` when there is none. Throws usage_error when `times` is 0 or above attempts_max, and when `first` is `end`.
[[nodiscard]] inline failure_rule tried_up_to(unsigned times, failure_policy first = failure_policy::go_on,
                                              failure_policy last = failure_policy::go_on) {
  if (times == 0 || times > attempts_max)
    throw usage_error("tact::tried_up_to: a message is tried 1 to " + std::to_string(attempts_max) + " times");
  if (first == failure_policy::end)
    throw usage_error("tact::tried_up_to: an actor that ends tries nothing again: let `first` be go_on or restart");
  return [=](const failure_report& report) {
    return report.attempts < times ? failure_verdict(first, {}, true) : failure_verdict(last);
  };
}

}  // namespace tact

#include "tact/detail/end.hpp"  // last
