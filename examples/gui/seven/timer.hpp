// Timer: a gauge of the time since a reset, until that is as long as a slider says. An actor on a worker keeps the
// time.
//
// No handler reads a clock. Each message says of which moment it is: that of a person when the person acted, a tick
// when it was due. So what is shown depends on the times alone, not on when a worker comes to a message: late ticks
// lose no time, and in a simulation all of it runs in virtual time.
#pragma once

#include <FL/Fl_Box.H>
#include <FL/Fl_Button.H>
#include <FL/Fl_Hor_Nice_Slider.H>
#include <FL/Fl_Progress.H>
#include <FL/Fl_Window.H>

#include <algorithm>
#include <chrono>
#include <cstdio>
#include <utility>

#include <tact/gui/fltk.hpp>
#include <tact/tact.hpp>

namespace seven::timer {

using clock = std::chrono::steady_clock;
using moment = clock::time_point;

inline constexpr clock::duration tick_period = std::chrono::milliseconds(40);

struct reset {
  moment at;
};
struct set_duration {
  moment at;
  clock::duration duration;
};
struct tick {
  moment at;
};
struct stopwatch : tact::protocol<reset, set_duration, tick, tact::ended> {};

struct reading {
  clock::duration elapsed;
  clock::duration duration;
};
struct display : tact::protocol<reading> {};

// What it is at a moment.
struct stopwatch_state {
  tact::ref<display> shown;
  clock::duration duration;
  clock::duration elapsed = duration;  // so it stands until the first reset
  moment at{};
  moment next_tick{};
  tact::timer next{};

  [[nodiscard]] bool runs() const { return elapsed < duration; }
};

// The same at a later moment. An earlier one may come behind it, from another sender: time does not go back then.
inline stopwatch_state later(stopwatch_state s, moment at) {
  if (at <= s.at) return s;
  if (s.runs()) s.elapsed = std::min(s.elapsed + (at - s.at), s.duration);
  s.at = at;
  return s;
}

inline tact::behavior<stopwatch> stopwatch_with(stopwatch_state s);

// Shows what it is now. One tick is on its way while it runs, and none while it stands.
inline void go_on(tact::self<stopwatch>& self, stopwatch_state s) {
  self.send(s.shown, reading{s.elapsed, s.duration});
  s.next.cancel();
  if (s.runs()) {
    s.next_tick = s.at + std::min(tick_period, s.duration - s.elapsed);
    s.next = self.send_at(s.next_tick, self.ref(), tick{s.next_tick});
  }
  self.become(stopwatch_with(std::move(s)));
}

inline tact::behavior<stopwatch> stopwatch_with(stopwatch_state s) {
  return {
      [s](tact::self<stopwatch>& self, const reset& m) {
        stopwatch_state next = s;
        next.at = m.at;
        next.elapsed = {};
        go_on(self, std::move(next));
      },
      [s](tact::self<stopwatch>& self, const set_duration& m) {
        stopwatch_state next = later(s, m.at);
        next.duration = m.duration;
        go_on(self, std::move(next));
      },
      [s](tact::self<stopwatch>& self, const tick& m) {
        if (m.at == s.next_tick) go_on(self, later(s, m.at));  // else it had left when it was cancelled
      },
      // What shows it has gone.
      [s](tact::self<stopwatch>& self, const tact::ended&) {
        s.next.cancel();
        self.stop();
      },
  };
}

}  // namespace seven::timer

namespace seven {

class timer_window : public Fl_Window {
 public:
  timer_window(tact::engine& engine, tact::gui::fltk_loop& loop) : Fl_Window(400, 170, "Timer") {
    end();
    gauge.maximum(1);
    gauge.selection_color(FL_DARK_BLUE);
    gauge.align(FL_ALIGN_LEFT);
    text.align(FL_ALIGN_LEFT | FL_ALIGN_INSIDE);
    duration.align(FL_ALIGN_LEFT);
    duration.bounds(0.1, 30);
    duration.step(0.1);
    duration.value(15);
    const auto shown = loop.shows<timer::display>(*this, [](timer_window& w, const timer::reading& m) { w.show(m); });
    const auto watch = engine.create(timer::stopwatch_with({shown, chosen_duration()}));
    engine.monitor(shown, tact::ref<tact::ended>(watch));
    loop.sends(
        duration,
        [this](Fl_Slider&) {
          return timer::set_duration{timer::clock::now(), chosen_duration()};
        },
        watch);
    loop.sends(
        reset, [](Fl_Button&) { return timer::reset{timer::clock::now()}; }, watch);
    watch | timer::reset{timer::clock::now()};
  }

  using Fl_Window::show;
  void show(const timer::reading& m) {
    const auto elapsed = std::chrono::duration<double>(m.elapsed).count();
    const auto all = std::chrono::duration<double>(m.duration).count();
    gauge.value(static_cast<float>(std::min(elapsed / all, 1.0)));
    char digits[64];
    std::snprintf(digits, sizeof digits, "%.1f s of %.1f s", elapsed, all);
    text.copy_label(digits);
  }

  Fl_Progress gauge{100, 15, 285, 25, "Elapsed"};
  Fl_Box text{100, 45, 285, 25};
  Fl_Hor_Nice_Slider duration{100, 80, 285, 25, "Duration"};
  Fl_Button reset{100, 125, 285, 30, "Reset"};

 private:
  [[nodiscard]] timer::clock::duration chosen_duration() const {
    return std::chrono::round<timer::clock::duration>(std::chrono::duration<double>(duration.value()));
  }
};

}  // namespace seven
