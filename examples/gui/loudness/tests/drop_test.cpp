// What is dropped onto the window, and what is searched for in it.
#include <catch2/catch.hpp>  // first: FL/fl_draw.H brings the macros of Xlib

#include <filesystem>
#include <string>
#include <vector>

#include "../dropped_paths.hpp"
#include "program.hpp"
#include "sounds.hpp"
#include "text.hpp"

namespace drop_test {

namespace {

using loudness::dropped_paths;
using loudness::tests::contains;
using loudness::tests::program;
using loudness::tests::sounds;
using names = std::vector<std::string>;

// As FLTK tells a window when the X server says that something is dropped there.
void drop(program& p, std::string text) {
  REQUIRE(Fl::handle(FL_DND_ENTER, &p.window) == 1);
  REQUIRE(Fl::handle(FL_DND_DRAG, &p.window) == 1);
  REQUIRE(Fl::handle(FL_DND_RELEASE, &p.window) == 1);
  REQUIRE(Fl::belowmouse() == &p.window);
  Fl::e_text = text.data();
  Fl::e_length = static_cast<int>(text.size());
  REQUIRE(Fl::belowmouse()->handle(FL_PASTE) == 1);
}

}  // namespace

TEST_CASE("drop: a list of URIs, or of paths, becomes the paths of this machine", "[gui]") {
  CHECK(dropped_paths("file:///a/b%20c.wav\r\nfile://localhost/d\r\n") == names{"/a/b c.wav", "/d"});
  CHECK(dropped_paths("/a/b%20c\n/d") == names{"/a/b%20c", "/d"});
  CHECK(dropped_paths("file:/a\n") == names{"/a"});
  CHECK(dropped_paths("file:///50%/%zz/%4") == names{"/50%/%zz/%4"});
  CHECK(dropped_paths("http://a.org/b\nfile://other/c\nfile://none\nsome text\n\n").empty());
}

TEST_CASE("loudness window: files and folders that are dropped are measured, each once", "[gui]") {
  sounds made;
  made.add("one/a.wav", {{-20, 1}});
  made.add("one/b.wav", {{-30, 1}});
  made.add("two/c d.wav", {{-10, 1}});
  program p;
  drop(p, "file://" + made.path() + "/one\r\nfile://" + made.path() + "/two/c%20d.wav\r\nfile://" + made.path() +
              "/one/a.wav\r\n");
  REQUIRE(p.waits_until_status("done: 3 of 3 files"));
  CHECK(p.names() == names{"a", "b", "c d"});
  made.add("two/e.wav", {{-10, 1}});
  drop(p, made.path() + "/one\n" + made.path() + "\n" + made.path() + "/two\n");  // two of them are in the other one
  REQUIRE(p.waits_until_status("done: 4 of 4 files"));
  CHECK(p.names() == names{"a", "b", "c d", "e"});
  drop(p, "http://example.org/a.wav\r\n");
  CHECK(p.person.waits_until([&] { return contains(p.window.message.value(), "is no file or folder"); }));
  CHECK(p.names().size() == 4);
}

TEST_CASE("loudness window: a person searches, and files that come later are searched, too", "[gui]") {
  sounds made;
  made.add("Bach.wav", {{-20, 1}});
  made.add("Mozart.wav", {{-30, 1}});
  program p;
  p.window.open(made.path());
  REQUIRE(p.waits_until_status("done"));
  p.person.fill(p.window.search.text, "bach");
  CHECK(p.person.waits_until([&] { return p.names() == names{"Bach"}; }));
  p.window.open(made.path());
  REQUIRE(p.waits_until_status("done: 2 of 2"));
  CHECK(p.names() == names{"Bach"});
  p.person.fill(p.window.search.text, "");
  CHECK(p.person.waits_until([&] { return p.names() == names{"Bach", "Mozart"}; }));
}

}  // namespace drop_test
