// tact::failure_rule: what becomes of an actor whose handler threw.
#include "tact/detail/language.hpp"  // first
#pragma once

#include <functional>
#include <optional>
#include <type_traits>
#include <utility>

#include "tact/failure.hpp"

namespace tact {

// A policy, or a function that decides on each failure: failure_policy f(const failure_report&). One of an actor is
// asked before that of its scope, and that before the engine's (engine_options). An empty one says nothing: then the
// next one decides. The function is called on the thread that ran the handler, outside of its transaction, before the
// failure is reported; `actor_ends` of its argument is not decided yet. It must not block, and may be called by several
// workers at once; when it throws the actor ends.
class failure_rule {
 public:
  failure_rule() noexcept = default;
  failure_rule(failure_policy policy) noexcept : policy_(policy) {}  // NOLINT: implicit by design
  template <class F>
    requires(!std::is_same_v<F, failure_rule> && std::is_invocable_r_v<failure_policy, F&, const failure_report&>)
  failure_rule(F decide) : decide_(std::move(decide)) {}  // NOLINT: implicit by design

  // Does it say anything?
  explicit operator bool() const noexcept { return policy_.has_value() || decide_ != nullptr; }
  // The policy that it always gives; none when it says nothing, or when a function decides.
  [[nodiscard]] std::optional<failure_policy> fixed() const noexcept { return policy_; }
  // REQUIRES: it says something.
  [[nodiscard]] failure_policy decide(const failure_report& report) const {
    return policy_ ? *policy_ : decide_(report);
  }

 private:
  std::optional<failure_policy> policy_;
  std::function<failure_policy(const failure_report&)> decide_;
};

}  // namespace tact
