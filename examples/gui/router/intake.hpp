// The intake gives the events of a window their numbers. Of moves of the pointer that come while the graph is still
// busy with the events before, it keeps the newest only, so a hand that is faster than the graph finds no queue.
#pragma once

#include <tact/tact.hpp>

#include "dispatcher.hpp"
#include "event.hpp"

namespace router {

// `recorder` gets each event with its number; it may be missing.
tact::behavior<event_source> make_intake(tact::ref<dispatcher> to, tact::ref<event_ptr> recorder = {});

}  // namespace router
