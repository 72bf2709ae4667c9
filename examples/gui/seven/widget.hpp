// What several windows do with a widget.
#pragma once

#include <FL/Enumerations.H>
#include <FL/Fl_Input.H>
#include <FL/Fl_Widget.H>

namespace seven {

inline void enable(Fl_Widget& w, bool enabled) {
  if (enabled) {
    w.activate();
  } else {
    w.deactivate();
  }
}

inline const Fl_Color bad_color = fl_rgb_color(255, 180, 180);

// A field is red while its text is bad.
inline void mark(Fl_Input& field, bool bad) {
  field.color(bad ? bad_color : FL_BACKGROUND2_COLOR);
  field.redraw();
}

}  // namespace seven
