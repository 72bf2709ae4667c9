// Cells: formulas, the actors of the sheet in many orders, and the window as a person uses it.
#include <catch2/catch.hpp>  // first: FL/fl_draw.H brings the macros of Xlib

#include <map>
#include <memory>
#include <random>
#include <set>
#include <string>
#include <utility>
#include <vector>

#include "../cells.hpp"
#include "gui/person.hpp"

namespace cells_test {

namespace {

using namespace seven::cells;
using seven::cells_window;

position at(const std::string& name) { return {name[0] - 'A', std::stoi(name.substr(1))}; }

// With 2 in A0, 3 in A1, text in B0, a division by zero in B1, and nothing elsewhere.
std::string result(const std::string& entered) {
  const std::map<position, cell_value> values = {
      {at("A0"), 2.0}, {at("A1"), 3.0}, {at("B0"), "text"}, {at("B1"), formula_error{"#div"}}};
  return text_of(evaluate(read_content(entered), [&](position p) {
    const auto found = values.find(p);
    return found == values.end() ? cell_value() : found->second;
  }));
}

// What a sheet has shown.
struct board {
  std::map<position, evaluated> values;
  std::map<position, int> evaluations;

  std::string operator[](const std::string& name) const {
    const auto found = values.find(at(name));
    return found == values.end() ? "" : text_of(found->second.value);
  }
};

tact::behavior<sheet_view> write_on(std::shared_ptr<board> b) {
  return {[b](auto&, const evaluated& m) {
            ++b->evaluations[m.at];
            auto& shown = b->values[m.at];
            if (m.edit >= shown.edit) shown = m;
          },
          [](auto&, const entered&) {}, [](auto&, const history&) {}};
}

class sheet_on_board {
 public:
  explicit sheet_on_board(tact::engine& e) : engine_(e), sheet_(e.create(empty_sheet(e.create(write_on(shown))))) {}
  void enter(const std::string& name, const std::string& text) { engine_.send(sheet_, edit{at(name), text}); }
  void go_back() { engine_.send(sheet_, undo{}); }
  // Which cells have evaluated since the last call, and how often.
  std::map<position, int> rest() {
    engine_.wait_idle();
    return std::exchange(shown->evaluations, {});
  }

  std::shared_ptr<board> shown = std::make_shared<board>();

 private:
  tact::engine& engine_;
  tact::ref<spreadsheet> sheet_;
};

// A value worked out by hand, one cell after the other.
cell_value by_hand(const sheet_contents& contents, position p) {
  const auto found = contents.find(p);
  if (found == contents.end()) return {};
  std::set<position> all;
  for (const auto& c : contents) all.insert(c.first);
  if (const auto cycle = cycle_of(contents, p, all); !cycle.empty()) return formula_error{"#cycle " + cycle};
  return evaluate(*found->second, [&](position input) { return by_hand(contents, input); });
}

// Edits and undoes at random, in a hurry, and compares what is shown in the end.
bool is_right_after(tact::engine& engine, unsigned seed, int steps) {
  std::mt19937 random(seed);
  const auto pick = [&](int n) { return static_cast<int>(random() % static_cast<unsigned>(n)); };
  const auto any = [&] { return position{pick(2), pick(3)}; };
  sheet_on_board sheet(engine);
  std::vector<sheet_contents> versions(1);
  for (int i = 0; i < steps; ++i) {
    if (pick(5) == 0) {
      sheet.go_back();
      if (versions.size() > 1) versions.pop_back();
      continue;
    }
    const position p = any();
    const std::string texts[] = {"", std::to_string(i), "=" + name_of(any()) + "+1",
                                 "=" + name_of(any()) + "-" + name_of(any()), "=sum(" + name_of(any()) + ":B2)"};
    const auto content = read_content(texts[pick(5)]);
    const auto old = versions.back().find(p);
    if (content.text == (old == versions.back().end() ? "" : old->second->text)) continue;
    sheet.enter(name_of(p), content.text);
    versions.push_back(versions.back());
    versions.back().erase(p);
    if (!content.text.empty()) versions.back()[p] = std::make_shared<const cell_content>(content);
  }
  sheet.rest();
  bool right = true;
  for (int i = 0; i < 6; ++i) {
    const position p{i / 3, i % 3};
    right = right && (*sheet.shown)[name_of(p)] == text_of(by_hand(versions.back(), p));
  }
  return right;
}

void enter(tact::gui_tests::person& person, cells_window& window, const std::string& name, const std::string& text) {
  const auto [right, below] = window.table.place_of(at(name));
  person.click(window.table, right + 10, below + 10);
  person.click(window.table, right + 10, below + 10);
  REQUIRE(person.waits_until([&] { return window.table.editor->visible() && window.table.editor->at == at(name); }));
  person.hands().chord('a');
  person.hands().key(tact::gui_tests::special::erase);
  person.type(text);
  REQUIRE(person.waits_until([&] { return window.table.editor->value() == text; }));
  person.key(tact::gui_tests::special::enter);
  REQUIRE(person.waits_until([&] { return !window.table.editor->visible(); }));
}

}  // namespace

TEST_CASE("cells: formulas have the usual precedence, unary minus and parentheses", "[gui]") {
  CHECK(result("=1+2*3-4/2") == "5");
  CHECK(result(" = ( 1 + 2 ) * -A1 ") == "-9");
  CHECK(result("=10-3-2") == "5");
  CHECK(result("=0.1+0.2") == "0.3");
  CHECK(result("=a0+A1*1e2") == "302");
  CHECK(result("=--2") == "2");
  CHECK(result("=A1-1") == "2");
  CHECK(result("=A1+5") == "8");
}

TEST_CASE("cells: functions take ranges and lists, nested, and leave out empty cells", "[gui]") {
  CHECK(result("=sum(A0:A9, 10)") == "15");
  CHECK(result("=AVG(A9:A0)") == "2.5");
  CHECK(result("=max(A0, min(A1:A5, 7), 1)*2") == "6");
  CHECK(result("=sum(C0:D9)") == "0");
  CHECK(result("=avg(C0:D9)") == "#div");
  CHECK(read_content("=sum(B1:A0)+A0").inputs.size() == 4);
}

TEST_CASE("cells: what is entered is text, a number, or a formula", "[gui]") {
  CHECK(result("hello") == "hello");
  CHECK(std::get<double>(read_content(" -1.50 ").constant) == -1.5);
  CHECK(std::holds_alternative<std::string>(read_content("1 2").constant));
  CHECK(std::holds_alternative<std::string>(read_content("inf").constant));
  CHECK(result("=B0") == "text");
  CHECK(result("=C0") == "0");
  CHECK(result("   ").empty());
}

TEST_CASE("cells: errors are named, and go on to whoever reads them", "[gui]") {
  for (const std::string text : {"=", "=1+", "=(1", "=1)", "=A100", "=A0:A1", "=sum()", "=sum(A0:)", "=foo(1)", "=1 2",
                                 "=sum(A0:1)", "=A", "=.", "=*2"}) {
    CAPTURE(text);
    CHECK(result(text) == "#syntax");
  }
  CHECK(result("=" + std::string(100'000, '(')) == "#syntax");
  CHECK(result("=0" + [] {
          std::string more;
          for (int i = 0; i < 100'000; ++i) more += "+1";
          return more;
        }()) == "100000");
  CHECK(result("=B0+1") == "#value");
  CHECK(result("=sum(A0:B0)") == "#value");
  CHECK(result("=1e300*1e300") == "#value");
  CHECK(result("=1/(A0-2)") == "#div");
  CHECK(result("=B1+B0") == "#div");
}

TEST_CASE("cells: a change evaluates what depends on it, once, and nothing else", "[gui]") {
  tact::engine engine;
  sheet_on_board sheet(engine);
  sheet.enter("A0", "1");
  sheet.enter("B0", "=A0+1");
  sheet.enter("C0", "=A0*10");
  sheet.enter("D0", "=B0+C0+A5");
  sheet.enter("A5", "100");
  sheet.enter("B5", "=A5");
  sheet.rest();
  CHECK((*sheet.shown)["D0"] == "112");
  sheet.enter("A0", "2");
  CHECK(sheet.rest() == std::map<position, int>{{at("A0"), 1}, {at("B0"), 1}, {at("C0"), 1}, {at("D0"), 1}});
  CHECK((*sheet.shown)["D0"] == "123");
  sheet.enter("D0", "=C0");
  CHECK(sheet.rest() == std::map<position, int>{{at("D0"), 1}});
  sheet.enter("B0", "");
  CHECK(sheet.rest() == std::map<position, int>{{at("B0"), 1}});
  CHECK((*sheet.shown)["D0"] == "20");
}

TEST_CASE("cells: a cycle is named in its cells, and is gone when it is broken", "[gui]") {
  tact::engine engine;
  sheet_on_board sheet(engine);
  sheet.enter("A0", "=B1+1");
  sheet.enter("B1", "=A0");
  sheet.enter("C2", "=A0+1");
  sheet.enter("D3", "=sum(D0:D9)");
  sheet.rest();
  CHECK((*sheet.shown)["A0"] == "#cycle A0 B1 A0");
  CHECK((*sheet.shown)["B1"] == "#cycle B1 A0 B1");
  CHECK((*sheet.shown)["C2"] == "#cycle A0 B1 A0");
  CHECK((*sheet.shown)["D3"] == "#cycle D3 D3");
  sheet.enter("B1", "5");
  sheet.rest();
  CHECK((*sheet.shown)["A0"] == "6");
  CHECK((*sheet.shown)["C2"] == "7");
  sheet.go_back();
  sheet.rest();
  CHECK((*sheet.shown)["C2"] == "#cycle A0 B1 A0");
}

TEST_CASE("cells: undo brings back what was before, edit by edit", "[gui]") {
  tact::engine engine;
  sheet_on_board sheet(engine);
  sheet.enter("A0", "1");
  sheet.enter("B0", "=A0");
  sheet.enter("A0", "2");
  sheet.enter("A0", "");
  sheet.rest();
  CHECK((*sheet.shown)["B0"] == "0");
  for (const std::string before : {"2", "1", "", ""}) {
    sheet.go_back();
    sheet.rest();
    CHECK((*sheet.shown)["B0"] == before);
  }
  CHECK((*sheet.shown)["A0"].empty());
}

TEST_CASE("cells: after any edits in a hurry each value is what its formula says", "[gui]") {
  tact::engine engine({.workers = 4});
  for (unsigned seed = 0; seed < 300; ++seed) {
    CAPTURE(seed);
    REQUIRE(is_right_after(engine, seed, 60));
  }
}

TEST_CASE("cells: the same in every order of a simulation", "[gui]") {
  unsigned seed = 0;
  const auto found = tact::explore(
      300, [&](tact::simulation& sim) { sim.check(is_right_after(sim.engine(), seed++ % 7, 12), "a stale value"); });
  CHECK_FALSE(found.failed);
}

TEST_CASE("cells: a person enters formulas, edits one, gives one up, and undoes", "[gui]") {
  tact::engine engine;
  tact::gui::fltk_loop loop(engine);
  cells_window window(engine, loop);
  tact::gui_tests::person person;
  person.see(window);
  const auto shows = [&](const std::string& name, const std::string& text) {
    return person.waits_until([&] { return window.table.text_at(at(name)) == text; });
  };
  CHECK_FALSE(window.undo.active());
  enter(person, window, "A0", "Apples");
  enter(person, window, "B0", "3");
  enter(person, window, "A1", "Pears");
  enter(person, window, "B1", "4.5");
  enter(person, window, "A2", "Sum");
  enter(person, window, "B2", "=sum(B0:B1)");
  REQUIRE(shows("B2", "7.5"));
  enter(person, window, "C2", "=B2/D0");
  REQUIRE(shows("C2", "#div"));
  enter(person, window, "E0", "=E1");
  enter(person, window, "E1", "=E0");
  REQUIRE(shows("E0", "#cycle E0 E1 E0"));
  enter(person, window, "B0", "5");
  REQUIRE(shows("B2", "9.5"));
  person.take_picture(window, "seven-cells");

  const auto [right, below] = window.table.place_of(at("B2"));
  person.click(window.table, right + 10, below + 10);
  person.rest();
  person.key(tact::gui_tests::special::enter);
  REQUIRE(person.waits_until([&] { return window.table.editor->visible() != 0; }));
  CHECK(window.table.editor->value() == std::string("=sum(B0:B1)"));
  person.type("1");
  person.key(tact::gui_tests::special::escape);
  REQUIRE(person.waits_until([&] { return !window.table.editor->visible(); }));
  CHECK(window.shown());

  person.click(window.undo);
  REQUIRE(shows("B2", "7.5"));
  CHECK(window.table.text_at(at("B0")) == "3");
  CHECK(window.undo.active());
}

}  // namespace cells_test
