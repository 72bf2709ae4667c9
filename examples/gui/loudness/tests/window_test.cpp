// The window as a person uses it.
#include <catch2/catch.hpp>  // first: FL/fl_draw.H brings the macros of Xlib

#include <filesystem>
#include <fstream>
#include <string>
#include <utility>
#include <vector>

#include "program.hpp"
#include "sounds.hpp"
#include "text.hpp"

namespace window_test {

namespace {

using loudness::sort_key;
using loudness::tests::contains;
using loudness::tests::program;
using loudness::tests::sounds;
using tact::gui_tests::special;
using names = std::vector<std::string>;

// Three files of different loudness and duration, and one that is no sound.
struct four_files {
  four_files() {
    made.add("a.wav", {{-20, 4}});
    made.add("b.wav", {{-30, 3}, {-34, 3}});
    made.add("c.wav", {{-10, 2}});
    std::ofstream(made.path_of("d.wav")) << "This is a text.\n";
  }
  [[nodiscard]] std::string path() const { return made.path(); }

  sounds made;
};

names shown_in(program& p) { return p.names(); }

// Agrees to what the dialog that opens proposes, from inside of its event loop.
class agreement {
 public:
  explicit agreement(program& p) : hands_(p.person.hands()) { Fl::add_timeout(pause_s, &look, this); }
  ~agreement() { Fl::remove_timeout(&look, this); }

 private:
  static constexpr double pause_s = 0.05;

  static void look(void* at) {
    auto& hands = static_cast<agreement*>(at)->hands_;
    const Fl_Window* const dialog = Fl::modal();
    if (dialog != nullptr) hands.move(dialog->x_root() + 5, dialog->y_root() + 5);  // keys go where the pointer is
    const auto has = [&](const Fl_Widget* w) { return w != nullptr && dialog->contains(w); };
    const bool is_there = dialog != nullptr && has(Fl::belowmouse()) && has(Fl::focus());
    if (!is_there) return Fl::repeat_timeout(pause_s, &look, at);
    hands.key(special::enter);
  }

  tact::gui_tests::display& hands_;
};

}  // namespace

TEST_CASE("loudness window: a person types a folder that is not there, then one that is", "[gui]") {
  const four_files made;
  program p;
  p.person.fill(p.window.folder.path, made.path() + "/other");
  p.person.key(special::enter);
  REQUIRE(p.person.waits_until([&] { return p.window.message.size() > 0; }));
  CHECK(contains(p.window.message.value(), "other' cannot be searched: No such file or directory"));
  CHECK(p.window.table.rows() == 0);
  p.person.fill(p.window.folder.path, made.path());
  p.person.click(p.window.folder.measure);
  REQUIRE(p.waits_until_status("done: 4 of 4 files, 1 not measured"));
  CHECK(p.window.message.size() == 0);
  CHECK(shown_in(p) == names{"a", "b", "c", "d"});
  CHECK_FALSE(p.window.work.cancel.active());
}

TEST_CASE("loudness window: a click on a head sorts, a second one turns round, and the selection stays", "[gui]") {
  const four_files made;
  program p;
  p.window.open(made.path());
  REQUIRE(p.waits_until_status("done"));
  const std::vector<std::pair<sort_key, names>> orders{
      {sort_key::loudness, {"c", "a", "b", "d"}}, {sort_key::loudness, {"b", "a", "c", "d"}},
      {sort_key::duration, {"b", "a", "c", "d"}}, {sort_key::path, {"a", "b", "c", "d"}},
      {sort_key::path, {"d", "c", "b", "a"}},     {sort_key::peak, {"c", "a", "b", "d"}},
      {sort_key::range, {"b", "a", "c", "d"}},
  };
  p.click_row(1);
  REQUIRE(p.person.waits_until([&] { return p.window.table.selected() == made.path() + "/b.wav"; }));
  for (const auto& [key, order] : orders) {
    p.click_head(key);
    CAPTURE(static_cast<int>(key));
    CHECK(p.person.waits_until([&] { return shown_in(p) == order; }));
  }
  CHECK(p.window.table.selected() == made.path() + "/b.wav");
  CHECK(p.person.waits_until([&] { return p.window.plot.path() == made.path() + "/b.wav"; }));
}

TEST_CASE("loudness window: the curve is that of the selected file, and goes with its folder", "[gui]") {
  const four_files made;
  sounds other;
  other.add("e.wav", {{-10, 1}});
  program p;
  p.window.open(made.path());
  REQUIRE(p.waits_until_status("done"));
  const auto shows = [&](const std::string& file, std::size_t values) {
    return p.person.waits_until([&] {
      const auto& plot = p.window.plot;
      return plot.path() == made.path() + file && plot.is_complete() && plot.values().size() == values;
    });
  };
  p.click_row(0);
  CHECK(shows("/a.wav", 11));
  p.person.key(special::down);
  CHECK(shows("/b.wav", 31));
  p.person.key(special::down);
  CHECK(shows("/c.wav", 0));
  CHECK(contains(p.window.plot.explanation(), "shorter than three seconds"));
  p.person.key(special::down);
  p.person.key(special::down);
  CHECK(shows("/d.wav", 0));
  CHECK(contains(p.window.plot.explanation(), "cannot be decoded"));
  p.window.open(other.path());
  CHECK(p.person.waits_until([&] { return p.window.plot.path().empty() && p.window.table.rows() == 1; }));
  CHECK(p.window.table.selected().empty());
}

TEST_CASE("loudness window: a picture that comes late of a survey that was replaced is not shown", "[gui]") {
  program p;
  loudness::survey_view old{.number = 1, .folder = "/old"};
  old.rows = old.rows.with_file("/old/a.wav");
  p.window.show(loudness::survey_view{.number = 2, .folder = "/new"});
  p.window.show(old);
  CHECK(p.window.table.rows() == 0);
}

TEST_CASE("loudness window: the Escape key does not close it", "[gui]") {
  program p;
  p.person.click(p.window.table, 60, 100);
  p.person.key(special::escape);
  p.person.key(special::down);
  p.person.rest();
  CHECK(p.window.shown());
}

TEST_CASE("loudness window: keys move the selection, and the table follows", "[gui]") {
  sounds made;
  made.add("a.wav", {{-10, 0.5}});
  made.repeat("a.wav", 60);
  program p;
  p.window.open(made.path());
  REQUIRE(p.waits_until_status("done"));
  p.click_row(0);
  for (int i = 0; i < 40; ++i) p.person.key(special::down);
  REQUIRE(p.person.waits_until([&] { return p.window.table.selected() == made.path() + "/a-040.wav"; }));
  CHECK(p.window.table.row_position() > 20);
  for (int i = 0; i < 50; ++i) p.person.key(special::up);
  REQUIRE(p.person.waits_until([&] { return p.window.table.selected() == made.path() + "/a-000.wav"; }));
  CHECK(p.window.table.row_position() == 0);
}

TEST_CASE("loudness window: a person holds up the work, lets it go on, and cancels it", "[gui]") {
  sounds made;
  made.add("long.wav", {{-20, 40}});
  made.repeat("long.wav", 300);
  program p;
  p.window.open(made.path());
  REQUIRE(p.person.waits_until([&] { return p.window.work.bar.value() > 0.0F; }));
  CHECK(p.window.work.pause.label() == std::string("Pause"));
  p.person.click(p.window.work.pause);
  REQUIRE(p.waits_until_status("paused: "));
  CHECK(p.window.work.pause.label() == std::string("Go on"));
  p.person.click(p.window.work.pause);
  REQUIRE(p.person.waits_until([&] { return contains(p.status(), " left"); }));
  p.person.click(p.window.work.cancel);
  REQUIRE(p.waits_until_status("cancelled: "));
  CHECK_FALSE(p.window.work.pause.active());
  CHECK(p.window.work.report.active());
  CHECK(p.window.table.rows() == 301);
}

TEST_CASE("loudness window: the table is written to the file that a person names, or the reason is shown", "[gui]") {
  const four_files made;
  program p;
  p.window.open(made.path());
  REQUIRE(p.waits_until_status("done"));
  const auto exports = [&](const std::string& message) {
    const agreement to_the_proposed_name(p);
    p.person.click(p.window.work.report);
    return p.person.waits_until([&] { return contains(p.window.message.value(), message); });
  };
  CHECK(exports("written: " + made.path() + "/loudness.json, 4 files"));
  CHECK(std::filesystem::file_size(made.path() + "/loudness.json") > 100);
  std::filesystem::remove_all(made.path());
  CHECK(exports("not written: " + made.path() + "/loudness.json: No such file or directory; choose another place"));
}

TEST_CASE("loudness window: a picture of a survey that goes on", "[gui]") {
  sounds made;
  const names pieces{"01 Prelude", "02 Allemande", "03 Courante",  "04 Sarabande", "05 Minuet",  "06 Gavotte",
                     "07 Bourree", "08 Air",       "09 Passepied", "10 Loure",     "11 Rondeau", "12 Gigue"};
  int number = 0;
  for (const std::string& piece : pieces) {
    loudness::tone music;
    music.rate_hz = 8000;
    music.channel_gains_db = {0.0};
    music.format = SF_FORMAT_WAV | SF_FORMAT_FLOAT;  // large: it is measured first
    ++number;
    for (int part = 0; part < 12; ++part) {
      music.segments.push_back({-6.0 - number * 5 % 13 - part * part * (number + 3) % 17, 7.0 + part * number % 5});
    }
    loudness::write_tone(made.path_of("Suite/" + piece + ".wav"), music);
  }
  made.add("Voices/voice.wav", {{-36, 10}});
  made.repeat("Voices/voice.wav", 80);
  program p;
  p.window.open(made.path());
  p.click_head(sort_key::loudness);
  REQUIRE(p.person.waits_until([&] { return p.window.work.bar.value() > 0.4F; }));
  p.click_row(2);
  REQUIRE(p.person.waits_until([&] { return p.window.plot.is_complete(); }));
  p.person.take_picture(p.window, "loudness-window");
}

}  // namespace window_test
