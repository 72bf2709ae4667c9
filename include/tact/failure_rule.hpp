// tact::failure_rule: what becomes of an actor whose handler threw.
#include "tact/detail/language.hpp"  // first
#pragma once

#include <functional>
#include <optional>
#include <type_traits>
#include <utility>

#include "tact/failure.hpp"

namespace tact {

// A policy, or a function that decides on each failure: failure_policy f(const failure_report&). The rule of an actor
// is asked first, then that of its scope, then the engine's (engine_options); an empty rule leaves the decision to the
// next one. The function is called on the thread that ran the handler, outside of its transaction, before the failure
// is reported; `actor_ends` of its argument is not decided yet. It must not block, and several workers may call it at
// once. When it throws, the actor ends.
class failure_rule {
 public:
  failure_rule() noexcept = default;
  failure_rule(failure_policy policy) noexcept : policy_(policy) {}  // NOLINT: implicit by design
  template <class F>
    requires(!std::is_same_v<F, failure_rule> && std::is_invocable_r_v<failure_policy, F&, const failure_report&>)
  failure_rule(F decide) : decide_(std::move(decide)) {}  // NOLINT: implicit by design

  // True unless the rule is empty.
  explicit operator bool() const noexcept { return policy_.has_value() || decide_ != nullptr; }
  // The policy, if the rule is one; none if the rule is empty, or if a function decides.
  [[nodiscard]] std::optional<failure_policy> fixed() const noexcept { return policy_; }
  // REQUIRES: the rule is not empty.
  [[nodiscard]] failure_policy decide(const failure_report& report) const {
    return policy_ ? *policy_ : decide_(report);
  }

 private:
  std::optional<failure_policy> policy_;
  std::function<failure_policy(const failure_report&)> decide_;
};

}  // namespace tact
