// The window with a store.
#include <catch2/catch.hpp>  // first: FL/fl_draw.H brings the macros of Xlib

#include <filesystem>
#include <string>
#include <vector>

#include "program.hpp"
#include "sounds.hpp"
#include "text.hpp"

namespace kept_test {

namespace {

using loudness::tests::contains;
using loudness::tests::folder;
using loudness::tests::program;
using loudness::tests::sounds;
using names = std::vector<std::string>;

}  // namespace

TEST_CASE("loudness window: what was kept is known to the next window, and shown without the sound files", "[gui]") {
  const folder place;
  const std::string store = (place / "results.store").string();
  sounds made;
  made.add("a.wav", {{-20, 4}});
  made.add("b.wav", {{-30, 3}});
  {
    program p(store);
    p.window.open(made.path());
    REQUIRE(p.waits_until_status("done: 2 of 2 files"));
    CHECK_FALSE(contains(p.status(), "known"));
  }
  program p(store);
  p.window.open(made.path());
  REQUIRE(p.waits_until_status("done: 2 of 2 files, 2 known"));
  std::filesystem::remove(made.path_of("a.wav"));
  p.window.open(made.path());
  REQUIRE(p.waits_until_status("done: 1 of 1 files, 1 known"));
  p.person.click(p.window.search.kept);
  REQUIRE(p.waits_until_status("done: 2 of 2 files, 2 known"));
  CHECK(p.names() == names{"a", "b"});
  p.click_row(0);
  REQUIRE(p.person.waits_until([&] { return p.window.plot.path() == made.path() + "/a.wav"; }));
  CHECK(p.person.waits_until([&] { return p.window.plot.is_complete(); }));
  CHECK(p.window.plot.values().size() == 11);
}

}  // namespace kept_test
