// Counter: a field that shows how often a button was pressed. The count is the state of an actor that runs on a worker.
#pragma once

#include <FL/Fl_Button.H>
#include <FL/Fl_Output.H>
#include <FL/Fl_Window.H>

#include <string>

#include <tact/gui/fltk.hpp>
#include <tact/tact.hpp>

namespace seven {

class counter_window : public Fl_Window {
 public:
  counter_window(tact::engine& engine, tact::gui::fltk_loop& loop) : Fl_Window(220, 50, "Counter") {
    end();
    const auto shown =
        loop.shows<display>(field, [](Fl_Output& f, const count& m) { f.value(std::to_string(m.value).c_str()); });
    loop.sends(
        button, [](Fl_Button&) { return press{}; }, engine.create(counted(shown, 0)));
    field.value("0");
  }

  Fl_Output field{10, 10, 90, 30};
  Fl_Button button{120, 10, 90, 30, "Count"};

 private:
  struct press {};
  struct counter : tact::protocol<press> {};
  struct count {
    int value;
  };
  struct display : tact::protocol<count> {};

  static tact::behavior<counter> counted(tact::ref<display> shown, int presses) {
    return {[=](auto& self, const press&) {
      self.send(shown, count{presses + 1});
      self.become(counted(shown, presses + 1));
    }};
  }
};

}  // namespace seven
