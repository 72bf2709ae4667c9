// Implements the functions by which an actor's end is watched.
#include <new>

#include "actors/cells/cell.hpp"
#include "actors/failure/core_messages.hpp"
#include "actors/failure/end_notices.hpp"
#include "tact/detail/core.hpp"

namespace tact::detail {

void watch(run& r, port target, watcher& w) {
  w.target = actors::or_nobody(target);
  try {
    ::new (stage(r, target, actors::watch_message)) watcher*(&w);
  } catch (...) {
    w.drop(w);
    throw;
  }
}

void watch(core& engine, port target, watcher& w) {
  w.target = target = actors::or_nobody(target);
  if (!actors::is_current(target)) return actors::tell(w, nullptr, actors::gone(target));
  watcher* payload[2] = {&w, nullptr};  // an inbox copies at least 16 bytes
  send(engine, target, actors::watch_message, payload);
}

void watch(port target, watcher& w) {
  w.target = target = actors::or_nobody(target);
  if (!actors::is_current(target)) return actors::tell(w, nullptr, actors::gone(target));
  watcher* payload[2] = {&w, nullptr};  // as above
  send(target, actors::watch_message, payload);
}

// The order is a message to the actor that is watched. It may overtake the order to watch, if that actor is parallel.
void unwatch(watcher& w) {
  run* const r = current_run();
  if (r == nullptr && !actors::is_current(w.target)) return;
  w.shares.fetch_add(1);
  if (r == nullptr) {
    watcher* payload[2] = {&w, nullptr};  // as above
    return send(w.target, actors::forget_message, payload);
  }
  try {
    ::new (stage(*r, w.target, actors::forget_message)) watcher*(&w);
  } catch (...) {
    w.drop(w);
    throw;
  }
}

}  // namespace tact::detail
