// A program that loses its display, or is closed, while it works: ended_program STATE FILE. See ended_test.py.
#include <FL/Fl_Box.H>
#include <FL/Fl_Window.H>
#include <FL/fl_draw.H>

#include <chrono>
#include <cstdio>
#include <fstream>
#include <iostream>
#include <memory>
#include <string>

#include <tact/gui/fltk.hpp>
#include <tact/tact.hpp>

namespace {

struct line {
  std::string text;
};
struct record : tact::protocol<line> {};

// A file that says at its end that it was closed.
class closed_file {
 public:
  explicit closed_file(const std::string& path) : out_(path) {}
  closed_file(const closed_file&) = delete;
  closed_file& operator=(const closed_file&) = delete;
  ~closed_file() { out_ << "closed\n"; }

  void write(const std::string& text) { out_ << text << '\n'; }

 private:
  std::ofstream out_;
};

tact::behavior<record> write_lines(const std::shared_ptr<closed_file>& file) {
  return {[=](auto&, const line& m) { file->write(m.text); }};
}

struct number {
  int value;
};
struct view : tact::protocol<number> {};
struct go {};
struct worker : tact::protocol<go> {};

// Works for ever, and tells of each step.
tact::behavior<worker> work(tact::ref<view> shown, tact::ref<record> recorded, int step = 0) {
  return {[=](auto& self, const go& m) {
    self.send(shown, number{step});
    if (step % 1000 == 0) self.send(recorded, line{"step"});
    self.become(work(shown, recorded, step + 1));
    self.send(self.ref(), m);
  }};
}

// Has the program run: once, and in a handler of the window's thread.
void tell_that_it_runs() {
  static bool told = false;
  if (!told) std::cout << "runs" << std::endl;
  told = true;
}

// Until the display is lost, which is noticed here and nowhere else.
void draw_until_lost(Fl_Window& window) {
  window.make_current();
  while (!tact::gui::has_lost_display()) {
    for (int i = 0; i < 1000; ++i) {
      fl_color(i % 2 == 0 ? FL_RED : FL_GREEN);
      fl_line(0, 0, i % window.w(), i % window.h());
    }
  }
  for (int i = 0; i < 100'000; ++i) fl_rectf(i % window.w(), 0, 10, 10, FL_BLUE);  // more than Xlib has room for
}

// When the input has ended, behind the end of the display: that is noticed when FLTK draws the box.
void redraw_when_told(Fl_Box& box) {
  while (std::cin.get() != EOF) {
  }
  box.redraw();
}

int use_window(tact::engine& engine, tact::scope& busy, const std::string& state, tact::ref<record> recorded) {
  Fl_Window window(200, 100, "ended");
  Fl_Box box(10, 10, 180, 80);
  window.end();
  tact::gui::fltk_loop loop(engine);
  const auto shown = loop.shows<view>(box, [&](Fl_Box& b, const number& m) {
    tell_that_it_runs();
    b.copy_label(std::to_string(m.value).c_str());
    if (state == "drawing") draw_until_lost(window);
    if (state == "redrawing") redraw_when_told(b);
    if (state == "closed" && m.value > 1000) window.hide();
  });
  window.show();
  recorded | line{"begun"};
  static_cast<void>(engine.send_after(std::chrono::milliseconds(200), shown, number{0}));  // while the loop waits
  if (state == "busy" || state == "closed") {
    for (int i = 0; i < 4; ++i) busy.create(work(shown, recorded)) | go{};
  }
  const int status = loop.run();
  if (!tact::gui::has_lost_display()) return status;
  window.show();  // a dialog, say
  while (window.shown()) Fl::wait();
  return status;
}

}  // namespace

int main(int argc, char** argv) {
  if (argc != 3) return 2;
  if (!tact::gui::has_display()) return 1;
  tact::engine engine({.workers = 2});
  const auto recorded = engine.create(write_lines(std::make_shared<closed_file>(argv[2])), tact::blocking);
  tact::scope busy(engine);
  const int status = use_window(engine, busy, argv[1], recorded);
  std::cout << "behind the loop" << std::endl;
  return status;
}
