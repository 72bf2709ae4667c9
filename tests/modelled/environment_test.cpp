// A program as it is, on the machine that its environment names.
#include <unistd.h>

#include <cstdio>
#include <cstdlib>
#include <fstream>
#include <sstream>

#include "modelled/json.hpp"
#include "modelled/programs.hpp"
#include "tact/tact.hpp"

namespace environment_test {

namespace {

using namespace tact::modelled_tests;
using Catch::Matchers::Contains;

struct answer {
  int status = -1;
  std::string words;   // on both outputs
  std::string result;  // the file, if the environment names one
};

// A file that is there as long as this.
class passing_file {
 public:
  explicit passing_file(const std::string& text = "") {
    const int file = ::mkstemp(path_.data());
    REQUIRE(file != -1);
    ::close(file);
    std::ofstream(path_) << text;
  }
  ~passing_file() { std::remove(path_.c_str()); }
  passing_file(const passing_file&) = delete;
  passing_file& operator=(const passing_file&) = delete;
  [[nodiscard]] const std::string& path() const noexcept { return path_; }
  [[nodiscard]] std::string text() const {
    std::ostringstream all;
    all << std::ifstream(path_).rdbuf();
    return all.str();
  }

 private:
  std::string path_ = "tact_modelled_test.XXXXXX";
};

// This program, with that environment: it makes an engine, and says how many workers it has.
answer run_with(const std::string& environment) {
  std::string self(4096, '\0');
  const ssize_t length = ::readlink("/proc/self/exe", self.data(), self.size());
  REQUIRE(length > 0);
  self.resize(static_cast<std::size_t>(length));
  answer a;
  std::FILE* const pipe = ::popen((environment + " '" + self + "' '[.counts]' 2>&1").c_str(), "r");
  REQUIRE(pipe != nullptr);
  for (int c = std::fgetc(pipe); c != EOF; c = std::fgetc(pipe)) a.words += static_cast<char>(c);
  const int status = ::pclose(pipe);
  a.status = WIFEXITED(status) ? WEXITSTATUS(status) : -1;
  return a;
}

}  // namespace

TEST_CASE("model: says how many workers there are, for a process that asks", "[.counts]") {
  const tact::engine e;
  tact::model::spend_ns(1e6);
  CHECK(e.statistics().workers > 0);
  std::printf("%u workers, %s\n", e.statistics().workers, tact::model::is_running() ? "modelled" : "real");
}

TEST_CASE("model: a program runs on the machine that its environment names, and its result is told at its end",
          "[modelled]") {
  const answer real = run_with("");
  CHECK(real.status == 0);
  CHECK_THAT(real.words, Contains("workers, real"));
  const answer modelled = run_with("TACT_MODEL='l3:1 core:3 pu:2'");
  CHECK(modelled.status == 0);
  CHECK_THAT(modelled.words, Contains("6 workers, modelled") && Contains("threads busy"));
}

TEST_CASE("model: the environment names costs, a seed, and a file for the result", "[modelled]") {
  const passing_file result, costs("# a slow system\nstart = 5e8\n");
  const std::string words = "TACT_MODEL='core:2 pu:1' TACT_MODEL_SEED=7 TACT_MODEL_RESULT=" + result.path();
  CHECK(run_with(words).status == 0);
  const json usual(result.text());
  CHECK((usual.number("seconds") > 1e-3 && usual.number("seconds") < 1));
  CHECK(run_with(words + " TACT_MODEL_COSTS=" + costs.path()).status == 0);
  CHECK(json(result.text()).number("seconds") > 1);
}

TEST_CASE("model: an environment with a mistake ends the program with a sentence", "[modelled]") {
  const passing_file costs("l4 = 3");
  const answer machine = run_with("TACT_MODEL=desk:2");
  CHECK(machine.status == 2);
  CHECK_THAT(machine.words, Contains("tact::model: ") && Contains("desk:2"));
  const answer cost = run_with("TACT_MODEL='core:2 pu:1' TACT_MODEL_COSTS=" + costs.path());
  CHECK(cost.status == 2);
  CHECK_THAT(cost.words, Contains("there is no cost l4"));
  const answer file = run_with("TACT_MODEL='core:2 pu:1' TACT_MODEL_COSTS=/nowhere/costs");
  CHECK(file.status == 2);
  CHECK_THAT(file.words, Contains("cannot read /nowhere/costs"));
}

}  // namespace environment_test
