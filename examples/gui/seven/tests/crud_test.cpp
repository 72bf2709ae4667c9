// CRUD: the directory, alone and as several change it, and the window as a person uses it.
#include <catch2/catch.hpp>  // first

#include <algorithm>
#include <memory>
#include <optional>
#include <set>
#include <string>
#include <vector>

#include "../crud.hpp"
#include "gui/person.hpp"

namespace crud_test {

namespace {

using namespace seven::crud;
using seven::crud_window;

const std::vector<full_name> names = {{"Hans", "Emil"}, {"Max", "Mustermann"}, {"Roman", "Tisch"}};

// A directory, and what it has shown last.
class shown_directory {
 public:
  explicit shown_directory(tact::engine& e, const std::vector<full_name>& first = names)
      : engine_(e),
        directory_(e.create(directory_of(
            first, e.create(tact::behavior<display>{[l = last_](auto&, const listing& m) { *l = m; }})))) {}

  template <class M>
  void send(M m) {
    engine_.send(directory_, std::move(m));
  }
  const listing& last() {
    engine_.wait_idle();
    return *last_;
  }
  std::vector<std::string> surnames() {
    std::vector<std::string> all;
    for (const entry& e : *last().visible) all.push_back(e.name.surname);
    return all;
  }

 private:
  tact::engine& engine_;
  std::shared_ptr<listing> last_ = std::make_shared<listing>();
  tact::ref<directory> directory_;
};

using surnames = std::vector<std::string>;

std::string text_of(const Fl_Hold_Browser& list) {
  std::string lines;
  for (int i = 1; i <= list.size(); ++i) lines += std::string(list.text(i)) + ";";
  return lines;
}

}  // namespace

TEST_CASE("crud: entries are created, changed and deleted, and that is shown", "[gui]") {
  tact::engine engine;
  shown_directory people(engine);
  people.send(create{{"Ada", "Ernst"}});
  CHECK(people.surnames() == surnames{"Emil", "Mustermann", "Tisch", "Ernst"});
  people.send(pick{1});
  people.send(update{{"Max", "Meier"}});
  CHECK(people.surnames() == surnames{"Emil", "Meier", "Tisch", "Ernst"});
  CHECK(people.last().selected == 1);
  people.send(erase{});
  CHECK(people.surnames() == surnames{"Emil", "Tisch", "Ernst"});
  CHECK_FALSE(people.last().selected);
}

TEST_CASE("crud: an update or delete without a selection changes nothing", "[gui]") {
  tact::engine engine;
  shown_directory people(engine);
  people.send(pick{7});
  people.send(update{{"No", "One"}});
  people.send(erase{});
  CHECK(people.surnames() == surnames{"Emil", "Mustermann", "Tisch"});
  people.send(pick{});
  people.send(erase{});
  CHECK(people.surnames() == surnames{"Emil", "Mustermann", "Tisch"});
}

TEST_CASE("crud: a filter keeps the selection while that is visible", "[gui]") {
  tact::engine engine;
  shown_directory people(engine, {{"A", "Meier"}, {"B", "Mann"}, {"C", "Meister"}});
  people.send(pick{2});
  people.send(filter{"Mei"});
  CHECK(people.surnames() == surnames{"Meier", "Meister"});
  CHECK(people.last().selected == 2);
  people.send(filter{"Meie"});
  CHECK(people.surnames() == surnames{"Meier"});
  CHECK_FALSE(people.last().selected);
  people.send(filter{""});
  CHECK(people.surnames().size() == 3);
  people.send(erase{});  // what went out of sight is not selected again
  CHECK(people.surnames().size() == 3);
}

TEST_CASE("crud: a change that the filter hides takes the selection away, and the entry stays", "[gui]") {
  tact::engine engine;
  shown_directory people(engine);
  people.send(filter{"M"});
  people.send(pick{1});
  people.send(update{{"Max", "Unseen"}});
  CHECK(people.surnames().empty());
  CHECK_FALSE(people.last().selected);
  people.send(create{{"Another", "Unseen"}});
  CHECK_FALSE(people.last().selected);
  people.send(filter{"U"});
  CHECK(people.surnames() == surnames{"Unseen", "Unseen"});
}

TEST_CASE("crud: entries with equal names are told apart", "[gui]") {
  tact::engine engine;
  shown_directory people(engine, {{"A", "B"}, {"A", "B"}, {"A", "B"}});
  people.send(pick{1});
  people.send(update{{"A", "C"}});
  CHECK(people.surnames() == surnames{"B", "C", "B"});
  people.send(pick{2});
  people.send(erase{});
  people.send(create{{"A", "B"}});
  CHECK(people.surnames() == surnames{"B", "C", "B"});
  CHECK(people.last().selected == 3);
  people.send(create{{"A", "B"}});
  people.send(update{{"A", "D"}});
  CHECK(people.surnames() == surnames{"B", "C", "B", "D"});
}

TEST_CASE("crud: several that create and delete at once lose nothing, in every order of a simulation", "[gui]") {
  const auto found = tact::explore(300, [](tact::simulation& sim) {
    shown_directory people(sim.engine());
    for (int thread = 0; thread < 3; ++thread) {
      sim.start_thread([&people] {
        people.send(create{{"A", "B"}});
        people.send(create{{"A", "B"}});
      });
    }
    people.send(pick{0});
    sim.run();
    const auto& all = *people.last().visible;
    std::set<int> ids;
    for (const entry& e : all) ids.insert(e.id);
    sim.check(all.size() == 9, "an entry was lost");
    sim.check(ids.size() == 9, "two entries have one identity");
    for (std::size_t i = 9; i > 0; --i) {
      people.send(pick{(*people.last().visible)[i / 2].id});
      people.send(erase{});
    }
    sim.check(people.last().visible->empty(), "an entry was left");
  });
  CHECK_FALSE(found.failed);
}

TEST_CASE("crud: a person creates, changes, filters and deletes", "[gui]") {
  tact::engine engine;
  tact::gui::fltk_loop loop(engine);
  crud_window window(engine, loop, names);
  tact::gui_tests::person person;
  person.see(window);
  const auto lists = [&](const std::string& lines) {
    return person.waits_until([&] { return text_of(window.list) == lines; });
  };
  const auto is_changeable = [&](bool changeable) {
    return person.waits_until(
        [&] { return window.update.active() == changeable && window.erase.active() == changeable; });
  };
  REQUIRE(lists("Emil, Hans;Mustermann, Max;Tisch, Roman;"));
  REQUIRE(is_changeable(false));

  person.fill(window.first_name, "Ada");
  person.fill(window.surname, "@Meier");
  person.click(window.create);
  REQUIRE(lists("Emil, Hans;Mustermann, Max;Tisch, Roman;@Meier, Ada;"));
  REQUIRE(is_changeable(true));
  CHECK(window.list.value() == 4);
  person.fill(window.surname, "Meier");
  person.click(window.update);
  REQUIRE(lists("Emil, Hans;Mustermann, Max;Tisch, Roman;Meier, Ada;"));

  person.fill(window.prefix, "M");
  REQUIRE(lists("Mustermann, Max;Meier, Ada;"));
  CHECK(window.list.value() == 2);
  person.click(window.list, 20, 10);
  REQUIRE(person.waits_until([&] { return window.list.value() == 1 && window.surname.value() == names[1].surname; }));
  person.take_picture(window, "seven-crud");
  person.click(window.erase);
  REQUIRE(lists("Meier, Ada;"));
  REQUIRE(is_changeable(false));
  person.click(window.list, 20, 10);
  REQUIRE(is_changeable(true));
  person.fill(window.prefix, "Mu");
  REQUIRE(lists(""));
  REQUIRE(is_changeable(false));
}

TEST_CASE("crud: no name means anything to the list", "[gui]") {
  tact::engine engine;
  tact::gui::fltk_loop loop(engine);
  crud_window window(engine, loop, {{"Ada", "@B1Meier"}});  // a red line, in the language of FLTK's lists
  tact::gui_tests::person person;
  person.see(window);
  REQUIRE(person.waits_until([&] { return text_of(window.list) == "@B1Meier, Ada;"; }));
  person.rest();
  const Fl_Hold_Browser& list = window.list;
  CHECK(person.hands().color(window.x_root() + list.x() + 200, window.y_root() + list.y() + 10) == 0xFFFFFF);
}

TEST_CASE("crud: of thousands each is found, changed and kept in sight", "[gui]") {
  std::vector<full_name> many;
  for (int i = 0; i < 5'000; ++i) many.push_back({"A", "B" + std::to_string(i)});
  tact::engine engine;
  tact::gui::fltk_loop loop(engine);
  crud_window window(engine, loop, many);
  tact::gui_tests::person person;
  person.see(window);
  REQUIRE(person.waits_until([&] { return window.list.size() == 5'000; }));
  person.fill(window.surname, "Last");
  person.click(window.create);
  REQUIRE(person.waits_until([&] { return window.list.value() == 5'001; }));
  person.fill(window.prefix, "B4999");
  REQUIRE(person.waits_until([&] { return window.list.size() == 1; }));
  person.click(window.list, 20, 10);
  REQUIRE(person.waits_until([&] { return window.erase.active() != 0; }));
  person.fill(window.prefix, "B4");
  REQUIRE(person.waits_until([&] { return window.list.size() == 1'111; }));
  CHECK(window.list.value() == 1'111);
  CHECK(window.list.displayed(1'111) != 0);
  person.click(window.erase);
  REQUIRE(person.waits_until([&] { return window.list.size() == 1'110; }));
  CHECK(window.list.displayed(1'110) != 0);
}

}  // namespace crud_test
