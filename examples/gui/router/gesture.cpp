#include "gesture.hpp"

#include <array>
#include <chrono>
#include <cstddef>
#include <cstdlib>
#include <string>
#include <string_view>
#include <utility>

namespace router {
namespace {

constexpr std::array<std::string_view, 13> names = {"none",       "hover", "click",    "double click", "long press",
                                                    "drag begin", "drag",  "drag end", "quick drag",   "wheel",
                                                    "drop",       "text",  "chord"};

struct site {
  std::string view;
  node me;
  tact::ref<gesture> to;
};
using this_actor = tact::self<recogniser>;

void tell(this_actor& self, const site& s, const input& m, gesture_kind kind, const event& from) {
  self.send(s.to, gesture{kind, s.view, m.what, from.x, from.y, m.way.then(s.me)});
}
void tell(this_actor& self, const site& s, const input& m, gesture_kind kind) { tell(self, s, m, kind, *m.what); }

bool is_near(const event& a, const event& b) noexcept {
  return std::abs(a.x - b.x) <= drag_pixels && std::abs(a.y - b.y) <= drag_pixels;
}
bool is_left(const event& e, event_kind kind) noexcept { return e.kind == kind && e.amount == 1; }

// The states in which a pointer of a view can be.
tact::behavior<recogniser> at_rest(site s);
tact::behavior<recogniser> pressed(site s, event_ptr press, gesture_kind if_released, tact::timer wake);
tact::behavior<recogniser> dragging(site s, event_ptr press);
tact::behavior<recogniser> clicked(site s, event_ptr release);
tact::behavior<recogniser> held(site s);

void begin_press(this_actor& self, const site& s, const input& m, gesture_kind if_released) {
  event wake{.kind = event_kind::timer, .at_ms = m.what->at_ms + long_press_ms, .text = s.view};
  wake.x = m.what->x;
  wake.y = m.what->y;
  wake.about = m.what->number;
  const tact::timer set = self.send_after(std::chrono::milliseconds(long_press_ms), m.what->source, std::move(wake));
  tell(self, s, m, gesture_kind::none);
  self.become(pressed(s, m.what, if_released, set));
}

// While no button is pressed.
void go_on(this_actor& self, const site& s, const input& m, gesture_kind if_pressed) {
  const event& e = *m.what;
  if (is_left(e, event_kind::press)) return begin_press(self, s, m, if_pressed);
  if (e.kind == event_kind::move) return tell(self, s, m, gesture_kind::hover);
  if (e.kind == event_kind::wheel) return tell(self, s, m, gesture_kind::wheel);
  if (e.kind == event_kind::drop) return tell(self, s, m, gesture_kind::drop);
  tell(self, s, m, gesture_kind::none);
}

tact::behavior<recogniser> at_rest(site s) {
  return {[s](this_actor& self, const input& m) { go_on(self, s, m, gesture_kind::click); }};
}

// The timer may have fired already when it is cancelled; then its event is about a press that is over.
tact::behavior<recogniser> pressed(site s, event_ptr press, gesture_kind if_released, tact::timer wake) {
  return {[=](this_actor& self, const input& m) {
    const event& e = *m.what;
    if (e.kind == event_kind::move && !is_near(e, *press)) {
      wake.cancel();
      tell(self, s, m, gesture_kind::drag_begin, *press);
      return self.become(dragging(s, press));
    }
    if (e.kind == event_kind::timer && e.about == press->number) {
      tell(self, s, m, gesture_kind::long_press);
      return self.become(held(s));
    }
    if (!is_left(e, event_kind::release)) return tell(self, s, m, gesture_kind::none);
    wake.cancel();
    if (!is_near(e, *press)) {
      tell(self, s, m, gesture_kind::quick_drag, *press);
      return self.become(at_rest(s));
    }
    tell(self, s, m, if_released);
    self.become(if_released == gesture_kind::click ? clicked(s, m.what) : at_rest(s));
  }};
}

tact::behavior<recogniser> dragging(site s, event_ptr press) {
  return {[=](this_actor& self, const input& m) {
    if (m.what->kind == event_kind::move) return tell(self, s, m, gesture_kind::drag, *press);
    if (!is_left(*m.what, event_kind::release)) return tell(self, s, m, gesture_kind::none);
    tell(self, s, m, gesture_kind::drag_end, *press);
    self.become(at_rest(s));
  }};
}

// A press soon after, at the same place, makes a double click of the next release.
tact::behavior<recogniser> clicked(site s, event_ptr release) {
  return {[=](this_actor& self, const input& m) {
    const bool is_soon = m.what->at_ms - release->at_ms <= double_click_ms;
    const bool is_second = is_soon && is_near(*m.what, *release);
    go_on(self, s, m, is_second ? gesture_kind::double_click : gesture_kind::click);
  }};
}

// After a long press, until the button is released.
tact::behavior<recogniser> held(site s) {
  return {[s](this_actor& self, const input& m) {
    tell(self, s, m, gesture_kind::none);
    if (is_left(*m.what, event_kind::release)) self.become(at_rest(s));
  }};
}

}  // namespace

std::string_view name_of(gesture_kind k) noexcept { return names[static_cast<std::size_t>(k)]; }

tact::behavior<recogniser> pointer_gestures(const std::string& view, tact::ref<gesture> to) {
  return at_rest({view, node_of(view + " gestures"), to});
}

tact::behavior<recogniser> typing(const std::string& view, tact::ref<gesture> to) {
  const site s{view, node_of(view + " gestures"), to};
  return {[s](this_actor& self, const input& m) {
    if (m.what->kind == event_kind::key) return tell(self, s, m, gesture_kind::text);
    if (m.what->kind == event_kind::drop) return tell(self, s, m, gesture_kind::drop);
    tell(self, s, m, gesture_kind::none);
  }};
}

}  // namespace router
