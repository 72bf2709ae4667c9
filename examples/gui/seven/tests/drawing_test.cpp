// The drawing of circles: its actor against a model of all versions, in many orders.
#include "../drawing.hpp"

#include <catch2/catch.hpp>

#include <algorithm>
#include <cmath>
#include <memory>
#include <optional>
#include <random>
#include <string>
#include <variant>
#include <vector>

namespace drawing_test {

namespace {

using namespace seven::circles;

std::string text_of(const picture& p) {
  std::string text;
  for (const auto& [center, diameter] : p.circles) {
    text += std::to_string(center.x) + ',' + std::to_string(center.y) + ':' + std::to_string(diameter) + ' ';
  }
  if (p.can_undo) text += "undo ";
  if (p.can_redo) text += "redo ";
  return p.adjusted ? text + "adjusts " + std::to_string(*p.adjusted) : text;
}

// The same drawing, as a vector of all versions.
class model {
 public:
  // The text of what is shown then; none: nothing has happened.
  std::optional<std::string> operator()(const place& m) {
    const auto holds = [&](const circle& c) {
      return std::hypot(c.center.x - m.center.x, c.center.y - m.center.y) < c.diameter / 2.0;
    };
    if (std::ranges::any_of(shown(), holds)) return std::nullopt;
    auto circles = versions_[now_];
    circles.push_back({m.center, 40});
    add(circles);
    return text();
  }
  std::optional<std::string> operator()(const begin_adjusting& m) {
    if (m.number >= shown().size()) return std::nullopt;
    settle();
    open_ = {m.number, shown()[m.number].diameter};
    return text();
  }
  std::optional<std::string> operator()(const adjust& m) {
    if (!open_ || open_->number != m.number) return std::nullopt;
    open_->diameter = std::clamp(m.diameter, 10, 200);
    return text();
  }
  std::optional<std::string> operator()(const end_adjusting& m) {
    if (!open_ || open_->number != m.number) return std::nullopt;
    settle();
    return text();
  }
  std::optional<std::string> operator()(const undo&) {
    settle();
    now_ -= now_ > 0 ? 1 : 0;
    return text();
  }
  std::optional<std::string> operator()(const redo&) {
    settle();
    now_ += now_ + 1 < versions_.size() ? 1 : 0;
    return text();
  }

 private:
  [[nodiscard]] std::vector<circle> shown() const {
    auto circles = versions_[now_];
    if (open_) circles[open_->number].diameter = open_->diameter;
    return circles;
  }
  [[nodiscard]] bool has_adjusted() const {
    return open_ && versions_[now_][open_->number].diameter != open_->diameter;
  }
  void add(const std::vector<circle>& circles) {
    versions_.resize(now_ + 1);
    versions_.push_back(circles);
    ++now_;
  }
  void settle() {
    if (has_adjusted()) add(shown());
    open_.reset();
  }
  [[nodiscard]] std::string text() const {
    const bool can_redo = now_ + 1 < versions_.size() && !has_adjusted();
    const auto adjusted = open_ ? std::optional(open_->number) : std::nullopt;
    return text_of({shown(), now_ > 0 || has_adjusted(), can_redo, adjusted});
  }

  std::vector<std::vector<circle>> versions_ = {{}};
  std::size_t now_ = 0;
  std::optional<adjustment> open_;
};

using edit = std::variant<place, begin_adjusting, adjust, end_adjusting, undo, redo>;

edit any_edit(std::mt19937& random) {
  const auto pick = [&](int n) { return static_cast<int>(random() % static_cast<unsigned>(n)); };
  const auto number = static_cast<std::size_t>(pick(4));
  const edit edits[] = {place{{pick(120), pick(120)}},
                        begin_adjusting{number},
                        adjust{number, pick(230)},
                        end_adjusting{number},
                        undo{},
                        redo{}};
  return edits[pick(6)];
}

// A drawing, what it has shown, and the edits in the order in which they came to it.
struct studied {
  std::vector<edit> edits;
  std::vector<std::string> pictures;
};

tact::ref<drawing> create_studied(tact::engine& engine, const std::shared_ptr<studied>& s) {
  const auto view =
      engine.create(tact::behavior<drawing_view>{[s](auto&, const picture& m) { s->pictures.push_back(text_of(m)); }});
  const auto drawn = engine.create(empty_drawing(view));
  return engine.create(tact::behavior<drawing>{[=](auto& self, const auto& m) {
    s->edits.push_back(m);
    self.send(drawn, m);
  }});
}

std::vector<std::string> expected(const std::vector<edit>& edits) {
  model m;
  std::vector<std::string> pictures;
  for (const edit& e : edits) {
    if (const auto shown = std::visit(m, e)) pictures.push_back(*shown);
  }
  return pictures;
}

void send_edits(tact::engine& engine, tact::ref<drawing> to, unsigned seed, int count) {
  std::mt19937 random(seed);
  for (int i = 0; i < count; ++i) std::visit([&](const auto& m) { engine.send(to, m); }, any_edit(random));
}

}  // namespace

TEST_CASE("drawing: the nearest circle whose area contains a point is found", "[gui]") {
  const std::vector<circle> circles = {{{50, 50}, 100}, {{80, 50}, 60}, {{50, 50}, 10}};
  CHECK(circle_at(circles, {60, 50}) == 0);
  CHECK(circle_at(circles, {66, 50}) == 1);
  CHECK(circle_at(circles, {50, 54}) == 0);  // two are as near: the one that was there first
  CHECK(circle_at(circles, {109, 50}) == 1);
  CHECK_FALSE(circle_at(circles, {110, 50}));
  CHECK_FALSE(circle_at({}, {0, 0}));
}

TEST_CASE("drawing: after each of any edits the drawing is what a list of versions says", "[gui]") {
  tact::engine engine({.workers = 2});
  for (unsigned seed = 0; seed < 300; ++seed) {
    CAPTURE(seed);
    const auto seen = std::make_shared<studied>();
    send_edits(engine, create_studied(engine, seen), seed, 100);
    engine.wait_idle();
    REQUIRE(seen->pictures == expected(seen->edits));
  }
}

TEST_CASE("drawing: the same for two persons at once, in every order of a simulation", "[gui]") {
  const auto found = tact::explore(300, [](tact::simulation& sim) {
    const auto seen = std::make_shared<studied>();
    const auto drawn = create_studied(sim.engine(), seen);
    for (const unsigned seed : {1U, 2U}) sim.start_thread([=, &sim] { send_edits(sim.engine(), drawn, seed, 10); });
    sim.run();
    sim.check(seen->edits.size() == 20, "an edit is lost");
    sim.check(seen->pictures == expected(seen->edits), "a drawing that no list of versions has");
  });
  CHECK_FALSE(found.failed);
}

TEST_CASE("drawing: however long the history, each step is undone and redone", "[gui]") {
  tact::engine engine;
  const auto seen = std::make_shared<studied>();
  const auto drawn = create_studied(engine, seen);
  constexpr int steps = 1'000;
  for (int i = 0; i < steps; ++i) engine.send(drawn, place{{i * 40, 0}});
  for (int i = 0; i < steps; ++i) engine.send(drawn, undo{});
  engine.wait_idle();
  CHECK(seen->pictures.back() == "redo ");
  for (int i = 0; i < steps; ++i) engine.send(drawn, redo{});
  engine.wait_idle();
  CHECK(seen->pictures.back() == seen->pictures[steps - 1]);
}

}  // namespace drawing_test
