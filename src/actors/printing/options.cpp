// Prints the options of engines and patterns, and where workers run: as the C++ that sets them.
#include <ostream>
#include <string>

#include "base/struct_text.hpp"
#include "tact/codec/codec_limits.hpp"
#include "tact/engine_options.hpp"
#include "tact/patterns/ask_each.hpp"
#include "tact/patterns/cache.hpp"
#include "tact/patterns/circuit_breaker.hpp"
#include "tact/patterns/pool.hpp"
#include "tact/patterns/retry.hpp"
#include "tact/patterns/scatter_gather.hpp"
#include "tact/patterns/stage.hpp"
#include "tact/patterns/state_machine.hpp"
#include "tact/patterns/supervision.hpp"
#include "tact/patterns/supervisor.hpp"
#include "tact/patterns/throttle.hpp"
#include "tact/patterns/work_queue.hpp"
#include "tact/placement.hpp"
#include "tact/stealing.hpp"

namespace tact {
namespace {

using base::code;
using base::struct_text;

std::string_view word_of(pinning p) noexcept {
  constexpr std::string_view words[] = {"off", "on", "automatic"};
  return words[static_cast<unsigned>(p)];
}
std::string_view word_of(memory_placement m) noexcept {
  constexpr std::string_view words[] = {"local", "interleaved"};
  return words[static_cast<unsigned>(m)];
}
std::string_view word_of(restart_strategy s) noexcept {
  constexpr std::string_view words[] = {"one_for_one", "one_for_all", "rest_for_one"};
  return words[static_cast<unsigned>(s)];
}

template <class Enum>
code word(Enum e) {
  return {std::string(word_of(e))};
}
code code_of(const failure_rule& r) {
  constexpr const char* words[] = {"go_on", "end", "restart"};
  if (!r) return {"{}"};
  return {r.fixed() ? words[static_cast<unsigned>(*r.fixed())] : "a function"};
}
code code_of(const mailbox_limit& l) {
  constexpr const char* words[] = {"reject", "drop_newest", "drop_oldest", "hold_back"};
  return {l ? struct_text("")
                  .with("messages", l.messages)
                  .with("bytes", l.bytes)
                  .with("when_full", code{words[static_cast<unsigned>(l.when_full)]})
                  .text()
            : "{}"};
}

}  // namespace

// -- engines

std::ostream& operator<<(std::ostream& out, pinning p) { return out << word_of(p); }
std::ostream& operator<<(std::ostream& out, memory_placement m) { return out << word_of(m); }

std::ostream& operator<<(std::ostream& out, const engine_options& o) {
  return out << struct_text("engine_options")
                    .with("workers", o.workers == all_units ? code{"all_units"} : code{std::to_string(o.workers)})
                    .with("workers_max", o.workers_max)
                    .with("helpers_max", o.helpers_max)
                    .with("on_wake", o.on_wake)
                    .with("pin_workers", word(o.pin_workers))
                    .with("memory", word(o.memory))
                    .with("shards", o.shards)
                    .with("heavy_shards", o.heavy_shards)
                    .with("blocking_max", o.blocking_max)
                    .with("victims", o.victims)
                    .with("workers_rest", o.workers_rest)
                    .with("joint_holds", o.joint_holds)
                    .with("collisions_max", o.collisions_max)
                    .with("home_stretch", o.home_stretch)
                    .with("ask_stack_bytes", o.ask_stack_bytes)
                    .with("outside_limit", code_of(o.outside_limit))
                    .with("rehearse", o.rehearse)
                    .with("on_unrepeatable", o.on_unrepeatable)
                    .with("transactional_failure", code_of(o.transactional_failure))
                    .with("classic_failure", code_of(o.classic_failure))
                    .with("on_failure", o.on_failure)
                    .with("on_dead_letter", o.on_dead_letter)
                    .with("dead_letters_kept", o.dead_letters_kept)
                    .with("ask_timeout", std::chrono::nanoseconds(o.ask_timeout))
                    .with("shutdown_timeout", std::chrono::nanoseconds(o.shutdown_timeout))
                    .with("on_dropped", o.on_dropped)
                    .with("report_alive", o.report_alive)
                    .with("on_alive", o.on_alive)
                    .with("environment", o.environment)
                    .text();
}

std::ostream& operator<<(std::ostream& out, const codec_limits& l) {
  return out << struct_text("codec_limits").with("bytes", l.bytes).with("depth", l.depth).with("items", l.items).text();
}

std::ostream& operator<<(std::ostream& out, const seat& s) {
  return out << struct_text("seat")
                    .with("processing_unit", s.processing_unit)
                    .with("core", s.core)
                    .with("cache", s.cache)
                    .with("memory", s.memory)
                    .with("package", s.package)
                    .text();
}

std::ostream& operator<<(std::ostream& out, const placement_plan& p) {
  std::string text = "placement_plan{.pinned = " + base::code_of(p.pinned) + ", .seats = {\n";
  for (const seat& s : p.seats) {
    text += "  {";
    for (const unsigned n : {s.processing_unit, s.core, s.cache, s.memory}) text += std::to_string(n) + ", ";
    text += std::to_string(s.package) + "},\n";
  }
  return out << text + "}}";
}

std::ostream& operator<<(std::ostream& out, const steal_view& v) {
  std::string text = "worker " + std::to_string(v.thief) + " looks for work among " + std::to_string(v.stamps.size()) +
                     " after " + std::to_string(v.failures) + " in vain:";
  for (const std::uint64_t s : v.stamps) text += s == steal_view::no_stamp ? " -" : " " + std::to_string(s);
  return out << text;
}

// -- patterns

std::ostream& operator<<(std::ostream& out, restart_strategy s) { return out << word_of(s); }
std::ostream& operator<<(std::ostream& out, unhandled u) {
  constexpr std::string_view words[] = {"fails", "waits", "dead_letter"};
  return out << words[static_cast<unsigned>(u)];
}

std::ostream& operator<<(std::ostream& out, const ask_each_options& o) {
  return out << struct_text("ask_each_options").with("at_once", o.at_once).with("limit", o.limit).text();
}
std::ostream& operator<<(std::ostream& out, const cache_limits& l) {
  return out << struct_text("cache_limits").with("entries", l.entries).with("age", l.age).text();
}
std::ostream& operator<<(std::ostream& out, const circuit_options& o) {
  return out << struct_text("circuit_options")
                    .with("failures", o.failures)
                    .with("window", o.window)
                    .with("open_time", o.open_time)
                    .text();
}
std::ostream& operator<<(std::ostream& out, const pool_options& o) {
  return out << struct_text("pool_options").with("queue", o.queue).with("members", o.members).text();
}
std::ostream& operator<<(std::ostream& out, const retry_options& o) {
  return out << struct_text("retry_options")
                    .with("attempts", o.attempts)
                    .with("first_delay", o.first_delay)
                    .with("factor", o.factor)
                    .with("delay_max", o.delay_max)
                    .with("jitter", o.jitter)
                    .with("seed", o.seed)
                    .with("budget", o.budget)
                    .with("reserve", o.reserve)
                    .with("is_worth_it", code{o.is_worth_it == nullptr ? "nullptr" : "a function"})
                    .text();
}
std::ostream& operator<<(std::ostream& out, const scatter_options& o) {
  return out << struct_text("scatter_options").with("quorum", o.quorum).with("limit", o.limit).text();
}
std::ostream& operator<<(std::ostream& out, const stage_options& o) {
  return out << struct_text("stage_options")
                    .with("window", o.window)
                    .with("parallel", o.parallel)
                    .with("failures", code{o.failures ? "an actor" : "{}"})
                    .text();
}
std::ostream& operator<<(std::ostream& out, const supervision& s) {
  return out << struct_text("supervision")
                    .with("strategy", word(s.strategy))
                    .with("restarts", s.restarts)
                    .with("within", s.within)
                    .with("first_delay", s.first_delay)
                    .with("factor", s.factor)
                    .with("delay_max", s.delay_max)
                    .with("jitter", s.jitter)
                    .with("seed", s.seed)
                    .with("name", s.name)
                    .text();
}
std::ostream& operator<<(std::ostream& out, const shutdown_limit& l) {
  return out << struct_text("shutdown_limit").with("time", l.time).text();
}
std::ostream& operator<<(std::ostream& out, const throttle_options& o) {
  return out << struct_text("throttle_options")
                    .with("messages", o.messages)
                    .with("per", o.per)
                    .with("burst", o.burst)
                    .with("waiting_max", o.waiting_max)
                    .text();
}
std::ostream& operator<<(std::ostream& out, const work_queue_options& o) {
  return out << struct_text("work_queue_options").with("queue", o.queue).with("attempts", o.attempts).text();
}

}  // namespace tact
