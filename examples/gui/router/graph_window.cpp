#include "graph_window.hpp"

#include <FL/Fl.H>
#include <FL/fl_draw.H>

#include <algorithm>
#include <cstddef>
#include <string>
#include <utility>
#include <vector>

#include "layout.hpp"

namespace router {
namespace {

constexpr int actor_width = 112;
constexpr int actor_height = 30;

struct spot {
  int x, y;  // of the middle
};

// Columns: dispatcher, window, what is in it, buttons, recognisers, commands, document.
spot spot_of(const std::string& name) {
  constexpr int step = 128;
  const auto at = [](int column, double row) { return spot{64 + column * step, 30 + static_cast<int>(row * 40)}; };
  static constexpr const char* buttons[] = {"pen", "box", "oval", "select", "undo", "redo"};
  for (int i = 0; i < 6; ++i) {
    if (name == buttons[i]) return at(3, i);
    if (name == std::string(buttons[i]) + " gestures") return at(4, i);
  }
  if (name == "dispatcher") return at(0, 4.5);
  if (name == "window") return at(1, 4.5);
  if (name == "toolbar") return at(2, 2.5);
  if (name == "canvas") return at(2, 6);
  if (name == "canvas gestures") return at(4, 6);
  if (name == "caption") return at(2, 7);
  if (name == "caption gestures") return at(4, 7);
  if (name == "chords") return at(4, 8);
  if (name == "commands") return at(5, 4.5);
  return at(6, 4.5);
}

void draw_arrow(spot from, spot to, Fl_Color colour, int width) {
  fl_color(colour);
  fl_line_style(FL_SOLID, width);
  const int side = from.x < to.x ? 1 : from.x > to.x ? -1 : 0;
  fl_line(from.x + side * actor_width / 2, from.y, to.x - side * actor_width / 2, to.y);
  fl_line_style(0);
}

bool is_in(const trail& way, node n) { return std::find(way.begin(), way.end(), n) != way.end(); }

}  // namespace

graph_window::graph_window() : Fl_Double_Window(896, 620, "Router: who gets what") {
  end();
  color(FL_WHITE);
  shown_.messages.resize(node_names().size());
}

graph_window::~graph_window() { Fl::remove_timeout(&ask, this); }

void graph_window::watch(tact::ref<more> source, tact::ref<traffic> me) {
  source_ = source;
  me_ = me;
  ask(this);
}

void graph_window::show_traffic(const traffic& t) {
  shown_ = t;
  redraw();
  Fl::add_timeout(1.0 / 30, &ask, this);
}

void graph_window::ask(void* window) {
  const auto& me = *static_cast<const graph_window*>(window);
  me.source_ | more{me.me_};
}

void graph_window::draw_connections() const {
  for (const auto& connection : shown_.connections) {
    const auto [from, to] = connection.first;
    draw_arrow(spot_of(node_names()[from]), spot_of(node_names()[to]), FL_LIGHT1, 1);
  }
  const node* before = nullptr;
  for (const node& n : shown_.last) {
    if (before != nullptr) draw_arrow(spot_of(node_names()[*before]), spot_of(node_names()[n]), FL_DARK_GREEN, 3);
    before = &n;
  }
}

void graph_window::draw_actors() const {
  for (std::size_t n = 0; n < node_names().size(); ++n) {
    const auto [x, y] = spot_of(node_names()[n]);
    const bool is_on_way = is_in(shown_.last, static_cast<node>(n));
    const Fl_Color colour = is_on_way ? fl_rgb_color(196, 235, 196) : FL_LIGHT2;
    fl_draw_box(FL_ROUNDED_BOX, x - actor_width / 2, y - actor_height / 2, actor_width, actor_height, colour);
    fl_color(FL_BLACK);
    fl_font(FL_HELVETICA, 12);
    fl_draw(node_names()[n].c_str(), x - actor_width / 2, y - 14, actor_width, 14, FL_ALIGN_CENTER);
    fl_color(FL_DARK3);
    fl_font(FL_HELVETICA, 11);
    fl_draw(std::to_string(shown_.messages[n]).c_str(), x - actor_width / 2, y, actor_width, 12, FL_ALIGN_CENTER);
  }
}

void graph_window::draw_newest() const {
  fl_font(FL_HELVETICA, 12);
  int y = 396;
  for (const std::string& line : shown_.newest) {
    const bool is_last = &line == &shown_.newest.back();
    fl_color(is_last ? FL_DARK_GREEN : FL_BLACK);
    fl_draw(line.c_str(), 12, y);
    y += 16;
  }
}

void graph_window::draw() {
  Fl_Double_Window::draw();
  draw_connections();
  draw_actors();
  draw_newest();
}

}  // namespace router
