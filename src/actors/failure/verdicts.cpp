#include "actors/failure/verdicts.hpp"

#include "actors/cells/metadata.hpp"
#include "actors/common/this_thread.hpp"

namespace tact::actors {

failure_verdict decide(const failure_rule& rule, const failure_report& report) noexcept {
  try {
    const this_thread::callback outside;
    return rule.decide(report);
  } catch (...) {
    return failure_policy::end;
  }
}

failure_verdict decide(detail::port p, detail::actor_kind kind, const engine_options& options,
                       const failure_report& report) noexcept {
  if (kind == detail::actor_kind::join) return failure_policy::go_on;  // it hears of the failure, and ends by itself
  const auto about = particulars_of(p);
  if (about != nullptr && about->rule) return decide(about->rule, report);
  const failure_rule* of_scope = about == nullptr || about->scope == nullptr ? nullptr : about->scope->rule();
  if (of_scope != nullptr) return decide(*of_scope, report);
  const bool is_classic = kind == detail::actor_kind::classic;
  return decide(is_classic ? options.classic_failure : options.transactional_failure, report);
}

}  // namespace tact::actors
