// Impossible options are refused with a message that names the option, its value and the remedy.
#include <string>

#include "support/engine_fixture.hpp"

namespace options_test {

namespace {

using Catch::Matchers::Contains;

std::string refusal(tact::engine_options o) {
  try {
    const tact::engine engine(o);
    return "accepted";
  } catch (const tact::option_error& e) {
    return e.what();
  }
}

}  // namespace

TEST_CASE("options: counts that are impossible are refused by name, value and remedy", "[actor]") {
  tact::engine_options o;
  o.workers = 1025;
  CHECK_THAT(refusal(o), Contains("engine_options.workers = 1025") && Contains("at most 1024"));
  CHECK_THAT(refusal(o), Contains("0 for an engine that runs on the threads that pump it") && Contains("all_units"));
  o = {};
  o.workers_max = 1025;
  CHECK_THAT(refusal(o), Contains("engine_options.workers_max = 1025") && Contains("at most 1024"));
  o = {};
  o.workers = 3;
  o.workers_max = 2;
  CHECK_THAT(refusal(o), Contains("engine_options.workers_max = 2") && Contains("fewer than the 3 workers"));
  o.workers = 0;
  CHECK_THAT(refusal(o), Contains("engine_options.workers_max = 2") && Contains("workers = 0"));
  o = {};
  o.workers = 2;
  o.workers_max = 4;
  o.shards = 3;
  CHECK_THAT(refusal(o),
             Contains("engine_options.shards = 3") && Contains("fewer than the 4 workers that there may be"));
  o = {};
  o.workers = 0;
  o.pin_workers = tact::pinning::on;
  CHECK_THAT(refusal(o), Contains("engine_options.pin_workers = on") && Contains("workers = 0"));
  o.pin_workers = tact::pinning::automatic;
  CHECK(refusal(o) == "accepted");
  o.pin_workers = static_cast<tact::pinning>(3);
  CHECK_THAT(refusal(o), Contains("engine_options.pin_workers = 3 is no pinning") && Contains("pinning::automatic"));
  o = {};
  o.workers = 2;
  o.on_wake = [] {};
  CHECK_THAT(refusal(o), Contains("engine_options.on_wake") && Contains("workers = 0"));
  o = {};
  o.workers = 2;
  o.shards = 65537;
  CHECK_THAT(refusal(o), Contains("engine_options.shards = 65537") && Contains("at most 65536"));
  o.workers = 4;
  o.shards = 3;
  CHECK_THAT(refusal(o), Contains("engine_options.shards = 3") && Contains("fewer than the 4 workers") &&
                             Contains("0 for the default"));
  o = {};
  o.heavy_shards = 65537;
  CHECK_THAT(refusal(o), Contains("engine_options.heavy_shards = 65537") && Contains("at most 65536") &&
                             Contains("0 for the default"));
  o = {};
  o.blocking_max = 4097;
  CHECK_THAT(refusal(o), Contains("engine_options.blocking_max = 4097") && Contains("at most 4096") &&
                             Contains("0 to forbid them"));
  o = {};
  o.collisions_max = 0;
  CHECK_THAT(refusal(o), Contains("engine_options.collisions_max = 0") && Contains("1 to 7"));
  o.collisions_max = 8;
  CHECK_THAT(refusal(o), Contains("engine_options.collisions_max = 8") && Contains("1 to 7"));
  o = {};
  o.ask_timeout = std::chrono::milliseconds(-1);
  CHECK_THAT(refusal(o), Contains("engine_options.ask_timeout = -1 ms") && Contains("0 for asks that wait"));
  o.ask_timeout = std::chrono::milliseconds(0);
  o.shutdown_timeout = std::chrono::milliseconds(-1);
  CHECK_THAT(refusal(o), Contains("engine_options.shutdown_timeout = -1 ms") && Contains("0 or more"));
}

TEST_CASE("options: a memory placement that there is not is refused by its number", "[actor]") {
  tact::engine_options o;
  CHECK(refusal(o) == "accepted");
  o.memory = tact::memory_placement::interleaved;
  CHECK(refusal(o) == "accepted");
  o.memory = static_cast<tact::memory_placement>(2);
  CHECK_THAT(refusal(o), Contains("engine_options.memory = 2 is no memory_placement") && Contains("interleaved"));
}

TEST_CASE("options: unknown failure policies are refused by name and remedy", "[actor]") {
  tact::engine_options o;
  o.transactional_failure = static_cast<tact::failure_policy>(7);
  CHECK_THAT(refusal(o), Contains("engine_options.transactional_failure = 7") && Contains("failure_policy::go_on"));
  o = {};
  o.classic_failure = static_cast<tact::failure_policy>(9);
  CHECK_THAT(refusal(o), Contains("engine_options.classic_failure = 9") && Contains("failure_policy::end"));
}

TEST_CASE("options: defaults are one worker per processing unit and several shards each", "[actor]") {
  const tact::engine engine;
  const auto s = engine.statistics();
  CHECK(s.workers >= 1);
  CHECK(s.shards >= s.workers);
}

TEST_CASE("options: the least and the most are accepted", "[actor]") {
  tact::engine_options o;
  o.workers = 1;
  o.shards = 1;
  o.heavy_shards = 1;
  o.blocking_max = 0;
  o.collisions_max = 1;
  o.dead_letters_kept = 0;
  CHECK(refusal(o) == "accepted");
  o.workers = 0;
  o.on_wake = [] {};
  CHECK(refusal(o) == "accepted");
  o.on_wake = {};
  o.workers = 3;
  o.shards = 3;
  o.heavy_shards = 65536;
  o.blocking_max = 4096;
  o.collisions_max = 7;
  CHECK(refusal(o) == "accepted");
}

}  // namespace options_test
