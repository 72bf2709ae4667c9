// Circle drawer: a left click places a circle, a right click on one offers to adjust its diameter; with undo and redo.
#pragma once

#include <FL/Fl.H>
#include <FL/Fl_Box.H>
#include <FL/Fl_Button.H>
#include <FL/Fl_Double_Window.H>
#include <FL/Fl_Hor_Value_Slider.H>
#include <FL/Fl_Menu_Button.H>
#include <FL/Fl_Widget.H>
#include <FL/fl_draw.H>

#include <cstddef>
#include <optional>
#include <string>
#include <utility>

#include <tact/gui/fltk.hpp>
#include <tact/tact.hpp>

#include "drawing.hpp"
#include "widget.hpp"

namespace seven {

// Shows the circles, and which of them the pointer is on. Its callback is a left click.
class canvas : public Fl_Widget {
 public:
  canvas(int x, int y, int w, int h, Fl_Menu_Button& menu) : Fl_Widget(x, y, w, h), menu_(menu) {
    box(FL_DOWN_BOX);
    color(FL_WHITE);
  }

  using Fl_Widget::show;
  void show(const circles::picture& m) {
    shown_ = m;
    look();
    redraw();
  }
  [[nodiscard]] const circles::picture& shown() const { return shown_; }
  // Under the pointer.
  [[nodiscard]] std::optional<std::size_t> hovered() const { return hovered_; }
  // Under the pointer when the menu was opened, which leads the pointer away.
  [[nodiscard]] std::size_t chosen() const { return chosen_; }
  [[nodiscard]] std::optional<circles::point> pointer() const { return pointer_; }

  int handle(int event) override {
    switch (event) {
      case FL_ENTER:
      case FL_MOVE:
      case FL_DRAG:
      case FL_PUSH:
        pointer_ = {Fl::event_x() - x(), Fl::event_y() - y()};
        look();
        if (event == FL_PUSH) press();
        return 1;
      case FL_LEAVE:
        pointer_.reset();
        look();
        return 1;
      default:
        return Fl_Widget::handle(event);
    }
  }

 protected:
  void draw() override {
    draw_box();
    fl_push_clip(x() + Fl::box_dx(box()), y() + Fl::box_dy(box()), w() - Fl::box_dw(box()), h() - Fl::box_dh(box()));
    for (std::size_t i = 0; i < shown_.circles.size(); ++i) {
      const auto& [center, diameter] = shown_.circles[i];
      const int left = x() + center.x - diameter / 2, top = y() + center.y - diameter / 2;
      if (i == hovered_ || i == shown_.adjusted) {
        fl_color(FL_GRAY);
        fl_pie(left, top, diameter, diameter, 0, 360);
      }
      fl_color(FL_BLACK);
      fl_arc(left, top, diameter, diameter, 0, 360);
    }
    fl_pop_clip();
  }

 private:
  void look() {
    const auto now = pointer_ ? circles::circle_at(shown_.circles, *pointer_) : std::nullopt;
    if (now != std::exchange(hovered_, now)) redraw();
  }
  void press() {
    if (Fl::event_button() == FL_LEFT_MOUSE) do_callback();
    if (Fl::event_button() != FL_RIGHT_MOUSE || !hovered_) return;
    chosen_ = *hovered_;
    menu_.popup();
  }

  Fl_Menu_Button& menu_;
  circles::picture shown_{};
  std::optional<circles::point> pointer_;
  std::optional<std::size_t> hovered_;
  std::size_t chosen_ = 0;
};

// Beside the main window, which it does not block. Its callback is that it is to be closed, in whatever way.
class diameter_dialog : public Fl_Double_Window {
 public:
  diameter_dialog() : Fl_Double_Window(320, 116, "Adjust diameter") {
    end();
    box(FL_UP_BOX);
    set_non_modal();
    text.align(FL_ALIGN_LEFT | FL_ALIGN_INSIDE);
    slider.bounds(circles::diameter_min, circles::diameter_max);
    slider.step(1);
  }

  using Fl_Double_Window::show;
  void show(const Fl_Window& main, std::size_t n, const circles::circle& c) {
    if (shown() && n == number) return;  // the circle follows the slider, not the slider the circle
    number = n;
    const std::string where = std::to_string(c.center.x) + ", " + std::to_string(c.center.y);
    text.copy_label(("Diameter of the circle at (" + where + ")").c_str());
    slider.value(c.diameter);
    position(main.x_root() + 10, main.y_root() + main.h() - h() - 10);
    show();
  }

  Fl_Box text{10, 10, 300, 24};
  Fl_Hor_Value_Slider slider{10, 40, 300, 24};
  Fl_Button close{230, 76, 80, 28, "Close"};
  std::size_t number = 0;  // of the circle
};

class circles_window : public Fl_Double_Window {
 public:
  circles_window(tact::engine& engine, tact::gui::fltk_loop& loop) : Fl_Double_Window(560, 400, "Circle drawer") {
    end();
    resizable(area);
    menu.type(Fl_Menu_Button::POPUP3);
    menu.add("Adjust diameter..");
    const auto view =
        loop.shows<circles::drawing_view>(*this, [](circles_window& w, const circles::picture& m) { w.show(m); });
    const auto drawing = engine.create(circles::empty_drawing(view));
    loop.sends(
        area, [](canvas& c) { return circles::place{*c.pointer()}; }, drawing);
    loop.sends(
        menu, [this](Fl_Menu_Button&) { return circles::begin_adjusting{area.chosen()}; }, drawing);
    loop.sends(
        dialog.slider,
        [this](Fl_Slider& s) {
          return circles::adjust{dialog.number, static_cast<int>(s.value())};
        },
        drawing);
    const auto closes = [this](Fl_Widget&) { return circles::end_adjusting{dialog.number}; };
    loop.sends(dialog, closes, drawing);
    loop.sends(dialog.close, closes, drawing);
    loop.sends(
        undo, [](Fl_Button&) { return circles::undo{}; }, drawing);
    loop.sends(
        redo, [](Fl_Button&) { return circles::redo{}; }, drawing);
    show(circles::picture{});
  }
  // FLTK's event loop ends with the last window.
  void hide() override {
    dialog.hide();
    Fl_Double_Window::hide();
  }

  using Fl_Double_Window::show;
  void show(const circles::picture& m) {
    area.show(m);
    enable(undo, m.can_undo);
    enable(redo, m.can_redo);
    if (m.adjusted && shown()) return dialog.show(*this, *m.adjusted, m.circles[*m.adjusted]);
    dialog.hide();
  }

  Fl_Button undo{190, 10, 80, 28, "Undo"};
  Fl_Button redo{290, 10, 80, 28, "Redo"};
  Fl_Menu_Button menu{0, 0, 0, 0};  // has no place of its own: it opens where the pointer is
  canvas area{10, 48, 540, 342, menu};
  diameter_dialog dialog;  // the last, as FLTK adds widgets to the window that was made last
};

}  // namespace seven
