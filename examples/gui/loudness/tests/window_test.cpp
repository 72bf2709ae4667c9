// The window as a person uses it.
#include <catch2/catch.hpp>  // first: FL/fl_draw.H brings the macros of Xlib

#include <fstream>
#include <string>

#include "program.hpp"
#include "sounds.hpp"

namespace {

using loudness::tests::program;
using loudness::tests::sounds;

}  // namespace

TEST_CASE("loudness window: a picture", "[gui][picture]") {
  sounds made;
  made.add("a.wav", 300);
  made.repeat("a.wav", 30);
  program p;
  p.window.open(made.path());
  REQUIRE(p.person.waits_until([&] { return p.window.work.bar.value() > 0.5F; }));
  p.click_head(loudness::sort_key::loudness);
  p.person.rest();
  p.click_row(2);
  REQUIRE(p.person.waits_until([&] { return p.window.plot.is_complete(); }));
  p.person.take_picture(p.window, "loudness-window");
}
