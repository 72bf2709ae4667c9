// What a sequence of events of one view means: a click, a drag, a long press. The recogniser of a view is an actor that
// becomes another one with each step of a gesture. Each event ends in one gesture, which may be none.
#pragma once

#include <cstdint>
#include <string>
#include <string_view>

#include <tact/tact.hpp>

#include "event.hpp"
#include "trail.hpp"

namespace router {

enum class gesture_kind : unsigned char {
  none,
  hover,
  click,
  double_click,
  long_press,
  drag_begin,
  drag,
  drag_end,
  quick_drag,  // a whole one between two events: the window was too busy for its moves
  wheel,
  drop,
  text,   // typed
  chord,  // keys pressed one after the other, or together with others
};
std::string_view name_of(gesture_kind k) noexcept;

struct gesture {
  gesture_kind kind = gesture_kind::none;
  std::string where{};  // the view, or the names of the keys of a chord
  event_ptr last{};     // the event that completes it
  int from_x = 0;       // where a drag began
  int from_y = 0;
  trail way{};
};

// An event on its way to the actor that makes a gesture of it.
struct input {
  event_ptr what;
  trail way;
};

struct recogniser : tact::protocol<input> {};

inline constexpr std::int64_t double_click_ms = 300;
inline constexpr std::int64_t long_press_ms = 500;
inline constexpr int drag_pixels = 4;

// Gestures of the pointer, in one view. It sets a timer at each press, which comes back as an event.
tact::behavior<recogniser> pointer_gestures(const std::string& view, tact::ref<gesture> to);
// Keys that are typed in one view.
tact::behavior<recogniser> typing(const std::string& view, tact::ref<gesture> to);

}  // namespace router
