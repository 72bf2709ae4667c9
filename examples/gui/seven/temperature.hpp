// Temperature converter: a number that is typed into one field appears in the other one, in the other scale. An actor
// on a worker converts.
#pragma once

#include <FL/Fl_Input.H>
#include <FL/Fl_Window.H>

#include <charconv>
#include <cmath>
#include <cstdio>
#include <optional>
#include <string>
#include <string_view>
#include <system_error>

#include <tact/gui/fltk.hpp>
#include <tact/tact.hpp>

#include "widget.hpp"

namespace seven::temperature {

enum class scale { celsius, fahrenheit };

// All of the text is one number, but for blanks around it.
inline std::optional<double> read_number(std::string_view text) {
  while (text.starts_with(' ')) text.remove_prefix(1);
  while (text.ends_with(' ')) text.remove_suffix(1);
  double number = 0;
  const auto [end, problem] = std::from_chars(text.data(), text.data() + text.size(), number);
  const bool is_number = problem == std::errc() && end == text.data() + text.size();
  return is_number ? std::optional(number) : std::nullopt;
}

// What the other field shows; nothing for a text that is no number, or one that the other scale cannot say.
inline std::optional<std::string> in_other_scale(scale from, std::string_view text) {
  const std::optional<double> degrees = read_number(text);
  if (!degrees) return std::nullopt;
  const double other = from == scale::celsius ? *degrees * 9 / 5 + 32 : (*degrees - 32) * 5 / 9;
  if (!std::isfinite(other)) return std::nullopt;
  char digits[32];
  std::snprintf(digits, sizeof digits, "%.7g", other + 0.0);  // which makes 0 of -0
  return digits;
}

struct typed {
  int edit;  // its number
  scale in;
  std::string text;
};
struct converter : tact::protocol<typed> {};

struct converted {
  int edit;  // of the text that this answers
  scale from;
  std::optional<std::string> other;
};
struct display : tact::protocol<converted> {};

inline tact::behavior<converter> convert(tact::ref<display> shown) {
  return {[shown](auto& self, const typed& m) {
    self.send(shown, converted{m.edit, m.in, in_other_scale(m.in, m.text)});
  }};
}

}  // namespace seven::temperature

namespace seven {

class temperature_window : public Fl_Window {
 public:
  temperature_window(tact::engine& engine, tact::gui::fltk_loop& loop) : Fl_Window(430, 50, "Temperature converter") {
    end();
    const auto shown = loop.shows<temperature::display>(
        *this, [](temperature_window& w, const temperature::converted& m) { w.show(m); });
    const auto converter = engine.create(temperature::convert(shown));
    for (Fl_Input* const field : {&celsius, &fahrenheit}) {
      const auto in = field == &celsius ? temperature::scale::celsius : temperature::scale::fahrenheit;
      field->align(FL_ALIGN_RIGHT);
      field->when(FL_WHEN_CHANGED);
      loop.sends(
          *field,
          [this, in](Fl_Input& f) {
            return temperature::typed{++edits_, in, f.value()};
          },
          converter);
    }
  }

  using Fl_Window::show;
  // An answer to an older text than the newest writes into no field: the person may be typing there by now.
  void show(const temperature::converted& m) {
    const bool from_celsius = m.from == temperature::scale::celsius;
    mark(from_celsius ? celsius : fahrenheit, !m.other);
    if (!m.other || m.edit != edits_) return;
    Fl_Input& other = from_celsius ? fahrenheit : celsius;
    other.value(m.other->c_str());
    mark(other, false);
  }

  Fl_Input celsius{10, 10, 110, 30, "Celsius  ="};
  Fl_Input fahrenheit{215, 10, 110, 30, "Fahrenheit"};

 private:
  int edits_ = 0;
};

}  // namespace seven
