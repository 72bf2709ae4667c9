#include "paint_window.hpp"

#include <FL/Fl.H>
#include <FL/fl_draw.H>

#include <algorithm>
#include <array>
#include <chrono>
#include <cstddef>
#include <cstdlib>
#include <memory>
#include <string>
#include <utility>

#include "layout.hpp"

namespace router {
namespace {

Fl_Color colour_of(int colour) {
  static const std::array<Fl_Color, colours> all = {FL_BLACK,
                                                    fl_rgb_color(220, 20, 60),
                                                    fl_rgb_color(255, 140, 0),
                                                    fl_rgb_color(0, 128, 0),
                                                    fl_rgb_color(30, 144, 255),
                                                    fl_rgb_color(128, 0, 128)};
  return all[static_cast<std::size_t>(colour)];
}

unsigned modifiers_now() {
  unsigned m = 0;
  if (Fl::event_state(FL_SHIFT) != 0) m |= shift;
  if (Fl::event_state(FL_CTRL) != 0) m |= control;
  if (Fl::event_state(FL_ALT) != 0) m |= alt;
  return m;
}

std::string key_now() {
  static constexpr std::pair<int, const char*> named[] = {
      {FL_Escape, "Escape"}, {FL_BackSpace, "BackSpace"}, {FL_Enter, "Enter"}, {FL_Tab, "Tab"},  {FL_Delete, "Delete"},
      {FL_Left, "Left"},     {FL_Right, "Right"},         {FL_Up, "Up"},       {FL_Down, "Down"}};
  const int key = Fl::event_key();
  for (const auto& [code, name] : named) {
    if (code == key) return name;
  }
  const bool is_letter = key > ' ' && key < 127;
  if (Fl::event_state(FL_CTRL | FL_ALT) != 0 && is_letter) return {static_cast<char>(key)};
  const std::string text(Fl::event_text(), static_cast<std::size_t>(Fl::event_length()));
  return text.empty() ? "key " + std::to_string(key) : text;
}

// They are part of the events that come with them.
bool is_modifier(int key) { return key >= FL_Shift_L && key <= FL_Alt_R; }

void draw_shape(const shape& s) {
  fl_color(colour_of(s.colour));
  fl_line_style(FL_SOLID | FL_CAP_ROUND | FL_JOIN_ROUND, s.width);
  point first{};
  bool is_first = true;
  const bool is_line = s.kind == shape_kind::line;
  if (is_line) fl_begin_line();
  s.points.for_each([&](point p) {
    if (std::exchange(is_first, false)) first = p;
    if (is_line) fl_vertex(p.x, p.y);
  });
  const point last = s.points.back();
  const int x = std::min(first.x, last.x), y = std::min(first.y, last.y);
  const int w = std::abs(last.x - first.x), h = std::abs(last.y - first.y);
  if (is_line) fl_end_line();
  if (s.kind == shape_kind::box) fl_rect(x, y, w, h);
  if (s.kind == shape_kind::oval) fl_arc(x, y, w, h, 0, 360);
  fl_line_style(0);
  fl_font(FL_HELVETICA, 14);
  if (s.kind == shape_kind::text) fl_draw(s.text.c_str(), first.x, first.y);
}

void draw_selection(const shape& s) {
  point low = s.points.back(), high = low;
  s.points.for_each([&](point p) {
    low = {std::min(low.x, p.x), std::min(low.y, p.y)};
    high = {std::max(high.x, p.x), std::max(high.y, p.y)};
  });
  fl_color(FL_DARK3);
  fl_line_style(FL_DASH, 1);
  fl_rect(low.x - 6, low.y - 6, high.x - low.x + 12, high.y - low.y + 12);
  fl_line_style(0);
}

}  // namespace

paint_window::paint_window(int width, int height) : Fl_Double_Window(width, height, "Router") {
  end();
  size_range(480, 200);
}

void paint_window::show_page(const frame& m) {
  shown_ = m;
  redraw();
}

void paint_window::show_notice(const notice& m) {
  if (m.text == notice_) return;
  notice_ = m.text;
  redraw();
}

void paint_window::send(event e) {
  if (!to_) return;
  const auto since = std::chrono::steady_clock::now() - opened_;
  e.at_ms = std::chrono::duration_cast<std::chrono::milliseconds>(since).count();
  e.modifiers = modifiers_now();
  to_ | std::move(e);
}

void paint_window::send_pointer(event_kind kind, int amount) {
  send({.kind = kind, .x = Fl::event_x(), .y = Fl::event_y(), .amount = amount});
}

int paint_window::handle(int what) {
  switch (what) {
    case FL_PUSH:
      Fl::focus(this);
      send_pointer(event_kind::press, Fl::event_button());
      return 1;
    case FL_RELEASE:
      send_pointer(event_kind::release, Fl::event_button());
      return 1;
    case FL_MOVE:
    case FL_DRAG:
      send_pointer(event_kind::move);
      return 1;
    case FL_MOUSEWHEEL:
      send_pointer(event_kind::wheel, Fl::event_dy());
      return 1;
    case FL_KEYBOARD:
      if (is_modifier(Fl::event_key())) return 1;
      send({.kind = event_kind::key, .text = key_now()});
      return 1;
    case FL_FOCUS:
      send({.kind = event_kind::focus});
      return 1;
    case FL_UNFOCUS:
      send({.kind = event_kind::unfocus});
      return 1;
    case FL_DND_ENTER:
      Fl::belowmouse(this);  // or FLTK would not know where to release
      return 1;
    case FL_ENTER:
    case FL_LEAVE:
    case FL_DND_DRAG:
    case FL_DND_LEAVE:
    case FL_DND_RELEASE:
      return 1;
    case FL_PASTE:
      send({.kind = event_kind::drop,
            .x = Fl::event_x(),
            .y = Fl::event_y(),
            .text = std::string(Fl::event_text(), static_cast<std::size_t>(Fl::event_length()))});
      return 1;
    default:
      return Fl_Double_Window::handle(what);
  }
}

void paint_window::resize(int x, int y, int w, int h) {
  const bool is_other_size = w != this->w() || h != this->h();
  Fl_Double_Window::resize(x, y, w, h);
  if (is_other_size) send({.kind = event_kind::resize, .x = w, .y = h});
}

void paint_window::draw_button(const std::string& name, int x, int y, int w, int h) const {
  static constexpr std::array<const char*, 4> tools = {"pen", "box", "oval", "select"};
  const router::page& p = *shown_.page;
  const bool is_chosen = name == tools[static_cast<std::size_t>(p.tool)];
  const bool is_off = (name == "undo" && p.history->past.empty()) || (name == "redo" && p.history->future.empty());
  fl_draw_box(is_chosen ? FL_DOWN_BOX : FL_UP_BOX, x, y, w, h, is_chosen ? FL_LIGHT2 : FL_BACKGROUND_COLOR);
  fl_color(is_off ? fl_inactive(FL_FOREGROUND_COLOR) : FL_FOREGROUND_COLOR);
  fl_font(FL_HELVETICA, 14);
  fl_draw(name.c_str(), x, y, w, h, FL_ALIGN_CENTER);
}

void paint_window::draw_views() const {
  const router::page& p = *shown_.page;
  for (const view_place& v : layout_of(w(), h())) {
    const auto [x, y, width, height] = v.area;
    if (v.name == "canvas") {
      fl_rectf(x, y, width, height, FL_WHITE);
    } else if (v.name == "caption") {
      fl_draw_box(FL_THIN_DOWN_BOX, x, y, width, height, FL_LIGHT2);
      fl_color(p.picture->caption.empty() ? FL_DARK3 : FL_FOREGROUND_COLOR);
      fl_font(FL_HELVETICA, 14);
      const std::string caption = p.picture->caption.empty() ? "Click here and type a caption" : p.picture->caption;
      fl_draw(caption.c_str(), x + 8, y, width - 16, height, FL_ALIGN_LEFT);
      const std::string right =
          notice_.empty() ? std::to_string(p.pointer.x) + ", " + std::to_string(p.pointer.y) : notice_;
      fl_color(notice_.empty() ? FL_DARK3 : FL_RED);
      fl_draw(right.c_str(), x + 8, y, width - 16, height, FL_ALIGN_RIGHT);
    } else if (v.name != "window" && v.name != "toolbar") {
      draw_button(v.name, x, y, width, height);
    }
  }
}

void paint_window::draw() {
  Fl_Double_Window::draw();
  draw_views();
  const layout places = layout_of(w(), h());
  const rectangle& canvas = places[index_of(places, "canvas")].area;
  fl_push_clip(canvas.x, canvas.y, canvas.w, canvas.h);
  const router::page& p = *shown_.page;
  const auto& shapes = p.picture->shapes;
  for (std::size_t at = 0; at < shapes.size(); ++at) {
    if (!p.draft || p.draft->moves != at) draw_shape(*shapes[at]);
  }
  if (p.draft) draw_shape(p.draft->shape);
  if (!p.draft && p.selected && *p.selected < shapes.size()) draw_selection(*shapes[*p.selected]);
  fl_pop_clip();
}

}  // namespace router
