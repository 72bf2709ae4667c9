// What the person wants to be done, and the map that says which gesture means it.
#pragma once

#include <map>
#include <set>
#include <string>
#include <string_view>

#include <tact/tact.hpp>

#include "event.hpp"
#include "gesture.hpp"
#include "trail.hpp"

namespace router {

enum class action : unsigned char {
  nothing,
  point,
  choose_pen,
  choose_box,
  choose_oval,
  choose_select,
  undo,
  redo,
  begin,  // of what the tool draws, or moves
  extend,
  finish,
  draw,  // all of it at once
  give_up,
  pick,
  recolour,
  remove,
  widen,
  place_text,
  type,
  set_caption,
  clear,
};
std::string_view name_of(action a) noexcept;

struct command {
  action what = action::nothing;
  event_ptr last{};
  int from_x = 0;
  int from_y = 0;
  trail way{};
};

using command_map = std::map<std::string, action, std::less<>>;  // by "canvas drag", "undo click", "keys Ctrl+Z"

// From now on that gesture means this action, or nothing.
struct bind {
  std::string gesture;
  action what;
};

struct commands : tact::protocol<gesture, bind> {};

command_map default_commands();
std::set<std::string> chords_in(const command_map& map);
tact::behavior<commands> make_commands(command_map map, tact::ref<command> document);

}  // namespace router
