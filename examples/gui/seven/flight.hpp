// Flight booker: what is filled in is judged by an actor on a worker, which also books.
#pragma once

#include <FL/Fl_Box.H>
#include <FL/Fl_Button.H>
#include <FL/Fl_Choice.H>
#include <FL/Fl_Input.H>
#include <FL/Fl_Window.H>

#include <algorithm>
#include <chrono>
#include <optional>
#include <string>
#include <string_view>

#include <tact/gui/fltk.hpp>
#include <tact/tact.hpp>

#include "widget.hpp"

namespace seven::flight {

// dd.mm.yyyy, of a day that there is.
inline std::optional<std::chrono::year_month_day> read_date(std::string_view text) {
  static constexpr std::string_view form = "00.00.0000";
  const bool is_well_formed = std::equal(text.begin(), text.end(), form.begin(), form.end(), [](char c, char like) {
    return like == '0' ? c >= '0' && c <= '9' : c == like;
  });
  if (!is_well_formed) return std::nullopt;
  const auto number = [&](std::size_t from, std::size_t digits) {
    return std::stoi(std::string(text.substr(from, digits)));
  };
  const std::chrono::year_month_day date{std::chrono::year(number(6, 4)), std::chrono::month(number(3, 2)),
                                         std::chrono::day(number(0, 2))};
  return date.ok() ? std::optional(date) : std::nullopt;
}

// As a person has filled it in.
struct form {
  bool with_return = false;
  std::string departure_date{};
  std::string return_date{};
};
struct book {};
struct desk : tact::protocol<form, book> {};

struct verdict {
  bool with_return = false;
  bool bad_departure = false;
  bool bad_return = false;
  bool bookable = false;
  std::string notice{};  // what is wrong, or what was booked
};
struct display : tact::protocol<verdict> {};

inline verdict judge(const form& f) {
  const auto departure = read_date(f.departure_date);
  const auto homecoming = f.with_return ? read_date(f.return_date) : departure;
  verdict v{.with_return = f.with_return, .bad_departure = !departure, .bad_return = f.with_return && !homecoming};
  if (v.bad_departure) {
    v.notice = "The departure is no day such as 27.03.2026.";
  } else if (v.bad_return) {
    v.notice = "The return is no day such as 27.03.2026.";
  } else if (*homecoming < *departure) {
    v.notice = "The return is before the departure.";
  }
  v.bookable = v.notice.empty();
  return v;
}

inline std::string confirmation(const form& f) {
  if (!f.with_return) return "Booked: a one-way flight on " + f.departure_date + ".";
  return "Booked: a flight on " + f.departure_date + ", back on " + f.return_date + ".";
}

// Books what was filled in last, if that can be booked; else the person has been told already why it cannot.
inline tact::behavior<desk> desk_with(form filled_in, tact::ref<display> shown) {
  return {
      [shown](auto& self, const form& m) {
        self.send(shown, judge(m));
        self.become(desk_with(m, shown));
      },
      [filled_in, shown](auto& self, const book&) {
        verdict v = judge(filled_in);
        if (!v.bookable) return;
        v.notice = confirmation(filled_in);
        self.send(shown, std::move(v));
      },
  };
}

}  // namespace seven::flight

namespace seven {

class flight_window : public Fl_Window {
 public:
  flight_window(tact::engine& engine, tact::gui::fltk_loop& loop) : Fl_Window(400, 210, "Book a flight") {
    end();
    way.add("one-way flight|return flight");
    way.value(0);
    notice.align(FL_ALIGN_LEFT | FL_ALIGN_INSIDE);
    const auto shown =
        loop.shows<flight::display>(*this, [](flight_window& w, const flight::verdict& m) { w.show(m); });
    const auto desk = engine.create(flight::desk_with({}, shown));
    loop.sends(
        way, [this](Fl_Choice&) { return filled_in(); }, desk);
    for (Fl_Input* const date : {&departure_date, &return_date}) {
      date->value("27.03.2026");
      date->when(FL_WHEN_CHANGED);
      loop.sends(
          *date, [this](Fl_Input&) { return filled_in(); }, desk);
    }
    loop.sends(
        book, [](Fl_Button&) { return flight::book{}; }, desk);
    desk | filled_in();
  }

  using Fl_Window::show;
  void show(const flight::verdict& m) {
    mark(departure_date, m.bad_departure);
    mark(return_date, m.bad_return);
    enable(return_date, m.with_return);
    enable(book, m.bookable);
    notice.copy_label(m.notice.c_str());
  }

  Fl_Choice way{110, 10, 280, 30, "Flight"};
  Fl_Input departure_date{110, 50, 280, 30, "Departure"};
  Fl_Input return_date{110, 90, 280, 30, "Return"};
  Fl_Button book{110, 130, 280, 30, "Book"};
  Fl_Box notice{10, 170, 380, 30};

 private:
  [[nodiscard]] flight::form filled_in() const {
    return {way.value() == 1, departure_date.value(), return_date.value()};
  }
};

}  // namespace seven
