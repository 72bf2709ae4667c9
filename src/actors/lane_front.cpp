#include "actors/lane_front.hpp"

#include "base/reserve.hpp"

namespace tact::detail {

void lane_front::put_back_all() {
  const base::may_use_reserve sure;
  run_.shard().lane.put_back(back_, run_.worker().chunks());
}

}  // namespace tact::detail
