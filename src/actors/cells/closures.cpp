#include "actors/cells/closures.hpp"

#include "actors/common/this_thread.hpp"
#include "base/reserve.hpp"

namespace tact::actors {

void call_destructor(detail::closure& c, allocation how) noexcept {
  if (c.type->destroy == nullptr) return;
  const base::may_use_reserve sure;  // a destructor cannot report that a send in it has failed
  const this_thread::callback outside;
  c.type->destroy(c, how);
}

}  // namespace tact::actors
