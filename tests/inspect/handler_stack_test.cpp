// The stacks of handlers that run on stacks of the engine's, because handlers of this program can wait.
#include <cstdint>
#include <fstream>
#include <future>
#include <sstream>
#include <string>
#include <utility>

#include "inspect/handler_stack.hpp"
#include "inspect/turning.hpp"
#include "support/engine_fixture.hpp"
#include "tact/detail/access.hpp"
#include "tact/inspect/engine_stacks.hpp"
#include "tact/inspect/watchdog.hpp"

namespace inspect_handler_stack_test {

namespace {

using namespace tact::support;
using tact::inspect::describe_with_stacks;
using tact::inspect::engine_stacks;
using tact::inspect::late_handler;
using tact::inspect::stack_options;
using tact::inspect::thread_stack;
using tact::inspect::watchdog;
using turning::has;

constexpr stack_options patient{.limit = generous};

struct turn {};
struct turns : tact::protocol<turn> {};

std::string text_of(const engine_stacks& all) {
  std::ostringstream text;
  text << all;
  return text.str();
}

// The lowest address of the memory in which that lies.
std::uintptr_t low_end_of(const void* here) {
  std::ifstream maps("/proc/self/maps");
  std::uintptr_t low = 0;
  std::uintptr_t high = 0;
  for (std::string line; std::getline(maps, line);) {
    char dash = 0;
    std::istringstream(line) >> std::hex >> low >> dash >> high;
    const auto at = reinterpret_cast<std::uintptr_t>(here);
    if (low <= at && at < high) return low;
  }
  return 0;
}

constexpr std::size_t left_bytes = 1500;  // a signal alone takes more on many processors

// Calls f where little is left of the stack.
template <class F>
[[gnu::noinline]] int descend(std::uintptr_t low, F& f) {  // NOLINT(misc-no-recursion)
  volatile char frame[64];
  frame[0] = 1;
  const auto here = reinterpret_cast<std::uintptr_t>(&frame[0]);
  if (here - low > left_bytes) return descend(low, f) + frame[0];
  f();
  return frame[0];
}

// An engine of one worker, whose handler turns in circles.
class busy_engine {
 public:
  explicit busy_engine(bool is_deep = false) : engine_(options()) {
    busy_ = engine_.create(tact::behavior<turns>([this, is_deep](auto&, const turn&) { run(is_deep); }),
                           tact::named("the busy one"));
    engine_.send(busy_, turn{});
    exit_.wait_until_used();
  }
  busy_engine(const busy_engine&) = delete;
  busy_engine& operator=(const busy_engine&) = delete;
  ~busy_engine() { exit_.open(); }

  [[nodiscard]] tact::engine& engine() { return engine_; }
  void go_on() {
    exit_.open();
    require_idle(engine_);
  }

 private:
  static tact::engine_options options() {
    tact::engine_options o = quiet_options(1);
    o.ask_stack_bytes = 64 * 1024;
    return o;
  }
  void run(bool is_deep) {
    const int here = 0;
    const auto circles = [this] { turning::turn_in_circles(exit_); };
    is_deep ? static_cast<void>(descend(low_end_of(&here), circles)) : circles();
  }

  turning::exit exit_;
  tact::engine engine_;
  tact::ref<turns> busy_;
};

}  // namespace

TEST_CASE("handler stack: on a stack of the engine's it is shown from its function to where the stack begins") {
  busy_engine busy;
  const engine_stacks all = describe_with_stacks(busy.engine(), patient);
  INFO(text_of(all));
  REQUIRE(all.handlers.size() == 1);
  CHECK(has(all.handlers[0].stack, "turning::turn_in_circles("));
  CHECK(all.handlers[0].stack.frames.size() > 5);
  CHECK(all.handlers[0].stack.frames.size() < 128);
  CHECK(all.handlers[0].runs_for.count() == 0);
  CHECK(all.engine.threads.at(0).number_in_system != 0);
  busy.go_on();
}

TEST_CASE("handler stack: one that has used up nearly all of its stack goes on unharmed when it is asked") {
  if (sanitized) TACT_SKIP("a sanitizer has larger frames, and threads get no stack for signals");
  busy_engine busy(true);
  const engine_stacks all = describe_with_stacks(busy.engine(), patient);
  INFO(text_of(all));
  REQUIRE(all.handlers.size() == 1);
  CHECK(has(all.handlers[0].stack, "turning::turn_in_circles("));
  CHECK(all.handlers[0].stack.frames.size() == 128);
  busy.go_on();
}

TEST_CASE("handler stack: a thread that handles nothing, and a program that wants no stacks, show none") {
  busy_engine busy;
  CHECK(describe_with_stacks(busy.engine(), {.signal = 0}).handlers.at(0).stack.empty());
  busy.go_on();
  tact::engine idle(quiet_options(2));
  for (const engine_stacks::handler& h : describe_with_stacks(idle).handlers) CHECK(h.stack.empty());
}

TEST_CASE("handler stack: when the thread runs another handler by then, its stack is not shown as that of the first") {
  busy_engine busy;
  tact::thread_description seen = busy.engine().describe().threads.at(0);
  tact::detail::core& core = tact::detail::access::core_of(busy.engine());
  CHECK(has(tact::inspect::stack_of_handler(core, 0, seen, patient), "turning::turn_in_circles("));
  ++seen.handled;
  const thread_stack other = tact::inspect::stack_of_handler(core, 0, seen, patient);
  CHECK(other.frames.empty());
  CHECK(other.why_none == "the handler has returned meanwhile");
  busy.go_on();
}

TEST_CASE("handler stack: of quick handlers a stack is shown, or that they have returned") {
  tact::engine engine(quiet_options(2));
  const auto quick = engine.create(tact::behavior<turn>([](auto& self, const turn& t) { self.send(self.ref(), t); }));
  engine.send(quick, turn{});
  const int rounds = scaled(600);
  for (int n = 0; n < rounds; ++n) {
    const engine_stacks all = describe_with_stacks(engine, patient);
    for (const engine_stacks::handler& h : all.handlers) {
      INFO(text_of(all));
      CHECK((h.stack.why_none.empty() || h.stack.why_none == "the handler has returned meanwhile"));
    }
  }
  engine.cancel();
}

TEST_CASE("watchdog: a handler beyond the limit is told with its stack, if the program does not say otherwise") {
  busy_engine busy;
  std::promise<late_handler> told;
  std::promise<late_handler> told_without;
  const auto once = [](std::promise<late_handler>& to) {
    return [&to, is_told = false](const late_handler& h) mutable {
      if (!std::exchange(is_told, true)) to.set_value(h);
    };
  };
  const std::chrono::milliseconds limit(20);
  watchdog dog(busy.engine(), {.limit = limit, .on_late = once(told), .stacks = patient});
  const watchdog other(busy.engine(), {.limit = limit, .on_late = once(told_without), .stacks = {.signal = 0}});
  const late_handler h = told.get_future().get();
  CHECK(has(h.stack, "turning::turn_in_circles("));
  CHECK(told_without.get_future().get().stack.empty());
  std::ostringstream text;
  text << h;
  CHECK(text.str().find(" s\n    #0  ") != std::string::npos);
  const engine_stacks all = describe_with_stacks(busy.engine(), patient, &dog);
  CHECK(all.handlers.at(0).runs_for >= h.runs_for);
  CHECK(text_of(all).find("handling turn, for 0.") != std::string::npos);
  busy.go_on();
  dog.look();
  CHECK(dog.runs_for(all.engine.threads.at(0)) == std::chrono::nanoseconds(0));
}

TEST_CASE("watchdog: options of stacks that make no sense are named") {
  tact::engine engine(quiet_options(1));
  CHECK_THROWS_WITH(watchdog(engine, {.stacks = {.signal = SIGKILL}}), Catch::Contains("stack_options.signal = 9"));
  CHECK_THROWS_WITH(watchdog(engine, {.stacks = {.limit = std::chrono::nanoseconds(0)}}),
                    Catch::Contains("stack_options.limit"));
}

}  // namespace inspect_handler_stack_test
