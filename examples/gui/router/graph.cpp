#include "graph.hpp"

#include <memory>
#include <string>
#include <utility>
#include <vector>

#include "chord.hpp"
#include "layout.hpp"

namespace router {
namespace {

bool is_of_pointer(const event& e) {
  return e.kind != event_kind::key && e.kind != event_kind::resize && e.kind != event_kind::focus &&
         e.kind != event_kind::unfocus;
}
bool is_key(const event& e) { return e.kind == event_kind::key; }
bool is_escape(const event& e) { return is_key(e) && e.text == "Escape"; }
// What a line of text takes for itself, so that it is no shortcut.
bool is_text(const event& e) {
  const bool is_typed = e.text.size() == 1 || e.text == "BackSpace";
  return e.kind == event_kind::drop || (is_key(e) && is_typed && (e.modifiers & (control | alt)) == 0);
}

}  // namespace

graph make_graph(tact::engine& engine, int width, int height, const listeners& to) {
  const auto create = [&](auto behavior, const std::string& name) {
    return engine.create(std::move(behavior), tact::named(name));
  };
  const command_map map = default_commands();
  const auto document = create(make_document(to), "document");
  const auto commands = create(make_commands(map, document), "commands");
  const auto chords = create(chords_of_keys(chords_in(map), commands), "chords");
  const auto interests_of = [&](const std::string& name) -> std::vector<interest> {
    if (name == "toolbar") return {};
    if (name == "window") return {{phase::capture, is_escape, chords}, {phase::bubble, is_key, chords}};
    if (name == "caption") {
      return {{phase::target, is_text, create(typing(name, commands), name + " gestures")}};
    }
    return {{phase::target, is_of_pointer, create(pointer_gestures(name, commands), name + " gestures")}};
  };
  auto views = std::make_shared<std::vector<tact::ref<view>>>();
  for (const view_place& v : layout_of(width, height)) {
    views->push_back(create(make_view(v.name, interests_of(v.name), document), v.name));
  }
  return {create(make_dispatcher(width, height, views), "dispatcher"), document, commands};
}

}  // namespace router
