#include "actors/staging/lane_front.hpp"

#include "base/reserve.hpp"

namespace tact::actors {

// Memory comes out of the reserve: the run has committed.
void lane_front::begin_with_own(mailbox::copy_queue& older) noexcept {
  const base::may_use_reserve sure;
  if (run_.at().resumed() != nullptr && !run_.at().resumed()->put_aside.empty())
    return run_.at().resumed()->put_aside.put_back(older, run_.worker().chunks());
  begin_with(older);
}

void lane_front::put_back_all() {
  const base::may_use_reserve sure;
  run_.at().shard().lane.put_back(back_, run_.worker().chunks());
}

}  // namespace tact::actors
