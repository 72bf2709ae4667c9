// What the environment sets: options of engines, and what is observed.
#include <csignal>
#include <cstdlib>
#include <filesystem>
#include <fstream>
#include <iterator>
#include <string>

#include <unistd.h>

#include "inspect/turning.hpp"
#include "support/captured_stderr.hpp"
#include "support/engine_fixture.hpp"
#include "tact/inspect/environment_observer.hpp"

namespace inspect_environment_test {

namespace {

using namespace tact::support;

class variable {
 public:
  variable(const char* name, const std::string& value) : name_(name) { ::setenv(name, value.c_str(), 1); }
  ~variable() { ::unsetenv(name_); }
  variable(const variable&) = delete;
  variable& operator=(const variable&) = delete;

 private:
  const char* name_;
};

struct word {};

std::string contents(const std::filesystem::path& path) {
  std::ifstream file(path);
  return {std::istreambuf_iterator<char>(file), {}};
}

std::filesystem::path fresh(const std::string& name) {
  const auto path = std::filesystem::temp_directory_path() / (name + "." + std::to_string(::getpid()));
  std::filesystem::remove(path);
  return path;
}

void run_one_message(tact::engine& engine) {
  engine.send(engine.create(tact::behavior<word>([](auto&, const word&) {})), word{});
  require_idle(engine);
}

}  // namespace

TEST_CASE("environment: it sets options that the program has left at their defaults, and no others") {
  const variable workers("TACT_WORKERS", "3");
  CHECK(tact::engine().workers() == 3);
  CHECK(tact::engine({.workers = 2}).workers() == 2);
  CHECK(tact::engine({.workers = 0}).workers() == 0);
  CHECK(tact::engine({.environment = false}).workers() ==
        tact::engine({.workers = tact::all_units, .environment = false}).workers());
  tact::simulation sim(1);
  CHECK(sim.engine().workers() == 4);
}

TEST_CASE("environment: a value that makes no sense is named with its variable") {
  const auto refuses = [](const char* name, const char* value) {
    const variable set(name, value);
    CHECK_THROWS_WITH(tact::engine(), Catch::Contains(std::string(name) + " = " + value));
  };
  for (const char* const value : {"0", "-1", "1025", "two", "2x", "99999999999999999999"})
    refuses("TACT_WORKERS", value);
  refuses("TACT_PIN_WORKERS", "yes");
  refuses("TACT_WORKERS_REST", "no");
  refuses("TACT_REHEARSE", "2");
  refuses("TACT_REPORT_ALIVE", "on");
  const variable empty("TACT_WORKERS", "");
  CHECK(tact::engine().workers() >= 1);
}

TEST_CASE("environment: without variables an observer does nothing, and with them it writes its files at its end") {
  tact::engine engine(quiet_options(1));
  { const tact::inspect::environment_observer nothing(engine); }
  const auto trace = fresh("tact-trace");
  const auto metrics = fresh("tact-metrics");
  {
    const variable to_trace("TACT_TRACE", trace.string());
    const variable to_metrics("TACT_METRICS", metrics.string());
    const tact::inspect::environment_observer observer(engine);
    run_one_message(engine);
  }
  CHECK(contents(trace).find("\"cat\":\"handler\"") != std::string::npos);
  CHECK(contents(metrics).find("tact_commits_total 1\n") != std::string::npos);
  std::filesystem::remove(trace);
  std::filesystem::remove(metrics);
}

TEST_CASE("environment: a file that cannot be written is named") {
  tact::engine engine(quiet_options(1));
  const variable to_metrics("TACT_METRICS", "/no such folder/metrics");
  const std::string words = captured_stderr([&] { const tact::inspect::environment_observer observer(engine); });
  CHECK(words.find("/no such folder/metrics cannot be written") != std::string::npos);
}

TEST_CASE("environment: numbers of an observer that make no sense are named") {
  tact::engine engine(quiet_options(1));
  const variable wrong("TACT_WATCHDOG_MS", "soon");
  CHECK_THROWS_WITH(tact::inspect::environment_observer(engine), Catch::Contains("TACT_WATCHDOG_MS = soon"));
}

TEST_CASE("environment: at SIGQUIT the engine is described, with the stacks of the handlers that run") {
  const variable describes("TACT_DESCRIBE", "1");
  turning::exit out;
  tact::engine engine(quiet_options(1));
  engine.send(engine.create(tact::behavior<word>([&](auto&, const word&) { turning::turn_in_circles(out); })), word{});
  out.wait_until_used();
  const auto said_by = [&] {
    return captured_stderr([&] {
      const tact::inspect::environment_observer observer(engine);
      std::raise(SIGQUIT);
    });  // the end of the observer waits until all is said
  };
  const std::string words = said_by();
  INFO(words);
  CHECK(words.find("worker 0 runs ") != std::string::npos);
  CHECK(words.find("turning::turn_in_circles(") != std::string::npos);
  const variable without("TACT_STACK_SIGNAL", "0");
  CHECK(said_by().find("turn_in_circles") == std::string::npos);
  out.open();
  require_idle(engine);
}

TEST_CASE("environment: a signal that makes no sense is named with its variable") {
  tact::engine engine(quiet_options(1));
  for (const char* const value : {"x", "-1", "9", "11", "32", "65", "99999999999"}) {
    const variable wrong("TACT_STACK_SIGNAL", value);
    CHECK_THROWS_WITH(tact::inspect::environment_observer(engine),
                      Catch::Contains(std::string("TACT_STACK_SIGNAL = ") + value));
  }
}

}  // namespace inspect_environment_test
