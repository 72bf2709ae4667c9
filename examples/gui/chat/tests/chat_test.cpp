// Chat: the room in many orders, an inbox that is stopped, and the windows as people use them.
#include <catch2/catch.hpp>

#include <algorithm>
#include <chrono>
#include <map>
#include <memory>
#include <string>
#include <vector>

#include "../chat_window.hpp"
#include "gui/person.hpp"

namespace chat_test {

namespace {

using namespace chat;
using tact::gui_tests::person;
using tact::gui_tests::special;

using lines = std::vector<std::string>;

// Writes down what comes from the room.
tact::ref<inbox> listen(tact::engine& engine, std::shared_ptr<lines> to) {
  return engine.create(tact::behavior<inbox>{[to](auto&, const said& m) { to->push_back(m.from + ": " + m.text); },
                                             [](auto&, const roster&) {},
                                             [](auto& self, const farewell&) { self.stop(); }});
}

std::string last_of(const Fl_Browser& b) { return b.size() == 0 ? "" : b.text(b.size()); }

lines all_of(const Fl_Browser& b) {
  lines all;
  for (int i = 1; i <= b.size(); ++i) all.emplace_back(b.text(i));
  return all;
}

// Three windows, and a person who goes from one to the other.
struct scene {
  tact::engine engine{{.workers = 2}};
  tact::gui::fltk_loop loop{engine};
  std::unique_ptr<conversation> talk = std::make_unique<conversation>(engine, loop);
  chat_window& ada = talk->open();
  chat_window& blaise = talk->open();
  chat_window& carl = talk->open();
  tact::gui_tests::person person;

  scene() {
    REQUIRE(person.waits_until([&] { return ada.people.size() == 3 && carl.people.size() == 3; }));
    person.rest();
  }
  void say(chat_window& in, const std::string& text) {
    person.click(in.field);
    person.type(text);
    REQUIRE(person.waits_until([&] { return in.field.value() == text; }));
    person.key(special::enter);
  }
  [[nodiscard]] bool sees(const chat_window& w, const std::string& last) {
    return person.waits_until([&] { return last_of(w.history) == last; });
  }
};

}  // namespace

TEST_CASE("chat: all members hear the same in the same order, in every order of a simulation", "[gui]") {
  const auto found = tact::explore(300, [](tact::simulation& sim) {
    std::vector<std::shared_ptr<lines>> heard;
    std::vector<tact::ref<inbox>> inboxes;
    const auto r = sim.engine().create(empty_room());
    for (const char* const name : {"a", "b", "c"}) {
      heard.push_back(std::make_shared<lines>());
      inboxes.push_back(listen(sim.engine(), heard.back()));
      sim.engine().send(r, join{{name, inboxes.back()}});
    }
    for (const auto who : inboxes) {
      sim.start_thread([&sim, r, who] {
        for (int i = 0; i < 4; ++i) sim.engine().send(r, say{who, std::to_string(i)});
      });
    }
    sim.run();
    sim.check(heard[0]->size() == 12, "something is lost");
    sim.check(*heard[0] == *heard[1] && *heard[0] == *heard[2], "members heard different things");
    for (const char name : {'a', 'b', 'c'}) {
      lines own;
      std::copy_if(heard[0]->begin(), heard[0]->end(), std::back_inserter(own),
                   [&](const std::string& l) { return l[0] == name; });
      sim.check(std::is_sorted(own.begin(), own.end()), "what one has said comes in another order");
    }
  });
  CHECK_FALSE(found.failed);
}

TEST_CASE("chat: a member that has left hears nothing and says nothing", "[gui]") {
  tact::engine engine;
  const auto r = engine.create(empty_room());
  const auto a = std::make_shared<lines>(), b = std::make_shared<lines>();
  const auto to_a = listen(engine, a), to_b = listen(engine, b);
  r | say{to_a, "too early"} | join{{"a", to_a}} | join{{"b", to_b}} | say{to_a, "1"} | leave{to_b} | say{to_b, "2"} |
      say{to_a, "3"} | leave{to_b};
  engine.wait_idle();
  CHECK(*a == lines{"a: 1", "a: 3"});
  CHECK(*b == lines{"a: 1"});
  CHECK(engine.statistics().actors_alive == 2);
  CHECK(engine.statistics().dead_letters == 0);
}

TEST_CASE("chat: a window that is stopped in its handler stops no other, and gets all of it later", "[gui]") {
  scene s;
  s.say(s.ada, "hello");
  REQUIRE(s.sees(s.carl, "Ada: hello"));
  s.person.click(s.carl.stop);
  REQUIRE(s.person.waits_until([&] { return s.carl.stop.label() == std::string("Go on"); }));
  const auto begin = std::chrono::steady_clock::now();
  for (int i = 1; i <= 3; ++i) {
    const std::string number = std::to_string(i);
    s.say(s.ada, "a" + number);
    REQUIRE(s.sees(s.blaise, "Ada: a" + number));
    s.say(s.blaise, "b" + number);
    REQUIRE(s.sees(s.ada, "Blaise: b" + number));
  }
  CHECK(std::chrono::steady_clock::now() - begin < std::chrono::seconds(20));
  s.say(s.carl, "me too");  // a member that is stopped may still talk
  REQUIRE(s.sees(s.ada, "Carl: me too"));
  CHECK(last_of(s.carl.history) == "Ada: hello");
  s.person.rest();
  s.person.hands().take_picture(0, 0, 1220, 360, "chat");
  s.person.click(s.carl.stop);
  REQUIRE(s.sees(s.carl, "Carl: me too"));
  CHECK(all_of(s.carl.history) == all_of(s.ada.history));
}

TEST_CASE("chat: windows come and go, also one that is stopped", "[gui][law11]") {
  scene s;
  s.person.click(s.ada.another);
  REQUIRE(s.person.waits_until([&] { return s.ada.people.size() == 4; }));
  CHECK(last_of(s.ada.people) == "Dorothy");
  s.person.click(s.carl.stop);
  REQUIRE(s.person.waits_until([&] { return s.carl.stop.value() != 0; }));
  s.say(s.ada, "hello");
  s.person.close(s.carl);
  REQUIRE(s.person.waits_until([&] { return s.ada.people.size() == 3; }));
  CHECK(all_of(s.ada.people) == lines{"Ada", "Blaise", "Dorothy"});
  s.say(s.blaise, "bye");
  REQUIRE(s.sees(s.ada, "Blaise: bye"));
}

TEST_CASE("chat: a program that ends while a window is stopped ends at once", "[gui][law11]") {
  const auto begin = std::chrono::steady_clock::now();
  {
    scene s;
    s.person.click(s.carl.stop);
    REQUIRE(s.person.waits_until([&] { return s.carl.stop.value() != 0; }));
    s.say(s.ada, "it hears this in its handler, and stands still");
    REQUIRE(s.sees(s.blaise, "Ada: it hears this in its handler, and stands still"));
    s.talk.reset();
  }
  CHECK(std::chrono::steady_clock::now() - begin < std::chrono::seconds(20));  // the engine would wait longer for it
  CHECK(Fl::first_window() == nullptr);
}

}  // namespace chat_test
