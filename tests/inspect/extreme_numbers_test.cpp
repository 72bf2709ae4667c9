// The numbers that tact-inspect takes, each with the extremes of its type.
#include <algorithm>
#include <chrono>
#include <future>
#include <limits>
#include <sstream>
#include <system_error>

#include <unistd.h>

#include "support/extreme_numbers.hpp"
#include "tact/inspect/actor_watch.hpp"
#include "tact/inspect/line_output.hpp"
#include "tact/inspect/live_page.hpp"
#include "tact/inspect/println.hpp"
#include "tact/inspect/recorder.hpp"
#include "tact/inspect/run_page.hpp"
#include "tact/inspect/shared_distribution.hpp"
#include "tact/inspect/thread_stack.hpp"
#include "tact/inspect/watchdog.hpp"

namespace inspect_extreme_numbers_test {

namespace {

using namespace tact::support;
using tact::engine;
using tact::simulation;
using tact::inspect::recorder;

struct word {};

void send_word(engine& e) {
  e.send(e.create(tact::behavior<word>([](auto&, const word&) {})), word{});
  e.wait_idle();
}

// Records what an actor does with a message.
bool records(engine& e, const tact::inspect::recorder_options& options) {
  const recorder r(e, options);
  send_word(e);
  const auto t = r.read();
  const auto of_messages =
      std::count_if(t.events().begin(), t.events().end(), [](const tact::inspect::event& s) { return s.message != 0; });
  return options.one_of != 1 || of_messages == 3;
}

// On a thread of its own, because each thread has one simulation.
std::string page_of_word(std::size_t most) {
  std::ostringstream page;
  tact::inspect::write_page(
      page, {}, [](simulation& sim) { send_word(sim.engine()); }, most);
  return page.str();
}

bool prints(const tact::inspect::line_output_options& options) {
  std::ostringstream text;
  tact::inspect::line_output output(text, options);
  output.println("x");
  return output.flush() && text.str() == "x\n";
}

std::string why(std::uint64_t message) { return tact::inspect::trace().why(message); }

// A page is no part of a simulation, so these have an engine of their own. `set(options, value)` gives the value.
template <class T, class Refuses, class Set>
row page_number(const char* name, const char* thing, Refuses refuses, Set set) {
  return {name, [=]() -> std::string {
            engine e(quiet_options(1));
            for (const T v : extremes<T>()) {
              tact::inspect::live_page_options o;
              set(o, v);
              std::string wrong;
              try {
                const tact::inspect::live_page page(e, o);
                if (refuses(v)) wrong = "is not refused";
              } catch (const tact::option_error& error) {
                const std::string what = error.what();
                if (!refuses(v)) wrong = "is refused: " + what;
                if (what.find(thing) == what.npos) wrong = "the error does not name it: " + what;
              } catch (const std::system_error&) {
                if (o.port == 0) wrong = "the system refuses it";  // some ports are not for everyone, or in use
              }
              if (!wrong.empty()) return std::to_string(v) + ": " + wrong;
            }
            return "";
          }};
}

constexpr auto outside_of(std::uint64_t least, std::uint64_t most) {
  return [=](auto v) { return v < least || v > most; };
}

std::vector<row> page_numbers() {
  using options = tact::inspect::live_page_options;
  return {
      page_number<unsigned>("live_page_options::port", "port", never,
                            [](options& o, unsigned n) { o.port = static_cast<std::uint16_t>(n); }),
      page_number<unsigned>("live_page_options::clients", "clients", outside_of(1, 1000),
                            [](options& o, unsigned n) { o.clients = n; }),
      page_number<std::size_t>("live_page_options::message_bytes", "message_bytes", outside_of(256, 65536),
                               [](options& o, std::size_t n) { o.message_bytes = n; }),
      page_number<unsigned>("live_page_options::messages_per_second", "messages_per_second", outside_of(1, 1000),
                            [](options& o, unsigned n) { o.messages_per_second = n; }),
      page_number<std::int64_t>(
          "live_page_options::time_limit", "time_limit", [](std::int64_t n) { return n < 100 || n > 600'000; },
          [](options& o, std::int64_t n) { o.time_limit = std::chrono::milliseconds(n); }),
      page_number<unsigned>("live_page_options::snapshots_per_second", "snapshots_per_second", outside_of(1, 60),
                            [](options& o, unsigned n) { o.snapshots_per_second = n; }),
  };
}

std::vector<row> numbers() {
  return {
      number<std::size_t>(
          "recorder_options::bytes_per_thread", "bytes_per_thread",
          [](std::size_t n) { return n > (std::size_t{1} << 36); },
          [](simulation&, engine& e, std::size_t n) { return records(e, {.bytes_per_thread = n}); }),
      number<unsigned>(
          "recorder_options::one_of", "one_of", [](unsigned n) { return n == 0; },
          [](simulation&, engine& e, unsigned n) { return records(e, {.one_of = n}); }),
      number<std::uint64_t>(
          "name_of_message", "", [](std::uint64_t) { return false; },
          [](simulation&, engine&, std::uint64_t n) {
            return tact::inspect::name_of_message(n).find('.') != std::string::npos;
          }),
      number<std::uint64_t>(
          "trace::causes_of", "", [](std::uint64_t) { return false; },
          [](simulation&, engine&, std::uint64_t n) { return tact::inspect::trace().causes_of(n).empty(); }),
      number<std::uint64_t>(
          "trace::write_mermaid", "", [](std::uint64_t) { return false; },
          [](simulation&, engine&, std::uint64_t n) {
            std::ostringstream text;
            tact::inspect::trace().write_mermaid(text, n, n);
            return text.str() == "sequenceDiagram\n";
          }),
      number<std::uint64_t>(
          "trace::write_svg", "", [](std::uint64_t) { return false; },
          [](simulation&, engine&, std::uint64_t n) {
            std::ostringstream text;
            tact::inspect::trace().write_svg(text, n, n);
            return text.str().ends_with("</svg>\n");
          }),
      number<std::size_t>(
          "write_page", "0 steps", [](std::size_t n) { return n == 0; },
          [](simulation&, engine&, std::size_t n) {
            return std::async(std::launch::async, [n] { return page_of_word(n).ends_with("</html>\n"); }).get();
          }),
      number<std::uint64_t>(
          "inspect::explore", "0 schedules", [](std::uint64_t n) { return n == 0; },
          [](simulation&, engine&, std::uint64_t n) {
            const auto fails = [](simulation& sim) { sim.check(false, "on purpose"); };
            return std::async(
                       std::launch::async,
                       [&] { return tact::inspect::explore(n, fails, "/dev/null", {.prints = false}).schedules == 1; })
                .get();
          }),
      number<std::uint64_t>(
          "trace::why", "", [](std::uint64_t) { return false; },
          [](simulation&, engine&, std::uint64_t n) { return why(n).find("not recorded") != std::string::npos; }),
  };
}

std::vector<row> numbers_of_instruments() {
  return {
      number<std::uint64_t>(
          "shared_distribution::record", "", [](std::uint64_t) { return false; },
          [](simulation&, engine&, std::uint64_t n) {
            tact::inspect::shared_distribution d;
            d.record(n);
            return d.read().median() == n;
          }),
      number<std::size_t>(
          "line_output_options::bytes", "bytes", [](std::size_t n) { return n < 4096 || n > (std::size_t{4} << 30); },
          [](simulation&, engine&, std::size_t n) { return prints({.bytes = n}); }),
      number<std::int64_t>(
          "actor_watch_options::every", "every", [](std::int64_t n) { return n <= 0; },
          [](simulation&, engine& e, std::int64_t n) {
            const recorder r(e);
            const auto target = e.create(tact::behavior<word>([](auto&, const word&) {}));
            const std::chrono::nanoseconds every(n);
            tact::inspect::actor_watch watch(r, target, {.every = every, .to = [](std::string_view) {}});
            watch.look();
            return true;
          }),
      number<std::int64_t>(
          "watchdog_options::limit", "limit", [](std::int64_t n) { return n <= 0; },
          [](simulation&, engine& e, std::int64_t n) {
            tact::inspect::watchdog dog(
                e, {.limit = std::chrono::nanoseconds(n), .on_late = [](const tact::inspect::late_handler&) {}});
            dog.look();
            return true;
          }),
      number<std::int64_t>(
          "stack_options::limit", "limit", [](std::int64_t n) { return n <= 0; },
          [](simulation&, engine&, std::int64_t n) {
            const auto s = tact::inspect::stack_of_thread(::gettid(), {.limit = std::chrono::nanoseconds(n)});
            return !s.frames.empty();
          }),
      number<int>(
          "stack_of_thread", "", [](int) { return false; },
          [](simulation&, engine&, int n) { return tact::inspect::stack_of_thread(n).frames.empty(); }),
      number<std::int64_t>(
          "line_output::flush", "", [](std::int64_t) { return false; },
          [](simulation&, engine&, std::int64_t n) {
            std::ostringstream text;
            return tact::inspect::line_output(text).flush(std::chrono::nanoseconds(n));
          }),
      number<std::int64_t>(
          "flush_lines", "", [](std::int64_t) { return false; },
          [](simulation&, engine&, std::int64_t n) { return tact::inspect::flush_lines(std::chrono::nanoseconds(n)); }),
  };
}

}  // namespace

TEST_CASE("recorder: takes any number, or names the one that makes no sense") { require_right(numbers()); }

TEST_CASE("live page: takes any number, or names the one that makes no sense") { require_right(page_numbers()); }

TEST_CASE("live page: its options are printed as the C++ that makes them, but not the token") {
  std::ostringstream text;
  text << tact::inspect::live_page_options{.hosts = {"a.example", "b.example"}, .token = "0123456789abcdef"};
  CHECK(text.str() ==
        "live_page_options{\n  .address = \"127.0.0.1\",\n  .port = 0,\n  .hosts = {\"a.example\", \"b.example\"},\n"
        "  .token = (secret),\n  .allow_control = false,\n  .clients = 8,\n  .message_bytes = 4096,\n"
        "  .messages_per_second = 20,\n  .time_limit = 10s,\n  .snapshots_per_second = 4}");
}

TEST_CASE("instruments: take any number, or name the one that makes no sense") {
  require_right(numbers_of_instruments());
}

TEST_CASE("recorder: its options are printed as the C++ that makes them") {
  std::ostringstream text;
  text << tact::inspect::recorder_options{.bytes_per_thread = 65536, .one_of = 4};
  CHECK(text.str() == "recorder_options{.bytes_per_thread = 65536, .one_of = 4}");
}

}  // namespace inspect_extreme_numbers_test
