// How the end of an engine is told to the askers that still wait in it.
#include "actors/core.hpp"
#include "actors/failures.hpp"
#include "actors/transactor.hpp"

namespace tact::detail {

// REQUIRES: no worker runs. So no cell is reused, and the run of the first worker is idle: it serves as an argument,
// which an asker does not use.
void core::tell_asker(actors::cell& c, failure f) noexcept {
  const auto seen = c.word.load();
  if (c.type()->kind != actor_kind::asker || seen.is_ended() || !c.word.try_end(seen)) return;
  closure& asker = *seen.closure();
  const behavior_type& type = *asker.type;  // read now: an asker on a thread's stack is gone once it was told
  c.next_generation(true);
  try {
    type.on_failure(asker, static_cast<transactor&>(dispatcher_.workers().front()->running()), &f);
  } catch (...) {
    const actors::caught thrown = actors::describe_exception();
    reports_.failed({type.name, failure_message.name, thrown.what, true, {}, thrown.causes});
  }
  if (type.destroy != nullptr) actors::end_closure(asker, allocation::finished);
  dispatcher_.quiet_event().notify();  // where a thread that asks an engine without workers sleeps
}

}  // namespace tact::detail
