// The actors behind the window, with real files, in real time and in many orders.
#include "../desk.hpp"

#include <catch2/catch.hpp>

#include <chrono>
#include <condition_variable>
#include <ctime>
#include <fstream>
#include <memory>
#include <mutex>
#include <sstream>
#include <string>
#include <vector>

#include "../tracer.hpp"
#include "sounds.hpp"
#include "text.hpp"

namespace desk_test {

namespace {

using namespace std::chrono_literals;
using namespace loudness;
using loudness::tests::contains;
using loudness::tests::sounds;

// What a window would show.
class screen {
 public:
  template <class Change>
  void change(Change f) {
    const std::lock_guard lock(mutex_);
    f(*this);
    changed_.notify_all();
  }
  // False: it took longer than a minute.
  template <class Condition>
  bool waits_until(Condition holds) {
    std::unique_lock lock(mutex_);
    return changed_.wait_for(lock, 1min, [&] { return holds(*this); });
  }
  // Lets so much time pass, and says whether anything was shown in it.
  bool is_still_for(std::chrono::milliseconds time) {
    std::unique_lock lock(mutex_);
    const int before = pictures;
    changed_.wait_for(lock, time, [] { return false; });
    return pictures == before;
  }

  survey_view view{};
  bool folder_seemed_empty = false;
  int pictures = 0;
  std::vector<notice> notices{};
  std::string curve_path{};
  std::size_t curve_values = 0;
  curve_piece curve_end{};

 private:
  std::mutex mutex_;
  std::condition_variable changed_;
};
using shared_screen = std::shared_ptr<screen>;

tact::ref<survey_view> shows_surveys(tact::engine& e, const shared_screen& s) {
  return e.create(tact::behavior<survey_view>{[s](auto&, const survey_view& m) {
    s->change([&](screen& on) {
      if (m.number < on.view.number) return;
      on.view = m;
      on.folder_seemed_empty = on.folder_seemed_empty || (m.sum.is_complete() && m.sum.files == 0);
      ++on.pictures;
    });
  }});
}
tact::ref<notice> shows_notices(tact::engine& e, const shared_screen& s) {
  return e.create(
      tact::behavior<notice>{[s](auto&, const notice& m) { s->change([&](screen& on) { on.notices.push_back(m); }); }});
}
tact::ref<curve_view> shows_curves(tact::engine& e, const shared_screen& s) {
  return e.create(tact::behavior<curve_view>{[s](auto&, const curve_begun& m) {
                                               s->change([&](screen& on) {
                                                 on.curve_path = m.path;
                                                 on.curve_values = 0;
                                                 on.curve_end = {};
                                               });
                                             },
                                             [s](auto&, const curve_piece& m) {
                                               s->change([&](screen& on) {
                                                 on.curve_values += m.values.size();
                                                 if (m.is_last) on.curve_end = m;
                                               });
                                             }});
}

struct office {
  explicit office(tact::engine_options options = {}) : engine(options) {}
  // As the window does it when it is closed.
  ~office() {
    desk | cancel{};
    engine.drain();
  }

  tact::engine engine;
  shared_screen shown = std::make_shared<screen>();
  tact::ref<notice> told = shows_notices(engine, shown);
  tact::ref<loudness::desk> desk = engine.create(
      make_desk({engine, shows_surveys(engine, shown), told, engine.create(make_report_writer(told), tact::blocking)}));

  [[nodiscard]] bool waits_until_over() {
    return shown->waits_until([](const screen& s) { return s.view.number > 0 && s.view.is_over(); });
  }
  [[nodiscard]] bool waits_until_bytes_are_done() {
    return shown->waits_until([](const screen& s) { return s.view.sum.bytes_done > 0; });
  }
  // Shows nothing and takes no processor, when that time has passed.
  [[nodiscard]] bool is_quiet_within(std::chrono::milliseconds time) {
    static_cast<void>(shown->is_still_for(time));
    const std::clock_t before = std::clock();
    return shown->is_still_for(300ms) && std::clock() - before < CLOCKS_PER_SEC / 50;
  }
  [[nodiscard]] notice newest_notice(std::size_t count) {
    REQUIRE(shown->waits_until([&](const screen& s) { return s.notices.size() >= count; }));
    return shown->notices.back();
  }
};

std::string failure_of(const survey_view& view, const std::string& path) {
  const auto place = view.rows.place_of(path);
  return place && view.rows.at(*place).measured ? view.rows.at(*place).measured->failure : "no such row";
}

std::string text_of(const std::filesystem::path& file) {
  std::ostringstream text;
  text << std::ifstream(file).rdbuf();
  return text.str();
}

}  // namespace

TEST_CASE("desk: a folder is measured, and each file that cannot be says why", "[gui]") {
  sounds made;
  made.add("loud.wav", {{-10, 1}});
  made.add("inner/quiet.flac.wav", {{-30, 4}});
  std::ofstream(made.path_of("broken.wav")) << "This is a text.\n";
  std::ofstream(made.path_of("letter.txt")) << "This is no sound by its name.\n";
  office o;
  o.desk | sort_by{sort_key::loudness} | open_folder{made.path() + "/./inner/../"};
  REQUIRE(o.waits_until_over());
  const survey_view& view = o.shown->view;
  CHECK(view.folder == made.path());
  CHECK(progress_text(view) == "done: 3 of 3 files, 1 not measured");
  REQUIRE(view.rows.size() == 3);
  CHECK(view.rows.at(0).path == made.path() + "/loud.wav");
  CHECK(view.rows.at(0).measured->figures->integrated.value == Approx(-10).margin(0.1));
  CHECK(view.rows.at(1).measured->figures->duration_s == Approx(4));
  CHECK(contains(failure_of(view, made.path() + "/broken.wav"), "cannot be decoded: "));
}

TEST_CASE("desk: what is no folder, or has no sound in it, is said", "[gui]") {
  sounds made;
  made.add("loud.wav", {{-10, 1}});
  std::filesystem::create_directory(made.path_of("empty"));
  office o;
  o.desk | open_folder{made.path() + "/no/such"};
  CHECK(contains(o.newest_notice(1).text, "/no/such' cannot be searched: No such file or directory"));
  o.desk | open_folder{made.path() + "/loud.wav"};
  CHECK(contains(o.newest_notice(2).text, "loud.wav' cannot be searched: this is a file, not a folder"));
  o.desk | open_folder{""};
  CHECK(contains(o.newest_notice(3).text, "no folder given"));
  CHECK(o.shown->view.number == 0);
  o.desk | open_folder{made.path() + "/empty"};
  CHECK(o.newest_notice(4).text.empty());
  REQUIRE(o.waits_until_over());
  CHECK(progress_text(o.shown->view) == "no sound files found");
}

TEST_CASE("desk: a pause holds up work within a file and takes no processor, and the work goes on behind it", "[gui]") {
  sounds made;
  made.add("long.wav", {{-20, 60}});
  made.repeat("long.wav", 3);
  office o;
  o.desk | open_folder{made.path()};
  REQUIRE(o.waits_until_bytes_are_done());
  bool was_still = false;
  for (int round = 0; round < 3 && !was_still; ++round) {  // a busy machine may hold up what ends the work
    if (round > 0) o.desk | pause_or_go_on{};
    o.desk | pause_or_go_on{};
    REQUIRE(o.shown->waits_until([](const screen& s) { return s.view.phase == survey_phase::paused; }));
    was_still = o.is_quiet_within(100ms);
  }
  CHECK(was_still);
  CHECK_FALSE(o.shown->view.is_over());
  std::filesystem::remove(made.path_of("long-002.wav"));
  o.desk | pause_or_go_on{};
  REQUIRE(o.waits_until_over());
  CHECK(o.shown->view.sum.files_done == 4);
  CHECK(o.shown->view.sum.bytes_done == o.shown->view.sum.bytes);
  CHECK(failure_of(o.shown->view, made.path() + "/long-002.wav") == "No such file or directory");
}

TEST_CASE("desk: what is cancelled ends at once, and what was measured stays", "[gui]") {
  sounds made;
  made.add("a.wav", {{-10, 1}});
  made.add("long.wav", {{-20, 60}});
  made.repeat("long.wav", 200);
  office o;
  const bool is_paused = GENERATE(false, true);
  o.desk | open_folder{made.path()};
  REQUIRE(o.shown->waits_until([](const screen& s) { return s.view.sum.files_done > 0; }));
  if (is_paused) o.desk | pause_or_go_on{};
  o.desk | cancel{} | pause_or_go_on{} | cancel{};
  REQUIRE(o.waits_until_over());
  CHECK(o.is_quiet_within(200ms));
  CHECK(o.shown->view.rows.size() == 202);
  CHECK(!o.shown->view.rows.results().empty());
  CHECK(contains(progress_text(o.shown->view), "cancelled: "));
}

TEST_CASE("desk: a folder that is opened while work goes on takes its place, and nothing of the old one shows",
          "[gui]") {
  sounds old;
  old.add("long.wav", {{-20, 60}});
  old.repeat("long.wav", 200);
  sounds made;
  made.add("loud.wav", {{-10, 1}});
  office o;
  for (int i = 1; i <= 5; ++i) {
    o.desk | open_folder{old.path()};
    REQUIRE(o.shown->waits_until([](const screen& s) { return s.view.sum.bytes_done > 0; }));
    o.desk | open_folder{made.path()};
    REQUIRE(o.shown->waits_until([&](const screen& s) { return s.view.number == 2 * i && s.view.is_over(); }));
    CHECK(o.shown->view.rows.size() == 1);
    CHECK(o.shown->view.folder == made.path());
    CHECK(o.shown->is_still_for(100ms));
  }
}

TEST_CASE("desk: the table is written as JSON or text, as it is sorted, or the reason is told", "[gui]") {
  sounds made;
  made.add("loud.wav", {{-10, 1}});
  made.add("quiet.wav", {{-30, 1}});
  office o;
  o.desk | open_folder{made.path()};
  REQUIRE(o.waits_until_over());
  o.desk | sort_by{sort_key::loudness} | export_to{made.path() + "/report.json"};
  CHECK(o.newest_notice(2).text == "written: " + made.path() + "/report.json, 2 files");
  const std::string json = text_of(made.path_of("report.json"));
  CHECK(json.find("loud.wav") < json.find("quiet.wav"));
  CHECK(contains(json, "\"integrated_lufs\": "));
  o.desk | sort_by{sort_key::loudness} | export_to{made.path() + "/report.txt"};
  CHECK_FALSE(o.newest_notice(3).is_error);
  const std::string text = text_of(made.path_of("report.txt"));
  CHECK(text.find("quiet.wav") < text.find("loud.wav"));
  CHECK(contains(text, "2 files measured"));
  for (const std::string& place : {made.path() + "/no/such/report.json", std::string("/dev/full"), made.path()}) {
    o.desk | export_to{place};
    CHECK(o.shown->waits_until(
        [&](const screen& s) { return contains(s.notices.back().text, "not written: " + place); }));
    CHECK(o.shown->notices.back().is_error);
  }
  CHECK(contains(o.shown->notices.back().text, "Is a directory"));
}

TEST_CASE("tracer: the curve of the file that was selected last is traced to its end", "[gui]") {
  sounds made;
  made.add("a.wav", {{-20, 60}});
  made.add("b.wav", {{-20, 10}});
  std::ofstream(made.path_of("broken.wav")) << "This is a text.\n";
  office o;
  const auto tracer = o.engine.spawn<loudness::tracer>(tact::heavy, shows_curves(o.engine, o.shown));
  const auto ends = [&](const std::string& name) {
    return o.shown->waits_until(
        [&](const screen& s) { return s.curve_path == made.path_of(name) && s.curve_end.is_last; });
  };
  for (int i = 0; i < 20; ++i) tracer | trace{made.path_of("a.wav")} | trace{made.path_of("b.wav")};
  REQUIRE(ends("b.wav"));
  CHECK(o.shown->curve_values == 71);
  CHECK(o.shown->is_still_for(50ms));
  tracer | trace{made.path_of("broken.wav")};
  REQUIRE(ends("broken.wav"));
  CHECK(contains(o.shown->curve_end.failure, "cannot be decoded: "));
  tracer | trace{made.path_of("a.wav")} | trace{};
  REQUIRE(o.shown->waits_until([](const screen& s) { return s.curve_path.empty(); }));
  o.engine.wait_idle();
  CHECK(o.shown->curve_values == 0);
}

TEST_CASE("desk: in every order of a simulation the last folder is measured, and the books are right", "[gui]") {
  sounds old;
  sounds made;
  for (const char* name : {"a.wav", "in/b.wav", "in/c.wav", "d.wav"}) {
    old.add(name, {{-10, 0.1}});
    made.add(name, {{-20, 0.1}});
  }
  const auto found = tact::explore(100, [&](tact::simulation& sim) {
    tact::engine& engine = sim.engine();
    const auto shown = std::make_shared<screen>();
    const auto desk =
        engine.create(make_desk({engine, shows_surveys(engine, shown), shows_notices(engine, shown), {}}));
    desk | open_folder{old.path()} | pause_or_go_on{} | sort_by{sort_key::loudness} | pause_or_go_on{};
    desk | open_folder{made.path()} | pause_or_go_on{};
    desk | pause_or_go_on{} | sort_by{sort_key::duration} | pause_or_go_on{} | pause_or_go_on{};
    engine.wait_idle();
    sim.advance(1s);
    const survey_view& view = shown->view;
    sim.check(view.number == 2 && view.folder == made.path(), "another survey is shown");
    sim.check(!shown->folder_seemed_empty, "a survey seemed done before it had begun");
    sim.check(progress_text(view) == "done: 4 of 4 files", "the survey is not done");
    sim.check(view.rows.size() == 4 && view.rows.results().size() == 4, "results are missing");
    sim.check(view.sum.bytes == view.sum.bytes_done && view.sum.folders_left == 0, "the sum is not right");
    sim.check(view.rows.order() == row_order{sort_key::duration}, "the order is not that of the last click");
    desk | cancel{};
    engine.wait_idle();
    sim.end();
  });
  CHECK_FALSE(found.failed);
}

}  // namespace desk_test
