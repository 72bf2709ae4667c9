// The dispatcher finds the target of each event: the view under the pointer, that which has captured the pointer while
// a button is pressed, or that which has the focus.
#pragma once

#include <memory>
#include <vector>

#include <tact/tact.hpp>

#include "event.hpp"
#include "view.hpp"

namespace router {

// The actors of the views, in the order of the layout.
using view_actors = std::shared_ptr<const std::vector<tact::ref<view>>>;

struct dispatcher : tact::protocol<event_ptr> {};

tact::behavior<dispatcher> make_dispatcher(int width, int height, view_actors views);

}  // namespace router
