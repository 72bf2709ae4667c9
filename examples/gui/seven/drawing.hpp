// The drawing of circles: an actor that keeps each version, the way back and the way forward again. No widgets.
#pragma once

#include <algorithm>
#include <cstddef>
#include <memory>
#include <optional>
#include <utility>
#include <vector>

#include <tact/tact.hpp>

namespace seven::circles {

inline constexpr int diameter_at_first = 40;
inline constexpr int diameter_min = 10;
inline constexpr int diameter_max = 200;

struct point {
  int x;
  int y;
  friend bool operator==(const point&, const point&) = default;
};
struct circle {
  point center;
  int diameter;
  friend bool operator==(const circle&, const circle&) = default;
};

// The number of the circle nearest to the point among those whose area contains it; none: the place is empty.
inline std::optional<std::size_t> circle_at(const std::vector<circle>& circles, point p) {
  std::optional<std::size_t> nearest;
  long shortest = 0;  // squared, as all distances here
  for (std::size_t i = 0; i < circles.size(); ++i) {
    const auto& [center, diameter] = circles[i];
    const long right = p.x - center.x, below = p.y - center.y;
    const long distance = right * right + below * below;
    if (4 * distance >= static_cast<long>(diameter) * diameter || (nearest && distance >= shortest)) continue;
    nearest = i;
    shortest = distance;
  }
  return nearest;
}

// A drawing is its last change and the drawing before. So a step costs as much memory as one circle, however many there
// are, and to go back is to be what was before. The empty drawing is null.
struct version {
  std::size_t number;  // of the circle that was placed or adjusted; they are numbered as they were placed
  circle changed;
  std::shared_ptr<const version> before;
};

// A value, as all that a behaviour holds.
class history {
 public:
  [[nodiscard]] std::vector<circle> circles() const {
    std::vector<const version*> changes;
    for (const version* v = now_.get(); v != nullptr; v = v->before.get()) changes.push_back(v);
    std::vector<circle> circles;
    for (auto v = changes.rbegin(); v != changes.rend(); ++v) {
      circles.resize(std::max(circles.size(), (*v)->number + 1));
      circles[(*v)->number] = (*v)->changed;
    }
    return circles;
  }
  [[nodiscard]] bool can_undo() const { return now_ != nullptr; }
  [[nodiscard]] bool can_redo() const { return now_ != newest_; }

  void change(std::size_t number, const circle& c) {
    now_ = std::make_shared<const version>(version{number, c, now_});
    newest_ = now_;
  }
  void undo() {
    if (can_undo()) now_ = now_->before;
  }
  void redo() {
    if (!can_redo()) return;
    auto next = newest_;
    while (next->before != now_) next = next->before;
    now_ = next;
  }

 private:
  std::shared_ptr<const version> now_;
  std::shared_ptr<const version> newest_;  // from which the way back leads through `now_`
};

struct place {
  point center;
};
struct begin_adjusting {
  std::size_t number;
};
struct adjust {
  std::size_t number;
  int diameter;
};
struct end_adjusting {
  std::size_t number;
};
struct undo {};
struct redo {};
struct drawing : tact::protocol<place, begin_adjusting, adjust, end_adjusting, undo, redo> {};

struct picture {
  std::vector<circle> circles;
  bool can_undo;
  bool can_redo;
  std::optional<std::size_t> adjusted;  // the circle that the dialog is open for
  friend bool operator==(const picture&, const picture&) = default;
};
struct drawing_view : tact::protocol<picture> {};

// One circle at a time is adjusted. What the slider does meanwhile is no step yet.
struct adjustment {
  std::size_t number;
  int diameter;
};
struct drawing_state {
  tact::ref<drawing_view> view;
  history steps{};
  std::optional<adjustment> open{};
};

// With the adjustment as a step, if it has changed anything.
inline history settled(const drawing_state& s) {
  history steps = s.steps;
  if (!s.open) return steps;
  circle c = steps.circles()[s.open->number];
  if (c.diameter == s.open->diameter) return steps;
  c.diameter = s.open->diameter;
  steps.change(s.open->number, c);
  return steps;
}

inline tact::behavior<drawing> drawing_with(drawing_state state);

inline void go_on(tact::self<drawing>& self, drawing_state next) {
  const history shown = settled(next);
  const auto adjusted = next.open ? std::optional(next.open->number) : std::nullopt;
  self.send(next.view, picture{shown.circles(), shown.can_undo(), shown.can_redo(), adjusted});
  self.become(drawing_with(std::move(next)));
}

inline tact::behavior<drawing> drawing_with(drawing_state state) {
  const auto is_open = [](const drawing_state& s, std::size_t number) { return s.open && s.open->number == number; };
  return {
      [state](tact::self<drawing>& self, const place& m) {
        const auto circles = settled(state).circles();
        if (circle_at(circles, m.center)) return;
        drawing_state next = state;
        next.steps.change(circles.size(), {m.center, diameter_at_first});
        go_on(self, std::move(next));
      },
      [state](tact::self<drawing>& self, const begin_adjusting& m) {
        const history steps = settled(state);
        const auto circles = steps.circles();
        if (m.number >= circles.size()) return;
        go_on(self, {state.view, steps, adjustment{m.number, circles[m.number].diameter}});
      },
      [=](tact::self<drawing>& self, const adjust& m) {
        if (!is_open(state, m.number)) return;
        go_on(self,
              {state.view, state.steps, adjustment{m.number, std::clamp(m.diameter, diameter_min, diameter_max)}});
      },
      [=](tact::self<drawing>& self, const end_adjusting& m) {
        if (is_open(state, m.number)) go_on(self, {state.view, settled(state)});
      },
      [state](tact::self<drawing>& self, const undo&) {
        history steps = settled(state);
        steps.undo();
        go_on(self, {state.view, steps});
      },
      [state](tact::self<drawing>& self, const redo&) {
        history steps = settled(state);
        steps.redo();
        go_on(self, {state.view, steps});
      },
  };
}

inline tact::behavior<drawing> empty_drawing(tact::ref<drawing_view> view) { return drawing_with({view}); }

}  // namespace seven::circles
