// The same options and the same program give the same result, in each process.
#include <unistd.h>

#include <algorithm>
#include <cstdio>
#include <set>

#include "modelled/json.hpp"
#include "modelled/nap.hpp"
#include "modelled/programs.hpp"
#include "support/death.hpp"
#include "support/seed.hpp"
#include "tact/tact.hpp"

namespace repeat_test {

namespace {

using namespace tact::modelled_tests;
using namespace std::chrono_literals;

struct deposit {
  long cents;
};
struct account : tact::protocol<deposit> {};
tact::behavior<account> open_account(long cents) {
  return {[=](tact::self<account>& self, const deposit& m) { self.become(open_account(cents + m.cents)); }};
}

// Something of everything: threads, mutexes, sleeps, actors.
void program() {
  std::mutex mutex;
  long sum = 0;
  on_threads(3, [&](unsigned i) {
    for (int n = 0; n < 50; ++n) {
      const std::lock_guard lock(mutex);
      sum += i;
      tact::model::spend_ns(100);
    }
    nap(1us * i);
  });
  tact::engine e;
  std::vector<tact::ref<account>> all;
  for (int i = 0; i < 20; ++i) all.push_back(e.create(open_account(sum), tact::parallel));
  for (int n = 0; n < 50; ++n) e.send_all(all, deposit{n});
  e.wait_idle();
}

tact::model_options options(std::uint64_t seed) { return {.machine = "l3:2 core:2 pu:2", .seed = seed}; }

// Where the one text begins to be another one than the other; empty if they are the same.
std::string difference(const std::string& one, const std::string& other) {
  if (one == other) return "";
  const auto at =
      static_cast<std::size_t>(std::mismatch(one.begin(), one.end(), other.begin(), other.end()).first - one.begin());
  const std::size_t from = at < 40 ? 0 : at - 40;
  return one.substr(from, 100) + "\n" + (from < other.size() ? other.substr(from, 100) : "");
}

// What another process tells of the program, whose environment has these words before.
std::string told_elsewhere(const std::string& words, std::uint64_t seed) {
  std::string self(4096, '\0');
  const ssize_t length = ::readlink("/proc/self/exe", self.data(), self.size());
  REQUIRE(length > 0);
  self.resize(static_cast<std::size_t>(length));
  const std::string command = words + " TACT_SEED=" + std::to_string(seed) + " '" + self + "' '[.tells]'";
  std::FILE* const pipe = ::popen(command.c_str(), "r");
  REQUIRE(pipe != nullptr);
  std::string told;
  for (int c = std::fgetc(pipe); c != EOF; c = std::fgetc(pipe)) told += static_cast<char>(c);
  ::pclose(pipe);
  const auto begin = told.find("<{"), end = told.rfind("}>");  // names may have such an end
  REQUIRE(end != std::string::npos);
  return told.substr(begin + 1, end - begin);
}

}  // namespace

TEST_CASE("model: tells its result, for a process that asks", "[.tells]") {
  const std::string told = tact::model::run(options(tact::support::seed()), program).json();
  CHECK(!told.empty());
  std::puts(("<" + told + ">").c_str());
}

TEST_CASE("model: the same options give the same result in each process, whatever its environment", "[modelled]") {
  TACT_SEEDED(seed);
  const std::string first = told_elsewhere("", seed);
  CHECK(json(first).number("messages") == 1'000);
  CHECK(difference(told_elsewhere("", seed), first) == "");
  CHECK(difference(told_elsewhere("LONGER=" + std::string(3'000, 'x'), seed), first) == "");
}

TEST_CASE("model: the same options give the same result twice from the same state of a process", "[modelled]") {
  TACT_SEEDED(seed);
  const auto both = tact::support::depart([&] {
    for (int i = 0; i < 2; ++i) {
      const pid_t child = ::fork();  // what one run leaves behind in memory the other one does not see
      if (child == 0) {
        std::fputs(tact::model::run(options(seed), program).json().c_str(), stderr);
        std::fflush(stderr);
        ::_exit(0);
      }
      ::waitpid(child, nullptr, 0);
    }
  });
  REQUIRE(both.exited(0));
  const std::string first = both.words.substr(0, both.words.size() / 2);
  const std::string second = both.words.substr(both.words.size() / 2);
  CHECK(json(first).number("messages") == 1'000);
  CHECK(difference(first, second) == "");
}

TEST_CASE("model: a seed decides how long threads take to wake", "[modelled]") {
  const auto ns_with = [](std::uint64_t seed) {
    tact::model_options chance = free_options();
    chance.seed = seed;
    chance.costs.woken = 4'000;
    return ns_of(chance, [] { on_threads(4, [](unsigned i) { nap(1us * i); }); });
  };
  std::set<double> results;
  for (std::uint64_t seed = 1; seed <= 10; ++seed) {
    results.insert(ns_with(seed));
    CHECK(ns_with(seed) == ns_with(seed));
  }
  CHECK(results.size() == 10);
}

TEST_CASE("model: a seed decides nothing where no thread wakes", "[modelled]") {
  std::set<double> results;
  for (std::uint64_t seed = 1; seed <= 10; ++seed) results.insert(ns_of(options(seed), [] { work_ns(1e6); }));
  CHECK(results.size() == 1);
}

}  // namespace repeat_test
