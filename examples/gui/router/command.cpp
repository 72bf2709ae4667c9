#include "command.hpp"

#include <array>
#include <cstddef>
#include <memory>
#include <set>
#include <string>
#include <string_view>
#include <utility>

namespace router {
namespace {

constexpr std::array<std::string_view, 21> names = {
    "nothing",  "point",  "choose pen", "choose box", "choose oval", "choose select", "undo",
    "redo",     "begin",  "extend",     "finish",     "draw",        "give up",       "pick",
    "recolour", "remove", "widen",      "place text", "type",        "set caption",   "clear"};

std::string key_of(const gesture& g) {
  std::string key = g.kind == gesture_kind::chord ? "keys" : g.where;
  key += ' ';
  key += g.kind == gesture_kind::chord ? std::string_view(g.where) : name_of(g.kind);
  return key;
}

tact::behavior<commands> commands_of(std::shared_ptr<const command_map> map, tact::ref<command> document) {
  return {
      [=, me = node_of("commands")](tact::self<commands>& self, const gesture& m) {
        const auto found = m.kind == gesture_kind::none ? map->end() : map->find(key_of(m));
        const action what = found == map->end() ? action::nothing : found->second;
        self.send(document, command{what, m.last, m.from_x, m.from_y, m.way.then(me)});
      },
      [=](tact::self<commands>& self, const bind& m) {
        command_map next = *map;
        next[m.gesture] = m.what;
        self.become(commands_of(std::make_shared<const command_map>(std::move(next)), document));
      },
  };
}

}  // namespace

std::string_view name_of(action a) noexcept { return names[static_cast<std::size_t>(a)]; }

command_map default_commands() {
  return {
      {"pen click", action::choose_pen},     {"box click", action::choose_box},
      {"oval click", action::choose_oval},   {"select click", action::choose_select},
      {"undo click", action::undo},          {"redo click", action::redo},
      {"keys p", action::choose_pen},        {"keys b", action::choose_box},
      {"keys o", action::choose_oval},       {"keys s", action::choose_select},
      {"keys Ctrl+z", action::undo},         {"keys Ctrl+y", action::redo},
      {"keys Ctrl+Shift+z", action::redo},   {"keys Ctrl+k Ctrl+d", action::clear},
      {"keys Escape", action::give_up},      {"canvas hover", action::point},
      {"canvas click", action::pick},        {"canvas double click", action::recolour},
      {"canvas long press", action::remove}, {"canvas drag begin", action::begin},
      {"canvas drag", action::extend},       {"canvas drag end", action::finish},
      {"canvas quick drag", action::draw},   {"canvas wheel", action::widen},
      {"canvas drop", action::place_text},   {"caption text", action::type},
      {"caption drop", action::set_caption},
  };
}

std::set<std::string> chords_in(const command_map& map) {
  std::set<std::string> chords;
  for (const auto& [gesture, what] : map) {
    if (gesture.starts_with("keys ")) chords.insert(gesture.substr(5));
  }
  return chords;
}

tact::behavior<commands> make_commands(command_map map, tact::ref<command> document) {
  return commands_of(std::make_shared<const command_map>(std::move(map)), document);
}

}  // namespace router
