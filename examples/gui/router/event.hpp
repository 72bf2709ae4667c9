// An event of a window, as a value: what happened, where and when. All that a drawing depends on is such an event, so
// the events in their order are a recording of it.
#pragma once

#include <cstdint>
#include <memory>
#include <stdexcept>
#include <string>
#include <string_view>

#include <tact/tact.hpp>

namespace router {

enum class event_kind : unsigned char { press, release, move, wheel, key, drop, resize, focus, unfocus, timer };

enum modifier : unsigned { shift = 1, control = 2, alt = 4 };

// An event has been handled by all actors that it concerns, and its effect is part of the drawing.
struct taken {
  std::uint64_t number;
};

struct event_source;

struct event {
  event_kind kind{};
  std::int64_t at_ms = 0;  // since the window was opened
  int x = 0;               // of the pointer; the width, of resize
  int y = 0;               // of the pointer; the height, of resize
  int amount = 0;          // the button, of press and release; how many steps downwards, of wheel
  unsigned modifiers = 0;
  std::string text{};                // the name of the key; what was dropped; the view, of timer
  std::uint64_t about = 0;           // of timer: the number of the press that set it
  std::uint64_t number = 0;          // in the order of events, from 1
  tact::ref<event_source> source{};  // not part of a recording
};
// Where events come from: it hears when one was taken, and is sent those that actors ask for, which are timers.
struct event_source : tact::protocol<event, taken> {};

using event_ptr = std::shared_ptr<const event>;

std::string_view name_of(event_kind k) noexcept;

class recording_error : public std::runtime_error {
 public:
  using std::runtime_error::runtime_error;
};

// One line of a recording, without its end.
std::string line_of(const event& e);
// Throws recording_error, which says what is wrong with the line.
event read_line(const std::string& line);

}  // namespace router
