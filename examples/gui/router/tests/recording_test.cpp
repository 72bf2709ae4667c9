// Recordings: what is written is read again, and what is wrong with a file is said.
#include "recording.hpp"

#include <catch2/catch.hpp>

#include <filesystem>
#include <fstream>
#include <memory>
#include <string>
#include <vector>

#include "hand.hpp"

namespace recording_test {

namespace {

using namespace router;
using router::tests::hand;

// A file that is gone behind the test.
class file {
 public:
  explicit file(const std::string& name) : path_(std::filesystem::temp_directory_path() / ("tact-router-" + name)) {}
  ~file() { std::filesystem::remove(path_); }
  file(const file&) = delete;
  file& operator=(const file&) = delete;
  [[nodiscard]] const std::filesystem::path& path() const noexcept { return path_; }
  void write(const std::string& text) const { std::ofstream(path_) << text; }

 private:
  std::filesystem::path path_;
};

std::string problem_of(const file& f) {
  try {
    read_recording(f.path());
  } catch (const recording_error& e) {
    return e.what();
  }
  return "";
}

bool contains(const std::string& text, const std::string& part) { return text.find(part) != std::string::npos; }

}  // namespace

TEST_CASE("recording: an event is the same when its line is read", "[gui]") {
  for (const std::string text : {"", "z", " two  blanks ", "a\nb\\n\\", "\n"}) {
    CAPTURE(text);
    const event e{event_kind::drop, 1234, -5, 6, 2, control | shift, text, 7, 8, {}};
    const event again = read_line(line_of(e));
    CHECK(again.kind == e.kind);
    CHECK(again.at_ms == e.at_ms);
    CHECK(again.x == e.x);
    CHECK(again.y == e.y);
    CHECK(again.amount == e.amount);
    CHECK(again.modifiers == e.modifiers);
    CHECK(again.text == e.text);
    CHECK(again.about == e.about);
    CHECK(again.number == e.number);
  }
}

TEST_CASE("recording: what an actor has written draws the same again", "[gui]") {
  const file f("written");
  std::string drawing;
  {
    tact::engine engine;
    hand h(engine);
    h.drag({{100, 100}, {150, 150}, {200, 120}}).click_on("caption").key("h").key("i");
    drawing = h.drawing();
    const auto written = engine.spawn<recorder>(tact::blocking, f.path(), [](const std::string& m) { FAIL(m); });
    const auto events = h.recorded();
    for (const event& e : *events) engine.send(written, std::make_shared<const event>(e));
  }
  tact::engine engine;
  CHECK(router::tests::drawn(engine, read_recording(f.path())) == drawing);
}

TEST_CASE("recording: a file that is none is refused, with its name, the line and the reason", "[gui]") {
  const file f("bad");
  CHECK(contains(problem_of(f), f.path().string() + " cannot be read"));
  const std::string good = "1 0 move 1 2 0 0 0 \n";
  f.write(good + "nonsense\n");
  CHECK(contains(problem_of(f), "line 2: expected: NUMBER"));
  f.write(good + "2 0 jump 1 2 0 0 0 \n");
  CHECK(contains(problem_of(f), "line 2: there is no event \"jump\""));
  f.write(good + "3 0 move 1 2 0 0 0 \n");
  CHECK(contains(problem_of(f), "line 2: expected event 2, got event 3"));
  f.write(good);
  CHECK(problem_of(f).empty());
}

TEST_CASE("recorder: a file that cannot be made is named, and a full disk is told once", "[gui]") {
  tact::engine engine;
  const auto nowhere = std::filesystem::temp_directory_path() / "tact-router-none" / "file";
  CHECK_THROWS_WITH(engine.spawn<recorder>(tact::blocking, nowhere, [](const std::string&) {}),
                    Catch::Contains(nowhere.string() + " cannot be written"));
  if (!std::filesystem::exists("/dev/full")) {
    WARN("skipped: there is no /dev/full, which is a disk that is always full");
    return;
  }
  std::vector<std::string> told;
  const auto full =
      engine.spawn<recorder>(tact::blocking, "/dev/full", [&](const std::string& m) { told.push_back(m); });
  for (std::uint64_t i = 1; i <= 3; ++i) engine.send(full, std::make_shared<const event>(event{.number = i}));
  engine.wait_idle();
  REQUIRE(told.size() == 1);
  CHECK(contains(told[0], "/dev/full cannot be written from event 1 on: is the disk full?"));
}

}  // namespace recording_test
