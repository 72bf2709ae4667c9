// A hand at a graph without a window: it makes the events that a window would.
#pragma once

#include <cstdint>
#include <memory>
#include <string>
#include <utility>
#include <vector>

#include <tact/tact.hpp>

#include "graph.hpp"
#include "intake.hpp"
#include "layout.hpp"
#include "recording.hpp"

namespace router::tests {

inline constexpr int width = 600;
inline constexpr int height = 400;

// Keeps the events with their numbers, as the recorder does in a file.
inline tact::behavior<event_ptr> keep_in(std::shared_ptr<std::vector<event>> kept) {
  return {[kept](auto&, const event_ptr& e) { kept->push_back(*e); }};
}

class hand {
 public:
  explicit hand(tact::engine& engine, const listeners& to = {})
      : engine_(engine),
        graph_(make_graph(engine, width, height, to)),
        intake_(engine.create(make_intake(graph_.dispatcher, engine.create(keep_in(recorded_))))) {}

  // The next event is so much later.
  hand& wait(std::int64_t ms) {
    now_ms_ += ms;
    return *this;
  }
  hand& press(int x, int y, int button = 1) {
    return give({.kind = event_kind::press, .x = x, .y = y, .amount = button});
  }
  hand& move(int x, int y) { return give({.kind = event_kind::move, .x = x, .y = y}); }
  hand& release(int x, int y, int button = 1) {
    return give({.kind = event_kind::release, .x = x, .y = y, .amount = button});
  }
  hand& click(int x, int y) { return press(x, y).release(x, y); }
  // Through these places. Waits at each of them, because moves that wait are left out.
  hand& drag(const std::vector<point>& places) {
    press(places.front().x, places.front().y);
    for (const point p : places) {
      rest();
      move(p.x, p.y);
    }
    rest();
    return release(places.back().x, places.back().y);
  }
  hand& key(const std::string& name, unsigned modifiers = 0) {
    return give({.kind = event_kind::key, .modifiers = modifiers, .text = name});
  }
  hand& click_on(const std::string& view) {
    const layout places = layout_of(width, height);
    const rectangle& at = places[index_of(places, view)].area;
    return click(at.x + at.w / 2, at.y + at.h / 2);
  }
  hand& give(event e) {
    e.at_ms = now_ms_;
    engine_.send(intake_, std::move(e));
    return *this;
  }

  void rest() { engine_.wait_idle(); }
  [[nodiscard]] std::shared_ptr<const router::page> page() {
    rest();
    return engine_.ask(graph_.document, question_page{});
  }
  [[nodiscard]] std::string drawing() { return text_of(*page()->picture); }
  [[nodiscard]] recording recorded() {
    rest();
    return std::make_shared<const std::vector<event>>(*recorded_);
  }
  [[nodiscard]] const graph& of() const noexcept { return graph_; }

 private:
  tact::engine& engine_;
  std::shared_ptr<std::vector<event>> recorded_ = std::make_shared<std::vector<event>>();
  graph graph_;
  tact::ref<event_source> intake_;
  std::int64_t now_ms_ = 0;
};

// What a graph draws of these events.
inline std::string drawn(tact::engine& engine, const recording& events) {
  const graph g = make_graph(engine, width, height, {});
  play(engine, events, g.dispatcher, pace::at_once);
  engine.wait_idle();
  return text_of(*engine.ask(g.document, question_page{})->picture);
}

}  // namespace router::tests
