#include "actors/engine/options.hpp"

#include <algorithm>
#include <array>
#include <charconv>
#include <cstdlib>
#include <string>
#include <string_view>
#include <system_error>
#include <utility>

#include "actors/cells/home_stay.hpp"
#include "dispatch/exchange/idle_set.hpp"
#include "sync/system.hpp"
#include "topology/plan.hpp"

namespace tact::actors {
namespace {

constexpr unsigned workers_limit = dispatch::idle_set::workers_max;
constexpr unsigned simulated_workers = 4;  // however many processors the machine has

// Of an engine whose options do not say it.
unsigned default_workers() {
  const sync::system* const s = sync::system::current();
  if (s == nullptr) return topology::default_workers();
  if (s->machine().empty()) return simulated_workers;
  return static_cast<unsigned>(topology::described_units(std::string(s->machine())).size());
}
constexpr unsigned shards_max = 65536;
constexpr unsigned shards_per_worker = 8;
constexpr unsigned blocking_limit = 4096;
constexpr unsigned helpers_limit = 64;
constexpr std::size_t ask_stack_least = std::size_t{16} << 10;
constexpr std::size_t ask_stack_most = std::size_t{1} << 30;
constexpr unsigned collisions_limit = 7;  // counted in three bits of the envelope

[[noreturn]] void refuse(const std::string& option, const std::string& value, const std::string& remedy) {
  throw option_error("engine_options." + option + " = " + value + ": " + remedy);
}

void check_count(const char* option, unsigned value, unsigned most) {
  if (value > most)
    refuse(option, std::to_string(value), "give at most " + std::to_string(most) + ", or 0 for the default");
}

void check_workers(const engine_options& given) {
  if (given.workers > workers_limit && given.workers != all_units) {
    refuse("workers", std::to_string(given.workers),
           "give at most " + std::to_string(workers_limit) +
               ", or 0 for an engine that runs on the threads that pump it, or tact::all_units");
  }
  if (given.pin_workers > pinning::automatic) {
    refuse("pin_workers", std::to_string(static_cast<unsigned>(given.pin_workers)) + " is no pinning",
           "give pinning::off, pinning::on or pinning::automatic");
  }
  if (given.workers == 0 && given.pin_workers == pinning::on) {
    refuse("pin_workers", "on", "an engine with workers = 0 has no thread that could stay anywhere; leave it off");
  }
  if (given.memory > memory_placement::interleaved) {
    refuse("memory", std::to_string(static_cast<unsigned>(given.memory)) + " is no memory_placement",
           "give memory_placement::local or memory_placement::interleaved");
  }
  if (given.workers_max > workers_limit) {
    refuse("workers_max", std::to_string(given.workers_max),
           "give at most " + std::to_string(workers_limit) + ", or 0 for as many as workers");
  }
  if (given.workers == 0 && given.workers_max != 0) {
    refuse("workers_max", std::to_string(given.workers_max),
           "an engine with workers = 0 runs on the threads that pump it, and never has workers; leave it 0");
  }
  if (given.workers != 0 && given.on_wake) {
    refuse("on_wake", "a function", "an engine with workers is not pumped; give it workers = 0, or no on_wake");
  }
}

void check_rule(const char* option, const failure_rule& rule) {
  if (!rule) refuse(option, "{}", "give failure_policy::go_on, failure_policy::end, or a function that decides");
  const failure_policy value = rule.fixed().value_or(failure_policy::end);
  if (value == failure_policy::go_on || value == failure_policy::end) return;
  refuse(option, std::to_string(static_cast<unsigned>(value)) + " is no failure policy",
         "give failure_policy::go_on or failure_policy::end");
}

void check_counts(const engine_options& given) {
  check_count("shards", given.shards, shards_max);
  check_count("heavy_shards", given.heavy_shards, shards_max);
  if (given.workers != 0) check_count("helpers_max", given.helpers_max, helpers_limit);
  if (given.blocking_max > blocking_limit) {
    refuse("blocking_max", std::to_string(given.blocking_max),
           "give at most " + std::to_string(blocking_limit) +
               ", as each blocking actor has a thread, or 0 to forbid them");
  }
}

void complete_workers(engine_options& given) {
  // Without workers a thread that asks runs the engine anyway.
  if (given.workers == 0) given.helpers_max = 0;
  if (given.workers == all_units) {
    given.workers = std::min(default_workers(), workers_limit);
  }
  if (given.workers_max == 0) given.workers_max = given.workers;
  if (given.workers_max < given.workers) {
    refuse("workers_max", std::to_string(given.workers_max),
           "that is fewer than the " + std::to_string(given.workers) +
               " workers that the engine begins with; give at least as many, or 0 for as many");
  }
}

void complete_shards(engine_options& given) {
  // If only one thread runs the engine at a time, there is nothing to divide into shards.
  if (given.shards == 0) given.shards = std::max(given.workers_max * shards_per_worker, 1U);
  if (given.heavy_shards == 0) given.heavy_shards = given.workers_max;
  if (given.shards < given.workers_max) {
    refuse("shards", std::to_string(given.shards),
           "that is fewer than the " + std::to_string(given.workers_max) +
               (given.workers_max > given.workers ? " workers that there may be" : " workers") +
               "; give each worker at least one shard, or 0 for the default");
  }
}

void check_runs(const engine_options& given) {
  if (given.collisions_max < 1 || given.collisions_max > collisions_limit) {
    refuse("collisions_max", std::to_string(given.collisions_max), "give 1 to 7");
  }
  if (given.home_stretch < 1 || given.home_stretch > home_stay::stretch_max) {
    refuse("home_stretch", std::to_string(given.home_stretch), "give 1 to " + std::to_string(home_stay::stretch_max));
  }
  if (given.ask_stack_bytes < ask_stack_least || given.ask_stack_bytes > ask_stack_most) {
    refuse("ask_stack_bytes", std::to_string(given.ask_stack_bytes), "give 16384 to 1073741824 bytes");
  }
}

void check_rules(const engine_options& given) {
  if (given.outside_limit && given.outside_limit.when_full == when_full::drop_oldest) {
    refuse("outside_limit.when_full", "drop_oldest",
           "what is the oldest in a whole engine nobody knows; give another policy, or the limit to an actor");
  }
  check_rule("transactional_failure", given.transactional_failure);
  check_rule("classic_failure", given.classic_failure);
}

void check_times(const engine_options& given) {
  if (given.ask_timeout.count() < 0) {
    refuse("ask_timeout", std::to_string(given.ask_timeout.count()) + " ms",
           "give a time of 1 ms or more, or 0 for asks that wait as long as it takes");
  }
  if (given.shutdown_timeout.count() < 0) {
    refuse("shutdown_timeout", std::to_string(given.shutdown_timeout.count()) + " ms", "give a time of 0 or more");
  }
}

// -- the environment

// Reads one variable, and says what is wrong with it. Unset and empty are the same.
template <class Set>
void take(const char* name, const char* remedy, Set set) {
  const char* const text = ::secure_getenv(name);
  if (text == nullptr || *text == '\0' || set(std::string_view(text))) return;
  throw option_error(std::string(name) + " = " + text + " (in the environment): " + remedy);
}

// Only `from` itself is changed, so an option that the program has set to something else stays.
template <class T, std::size_t N>
void take_word(const char* name, const char* remedy, T& option, T from,
               const std::array<std::pair<std::string_view, T>, N>& words) {
  if (option != from) return;
  take(name, remedy, [&](std::string_view text) {
    for (const auto& [word, value] : words) {
      if (word != text) continue;
      option = value;
      return true;
    }
    return false;
  });
}

void take_switch(const char* name, bool& option, bool from) {
  constexpr std::array<std::pair<std::string_view, bool>, 2> words{{{"0", false}, {"1", true}}};
  take_word(name, "give 0 or 1", option, from, words);
}

void take_environment(engine_options& given) {
  if (!given.environment || sync::system::current() != nullptr) return;
  if (given.workers == all_units) {
    take("TACT_WORKERS", "give a number from 1 to 1024", [&](std::string_view text) {
      unsigned count = 0;
      const auto [end, error] = std::from_chars(text.data(), text.data() + text.size(), count);
      if (error != std::errc() || end != text.data() + text.size() || count == 0 || count > workers_limit) return false;
      given.workers = count;
      return true;
    });
  }
  constexpr std::array<std::pair<std::string_view, pinning>, 3> pinnings{
      {{"off", pinning::off}, {"on", pinning::on}, {"automatic", pinning::automatic}}};
  if (given.workers != 0)
    take_word("TACT_PIN_WORKERS", "give off, on or automatic", given.pin_workers, pinning::off, pinnings);
  take_switch("TACT_WORKERS_REST", given.workers_rest, true);
  take_switch("TACT_REHEARSE", given.rehearse, false);
  take_switch("TACT_REPORT_ALIVE", given.report_alive, false);
}

}  // namespace

engine_options completed(engine_options given) {
  take_environment(given);
  check_workers(given);
  check_counts(given);
  complete_workers(given);
  complete_shards(given);
  check_runs(given);
  check_rules(given);
  check_times(given);
  return given;
}

}  // namespace tact::actors
