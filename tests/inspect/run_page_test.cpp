// The page of a run: when it is written, and what is said where it cannot be. What is in it: page_test.py.
#include <cstdlib>
#include <filesystem>
#include <fstream>
#include <iterator>
#include <optional>
#include <sstream>
#include <stdexcept>
#include <string>

#include "support/captured_stderr.hpp"
#include "support/engine_fixture.hpp"
#include "tact/inspect/recorder.hpp"
#include "tact/inspect/run_page.hpp"

namespace inspect_run_page_test {

namespace {

namespace fs = std::filesystem;

struct word {};

// A folder of its own, which is gone afterwards.
class scratch {
 public:
  scratch() {
    std::string name = (fs::temp_directory_path() / "tact-page-XXXXXX").string();
    if (::mkdtemp(name.data()) == nullptr) throw std::runtime_error("no folder for the test");
    path_ = name;
  }
  ~scratch() { fs::remove_all(path_); }
  scratch(const scratch&) = delete;
  scratch& operator=(const scratch&) = delete;
  [[nodiscard]] std::string file(const std::string& name) const { return (path_ / name).string(); }

 private:
  fs::path path_;
};

std::string contents(const std::string& file) {
  std::ifstream in(file, std::ios::binary);
  return {std::istreambuf_iterator<char>(in), {}};
}

// One actor gets a word.
void send_word(tact::engine& engine) {
  engine.send(engine.create(tact::behavior<word>([](auto&, const word&) {})), word{});
  engine.wait_idle();
}

void fail_by_check(tact::simulation& sim) {
  send_word(sim.engine());
  sim.check(false, "a word was sent");
}

const tact::explore_options silent{.prints = false};

}  // namespace

TEST_CASE("run page: a failure is written to the file that the message names") {
  const scratch here;
  const std::string file = here.file("failure.html");
  std::optional<tact::inspect::drawn_exploration> e;
  const std::string said = tact::support::captured_stderr([&] { e = tact::inspect::explore(10, fail_by_check, file); });
  CHECK(e->failed);
  CHECK(e->repeatable);
  CHECK(e->page == file);
  CHECK(e->page_lack.empty());
  CHECK(said == e->text());
  CHECK(said.find("a word was sent") != std::string::npos);
  CHECK(said.find("step by step: " + file) != std::string::npos);
  const std::string page = contents(file);
  CHECK(page.starts_with("<!DOCTYPE html>"));
  CHECK(page.find("a word was sent") != std::string::npos);
  CHECK(page.ends_with("</html>\n"));
}

TEST_CASE("run page: of a program that does not fail no page is written") {
  const scratch here;
  const std::string file = here.file("failure.html");
  const auto e = tact::inspect::explore(
      10, [](tact::simulation& sim) { send_word(sim.engine()); }, file);
  CHECK(!e.failed);
  CHECK(e.page.empty());
  CHECK(e.text() == "tact::explore: 10 schedules, none failed\n");
  CHECK(!fs::exists(file));
}

TEST_CASE("run page: a name that can be no file is refused before the program runs") {
  const auto never = [](tact::simulation&) { FAIL("the program ran"); };
  CHECK_THROWS_WITH(tact::inspect::explore(1, never, ""), Catch::Contains("give one such as"));
  CHECK_THROWS_WITH(tact::inspect::explore(1, never, "/no/such/folder/failure.html"), Catch::Contains("make it first"));
  CHECK_THROWS_AS(tact::inspect::explore(0, never, "failure.html"), tact::usage_error);
  std::ostringstream page;
  CHECK_THROWS_WITH(tact::inspect::write_page(page, {}, never, 0), Catch::Contains("give 1 at least"));
}

TEST_CASE("run page: a file that cannot be written leaves the failure, and says why there is no page") {
  const scratch here;
  const auto e = tact::inspect::explore(10, fail_by_check, here.file(""), silent);
  CHECK(e.failed);
  CHECK(e.page.empty());
  CHECK(e.page_lack.find("could not be written: Is a directory") != std::string::npos);
  CHECK(e.text().find(e.page_lack) != std::string::npos);
}

TEST_CASE("run page: what fails otherwise while it is drawn is named, and drawn") {
  const scratch here;
  const std::string file = here.file("failure.html");
  // An engine has one recorder, and the page has it.
  const auto e = tact::inspect::explore(
      10,
      [](tact::simulation& sim) {
        const tact::inspect::recorder own(sim.engine());
        sim.check(false, "a recorder was made");
      },
      file, silent);
  CHECK(e.what == "a recorder was made");
  CHECK(e.page == file);
  CHECK(e.page_lack.find("recorded for the page of its run") != std::string::npos);
  CHECK(contents(file).find("the page shows another run") != std::string::npos);
}

TEST_CASE("run page: a program that makes no engine, fails at once or throws what is no exception has a page") {
  std::ostringstream none;
  CHECK(!tact::inspect::write_page(none, {}, [](tact::simulation&) {}));
  CHECK(none.str().find(R"("failure":-1)") != std::string::npos);
  std::ostringstream thrown;
  CHECK(tact::inspect::write_page(thrown, {}, [](tact::simulation&) { throw 7; }) ==
        "an exception that is no std::exception");
  CHECK(thrown.str().find(R"("failure":0)") != std::string::npos);
  std::ostringstream stuck;
  const auto what = tact::inspect::write_page(stuck, {}, [](tact::simulation& sim) {
    struct question {
      using reply = int;
    };
    auto& engine = sim.engine();
    const auto silent_one = engine.create(
        tact::behavior<tact::request<question>>([](auto& self, const tact::request<question>& m) { self.defer(m); }));
    static_cast<void>(engine.ask(silent_one, question{}));
  });
  REQUIRE(what);
  INFO(*what);
  CHECK(what->find("deadlock") != std::string::npos);
}

TEST_CASE("run page: a check that fails in a handler is marked there, before the handler commits") {
  std::ostringstream page;
  const auto what = tact::inspect::write_page(page, {}, [](tact::simulation& sim) {
    auto& engine = sim.engine();
    const auto a =
        engine.create(tact::behavior<word>([&sim](auto&, const word&) { sim.check(false, "no word was expected"); }));
    engine.send(a, word{});
    engine.wait_idle();
  });
  CHECK(what == "no word was expected");
  const std::string text = page.str();
  const auto failure = text.find(R"("k":"failure")");
  CHECK(text.find(R"("k":"begun")") < failure);
  CHECK(failure < text.find(R"("h":"committed")"));
}

}  // namespace inspect_run_page_test
