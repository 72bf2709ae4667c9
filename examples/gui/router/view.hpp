// A view of the window as an actor: events come down to their target through the views around it, which may take them
// first (capture), and go up again when the target did not (bubble). Source of the idea: the events of the DOM.
#pragma once

#include <cstddef>
#include <functional>
#include <memory>
#include <string>
#include <vector>

#include <tact/tact.hpp>

#include "command.hpp"
#include "event.hpp"
#include "gesture.hpp"
#include "trail.hpp"

namespace router {

enum class phase : unsigned char { capture, target, bubble };

struct view;
using view_path = std::shared_ptr<const std::vector<tact::ref<view>>>;  // from the window to the target

struct delivery {
  event_ptr what;
  view_path path;
  std::size_t at;  // in the path
  router::phase phase;
  trail way;
};

struct view : tact::protocol<delivery> {};

// Which events a view takes in a phase, and the actor that makes gestures of them.
struct interest {
  router::phase in;
  std::function<bool(const event&)> takes;
  tact::ref<input> recogniser;
};

// An event that no view takes goes to the document as a command to do nothing.
tact::behavior<view> make_view(const std::string& name, std::vector<interest> interests, tact::ref<command> document);

}  // namespace router
