// How who asks hears of the engine's end.
#include "actors/core.hpp"
#include "actors/failures.hpp"
#include "actors/transactor.hpp"

namespace tact::detail {

// REQUIRES: no worker runs. So no cell is reused, and the first worker's run is idle; an asker does not use it.
void core::tell_asker(actors::cell& c, failure f) noexcept {
  const auto seen = c.word.load();
  if (c.type()->kind != actor_kind::asker || seen.is_ended() || !c.word.try_end(seen)) return;
  closure& asker = *seen.closure();
  const behavior_type& type = *asker.type;  // a thread's own asker goes when it has been told
  c.next_generation(true);
  try {
    type.on_failure(asker, static_cast<transactor&>(dispatcher_.workers().front()->running()), &f);
  } catch (...) {
    const actors::caught thrown = actors::describe_exception();
    reports_.failed({type.name, failure_message.name, thrown.what, true, {}, thrown.causes});
  }
  if (type.destroy != nullptr) actors::end_closure(asker, allocation::finished);
  dispatcher_.quiet_event().notify();  // without workers who asks sleeps there
}

}  // namespace tact::detail
