// Everything that a program gets from the library can be printed.
#include <chrono>
#include <iomanip>
#include <ostream>
#include <sstream>
#include <string>
#include <vector>

#include "support/catch.hpp"
#include "tact/codec/codec_limits.hpp"
#include "tact/patterns.hpp"
#include "tact/simulation.hpp"
#include "tact/tact.hpp"

using namespace std::chrono_literals;
using Catch::Matchers::Contains;
using Catch::Matchers::StartsWith;

namespace {

template <class T>
std::string printed(const T& value) {
  std::ostringstream out;
  out << value;
  return out.str();
}

// The reasons and words have no values beyond those that are named here.
template <class Enum>
std::string all_words(Enum last) {
  std::string words;
  for (unsigned i = 0; i <= static_cast<unsigned>(last); ++i) words += printed(static_cast<Enum>(i)) + "; ";
  return words;
}

TEST_CASE("printing: reasons and settings print as words", "[api]") {
  CHECK(all_words(tact::failure_reason::out_of_memory) ==
        "handler threw; target ended; engine ended; unanswered; answered already; timed out; waits in a circle; "
        "failure not heard; mailbox full; cancelled; out of memory; ");
  CHECK(all_words(tact::end_reason::gone) ==
        "stopped; became nothing; failed; scope ended; owner gone; loop ended; link failed; engine ended; gone; ");
  CHECK(all_words(tact::failure_policy::restart) == "go_on; end; restart; ");
  CHECK(all_words(tact::when_full::hold_back) == "reject; drop_newest; drop_oldest; hold_back; ");
  CHECK(all_words(tact::send_result::engine_ended) == "sent; full; dropped; target ended; engine ended; ");
  CHECK(all_words(tact::allocation::finished) == "nodelete; delete_; destroy; finished; ");
  CHECK(all_words(tact::pinning::automatic) == "off; on; automatic; ");
  CHECK(all_words(tact::memory_placement::interleaved) == "local; interleaved; ");
  CHECK(all_words(tact::restart_strategy::rest_for_one) == "one_for_one; one_for_all; rest_for_one; ");
  CHECK(all_words(tact::unhandled::dead_letter) == "fails; waits; dead_letter; ");
}

TEST_CASE("printing: what is told of failures and ends prints as a sentence", "[api]") {
  using tact::failure_reason;
  CHECK(printed(tact::failure{failure_reason::handler_threw, "negative amount", {}}) ==
        "handler threw: negative amount");
  CHECK(printed(tact::failure{failure_reason::timed_out, "timed out", {}}) == "timed out");
  CHECK(printed(tact::failure{failure_reason::target_ended, {}, {}}) == "target ended");
  CHECK(printed(tact::failure_report{.actor = "account", .message = "deposit", .what = "negative amount"}) ==
        "account threw while handling deposit: negative amount");
  CHECK(printed(tact::failure_report{
            .actor = "account", .message = "deposit", .what = "no", .actor_ends = true, .name = "teller 3"}) ==
        "teller 3 (account) threw while handling deposit: no (the actor ends)");
  CHECK(printed(tact::failure_report{.actor = "a", .message = "m", .what = "no", .restarts = true}) ==
        "a threw while handling m: no (the actor restarts)");
  CHECK_THAT(printed(tact::unrepeatable_handler{"account", "deposit", "sends 2 messages"}),
             StartsWith("account handled deposit twice, and the second time sends 2 messages; a handler must"));
  CHECK_THAT(printed(tact::dead_letter{"account@7#1", "deposit", failure_reason::mailbox_full, {}, {}}),
             StartsWith("deposit to account@7#1: mailbox full; send less"));
  CHECK(printed(tact::dropped_messages{"account", "deposit", 12, 3, "teller 1"}) ==
        "12 deposit for 3 account (teller 1)");
  CHECK(printed(tact::failure_verdict(tact::failure_policy::restart, 1500us, true)) ==
        "restart after 1500us, and the message again");
  CHECK(printed(tact::failure_verdict(tact::failure_policy::end)) == "end");
  CHECK(printed(tact::ended{.reason = tact::end_reason::failed, .actor = "account@7#1", .what = "no"}) ==
        "account@7#1 has ended: failed: no");
  CHECK(printed(tact::ended{}) == "an actor has ended: stopped");
  CHECK(printed(tact::alive_actors{"account", 4, "bank.cpp", 42, {"a", "b", "c", "d"}}) ==
        "4 account (a, b, c, ...) created at bank.cpp:42");
  CHECK(printed(tact::outcome<int>(7)) == "7");
  CHECK(printed(tact::outcome<int>(tact::failure{failure_reason::timed_out, {}, {}})) == "timed out");
}

TEST_CASE("printing: mailboxes, statistics and what was counted print with their figures", "[api]") {
  const tact::mailbox_limit limit{.messages = 1'000, .bytes = 4'096, .when_full = tact::when_full::hold_back};
  CHECK(printed(limit) == "mailbox_limit{.messages = 1000, .bytes = 4096, .when_full = hold_back}");
  const tact::mailbox_depth depth{
      .actor = "account@7#1", .limit = limit, .messages = 12, .bytes = 384, .oldest = 3'456'789ns, .refused = 1};
  CHECK(printed(depth) == "account@7#1: 12 of 1000 messages, 384 of 4096 bytes wait, the first for 3ms; 1 was refused");
  CHECK(printed(tact::mailbox_depth{.actor = "account@7#1", .limit = {.messages = 2}}) ==
        "account@7#1: 0 of 2 messages wait; 0 were refused");
  CHECK(printed(tact::pumped{.handled = 3, .more = true}) == "pumped{.handled = 3, .more = true}");
  tact::worker_statistics of_worker;
  of_worker.commits = 7;
  CHECK_THAT(printed(of_worker), Contains("  commits                            7\n"));
  tact::statistics of_all;
  of_all.commits = 8;
  CHECK_THAT(printed(of_all), Contains("  commits                            8\n"));
  CHECK_THAT(printed(std::vector{of_worker}), Contains("worker  commits\n"));
  const tact::type_statistics of_type{.actor = "account", .alive = 2, .collisions = 1, .went_home = 1};
  CHECK(printed(of_type) == "account: 2 alive, 0 at home, 1 collision, went home 1 time, came back 0 times");
  CHECK_THAT(printed(std::vector{of_type}), Contains("account"));
  tact::distribution values;
  CHECK(printed(values) == "no values");
  for (std::uint64_t v = 1; v <= 10; ++v) values.record(v);
  CHECK(printed(values) == "10 values, 1 to 10, mean 5.5; half up to 5, 90 % up to 9, 99 % up to 10");
  CHECK(printed(tact::sequence_gap{3, 5}) == "messages 3 to 5 were skipped");
  CHECK(printed(tact::out_of_sequence{3}) == "message 3 came out of sequence");
  CHECK(printed(tact::item_failed{{tact::failure_reason::handler_threw, "no", {}}}) ==
        "an item failed: handler threw: no");
}

TEST_CASE("printing: placements print as the code that makes them", "[api]") {
  CHECK(printed(tact::seat{.processing_unit = 3, .core = 1}) ==
        "seat{.processing_unit = 3, .core = 1, .cache = 0, .memory = 0, .package = 0}");
  const tact::placement_plan plan{.seats = {{}, {.processing_unit = 1}}, .pinned = true};
  CHECK(printed(plan) == "placement_plan{.pinned = true, .seats = {\n  {0, 0, 0, 0, 0},\n  {1, 0, 0, 0, 0},\n}}");
  const std::vector<std::uint64_t> stamps{4, tact::steal_view::no_stamp};
  CHECK(printed(tact::steal_view{.thief = 1, .stamps = stamps, .plan = plan, .failures = 2}) ==
        "worker 1 looks for work among 2 after 2 in vain: 4 -");
}

TEST_CASE("printing: options print as the code that sets them, all of them", "[api]") {
  tact::engine_options options;
  options.workers = 4;
  options.on_wake = [] {};
  options.outside_limit = {.messages = 9};
  options.ask_timeout = 1'500ms;
  const std::string text = printed(options);
  CHECK_THAT(text, StartsWith("engine_options{\n  .workers = 4,\n  .workers_max = 0,\n"));
  for (const char* line :
       {".on_wake = a function,", ".victims = a function,", ".on_failure = {},",
        ".outside_limit = {.messages = 9, .bytes = 0, .when_full = reject},", ".transactional_failure = go_on,",
        ".ask_timeout = 1500ms,", ".on_alive = {},", ".environment = true}"})
    CHECK_THAT(text, Contains(std::string("\n  ") + line));
  CHECK_THAT(printed(tact::engine_options{}), Contains(".workers = all_units,"));

  CHECK(printed(tact::ask_each_options{.at_once = 3, .limit = 2s}) == "ask_each_options{.at_once = 3, .limit = 2s}");
  CHECK(printed(tact::cache_limits{}) == "cache_limits{.entries = 0, .age = max}");
  CHECK(printed(tact::codec_limits{}) == "codec_limits{.bytes = 67108864, .depth = 64, .items = 1048576}");
  CHECK(printed(tact::circuit_options{}) == "circuit_options{.failures = 5, .window = 5, .open_time = 1s}");
  CHECK(printed(tact::pool_options{}) == "pool_options{.queue = max, .members = 1}");
  CHECK_THAT(printed(tact::retry_options{.budget = 0.2}),
             Contains(".first_delay = 10ms,") && Contains(".budget = 0.2,"));
  CHECK(printed(tact::scatter_options{.quorum = 2}) == "scatter_options{.quorum = 2, .limit = {}}");
  CHECK(printed(tact::stage_options{}) == "stage_options{.window = 16, .parallel = 1, .failures = {}}");
  CHECK_THAT(printed(tact::supervision{.name = "feeds"}),
             StartsWith("supervision{\n  .strategy = one_for_one,") && Contains(".name = \"feeds\"}"));
  CHECK(printed(tact::shutdown_limit{}) == "shutdown_limit{.time = 5s}");
  CHECK(printed(tact::throttle_options{}) ==
        "throttle_options{.messages = 1, .per = 1s, .burst = 1, .waiting_max = 1000}");
  CHECK(printed(tact::work_queue_options{}) == "work_queue_options{.queue = max, .attempts = 3}");
  CHECK(printed(tact::explore_options{}) ==
        "explore_options{.seed = 1, .shrinking_runs = 1000, .points_max = 200000, .prints = true}");
  CHECK(printed(tact::schedule{.seed = 7, .in_full = true, .turns = {{0, 1, 2}}, .points_max = 9}) ==
        "schedule{.seed = 7, .in_full = true, .turns = {{0, 1, 2}}, .points_max = 9}");
  CHECK(printed(tact::exploration{.schedules = 3}) == "tact::explore: 3 schedules, none failed\n");
}

TEST_CASE("printing: the format of the stream changes the text of no number", "[api]") {
  std::ostringstream out;
  out << std::hex << std::showpos << tact::pumped{.handled = 30};
  CHECK(out.str() == "pumped{.handled = 30, .more = false}");
}

}  // namespace
