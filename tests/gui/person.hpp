// A person at the windows of a program that uses FLTK, in the program's own process: the input comes from the X server,
// as all input does, and what is read is read from the widgets and from the screen.
#pragma once

#include <FL/Fl.H>
#include <FL/Fl_Window.H>

#include <chrono>
#include <functional>
#include <memory>
#include <string>
#include <utility>
#include <vector>

#include "gui/display.hpp"

namespace tact::gui_tests {

class person {
 public:
  person() = default;
  person(const person&) = delete;
  person& operator=(const person&) = delete;
  ~person() {
    for (const auto& w : watches_) Fl::remove_timeout(&look, w.get());
  }

  // The middle of a widget that is on the screen, or so far right of and below its upper left corner.
  void click(const Fl_Widget& w) { click(w, w.w() / 2, w.h() / 2); }
  void click(const Fl_Widget& w, int right, int below, unsigned button = 1) {
    move(w, right, below);
    hands_.press(button);
    hands_.release(button);
  }
  void move(const Fl_Widget& w, int right, int below) { hands_.move(left_of(w) + right, top_of(w) + below); }
  void drag(const Fl_Widget& w, int from_right, int from_below, int to_right, int to_below) {
    move(w, from_right, from_below);
    hands_.press();
    move(w, (from_right + to_right) / 2, (from_below + to_below) / 2);
    move(w, to_right, to_below);
    hands_.release();
  }
  void type(const std::string& text) { hands_.type(text); }
  void key(special k) { hands_.key(k); }
  // In place of what a field of text has.
  void fill(const Fl_Widget& field, const std::string& text) {
    click(field);
    hands_.chord('a');
    hands_.key(special::erase);
    hands_.type(text);
  }
  // By the window manager's button.
  void close(const Fl_Window& w) { hands_.close(w.x_root() + w.w() / 2, w.y_root() + w.h() / 2); }
  display& hands() noexcept { return hands_; }

  // The window is on the screen, and all that was to be drawn is.
  static void see(Fl_Window& w) {
    w.show();
    rest();
  }
  // Lets the program go on until nothing happens for a while, and the server has done what it was asked for.
  static void rest(std::chrono::duration<double> time = std::chrono::milliseconds(100)) {
    const auto end = std::chrono::steady_clock::now() + time;
    for (auto left = time; left.count() > 0; left = end - std::chrono::steady_clock::now()) Fl::wait(left.count());
    int x = 0, y = 0;
    Fl::get_mouse(x, y);  // the server answers behind all else
  }
  // Lets the program go on until then; false: it took longer than a minute. Looks often: actors of the loop run at the
  // beginning of Fl::wait, which sleeps behind that.
  template <class Over>
  [[nodiscard]] static bool waits_until(Over over) {
    const auto end = std::chrono::steady_clock::now() + std::chrono::minutes(1);
    while (!over()) {
      if (std::chrono::steady_clock::now() > end) return false;
      Fl::wait(0.01);
    }
    return true;
  }
  // Acts when that holds, wherever the program waits for events then: in a menu that is open, for one.
  void acts_when(std::function<bool()> holds, std::function<void()> act) {
    watches_.push_back(std::make_unique<watch>(watch{std::move(holds), std::move(act)}));
    look(watches_.back().get());
  }
  // What is seen of the window, as docs/pictures/NAME.png, when the environment variable TACT_PICTURES names the
  // folder.
  void take_picture(const Fl_Window& w, const std::string& name) {
    rest();
    hands_.take_picture(w.x_root(), w.y_root(), w.w(), w.h(), name);
  }

 private:
  struct watch {
    std::function<bool()> holds;
    std::function<void()> act;
  };
  static void look(void* w) {
    const auto& looks = *static_cast<const watch*>(w);
    if (looks.holds()) return looks.act();
    Fl::add_timeout(0.01, &look, w);
  }

  static int left_of(const Fl_Widget& w) { return w.window() == nullptr ? w.x() : w.x() + w.window()->x_root(); }
  static int top_of(const Fl_Widget& w) { return w.window() == nullptr ? w.y() : w.y() + w.window()->y_root(); }

  display hands_;
  std::vector<std::unique_ptr<watch>> watches_;
};

}  // namespace tact::gui_tests
