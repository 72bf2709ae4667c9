// Timers: many are armed at a time, and fire over a while. What counts is the processor time of setting and firing one,
// beside that of a plain send, and how late their messages are.
#include <algorithm>
#include <chrono>
#include <random>
#include <thread>
#include <vector>

#include "programs/engine.hpp"
#include "programs/tally.hpp"

namespace bench {
namespace {

using clock = std::chrono::steady_clock;
using std::chrono::nanoseconds;

struct due {
  std::uint64_t number;
  clock::time_point when;
};
struct items : tact::protocol<due> {};

// How many were so late, in steps of a microsecond; the last one has the rest.
class lateness {
 public:
  void add(nanoseconds late) {
    const auto us = static_cast<std::size_t>(std::max<std::int64_t>(late.count() / 1000, 0));
    ++times_[std::min(us, times_.size() - 1)];
  }
  [[nodiscard]] std::uint64_t us_of(double part) const {
    std::uint64_t all = 0;
    for (const std::uint64_t n : times_) all += n;
    std::uint64_t below = 0;
    std::size_t us = 0;
    while (us < times_.size() - 1 && static_cast<double>(below += times_[us]) < part * static_cast<double>(all)) ++us;
    return us;
  }

 private:
  std::vector<std::uint64_t> times_ = std::vector<std::uint64_t>(1'000'000);
};

struct seen {
  tally heard;
  lateness late;
};

tact::behavior<items> hear(seen& s, bool looks) {
  return [&s, looks](tact::self<items>&, const due& m) {
    s.heard.hear(m.number);
    if (looks) s.late.add(clock::now() - m.when);
  };
}

// The times at which the timers are due: anywhere in the window that begins when they have probably been set.
struct times {
  std::uint64_t timers;
  nanoseconds lead;
  nanoseconds window;

  template <class Set>
  void for_each(Set set) const {
    std::minstd_rand dice;
    std::uniform_int_distribution<std::int64_t> anywhere(0, window.count());
    const auto begin = clock::now() + lead;
    for (std::uint64_t i = 0; i < timers; ++i) set(due{i, begin + nanoseconds(anywhere(dice))});
  }
};

struct go {};
struct setters : tact::protocol<go> {};

// In a handler, which takes as long as all of it.
tact::behavior<setters> set_all(const times& all, tact::ref<items> to) {
  return [&all, to](tact::self<setters>& self, const go&) {
    all.for_each([&](const due& m) { self.send_at(m.when, to, due(m)); });
  };
}

std::string ns_each(const stopwatch& watch, std::uint64_t times) {
  return std::to_string(static_cast<std::uint64_t>(watch.cpu_seconds() * 1e9 / static_cast<double>(times) + 0.5));
}

// The same messages, sent at once: what timers cost beyond that is theirs.
stopwatch send_plainly(const times& all, const tact::engine_options& options) {
  seen s;
  tact::engine engine(options);
  const auto to = engine.create(hear(s, false));
  stopwatch watch;
  all.for_each([&](const due& m) { engine.send(to, due(m)); });
  engine.wait_idle();
  watch.stop();
  return watch;
}

void set(const times& all, tact::engine& engine, tact::ref<items> to, const std::string& by) {
  if (by == "thread") {
    all.for_each([&](const due& m) { engine.send_at(m.when, to, due(m)); });
  } else {
    engine.send(engine.create(set_all(all, to)), go{});
    engine.wait_idle();
  }
}

int run(program& p) {
  const auto by = p.choice("by", {"thread", "handler"}, "who sets the timers");
  const auto timers = p.number("timers", 1'000'000, 2'000, "timers");
  const auto lead = std::chrono::milliseconds(p.number("lead-ms", 1'000, 5, "milliseconds until the first is due"));
  const auto window =
      std::chrono::milliseconds(p.number("window-ms", 2'000, 20, "milliseconds until the last, from there"));
  const auto late_max = p.number("late-max", 0, 0, "us by which one in a hundred may be late; 0: any number", 0);
  const auto options = read_engine_options(p);
  p.ready();

  const times all{timers, lead, window};
  const stopwatch plain = send_plainly(all, options);
  seen s;
  tact::engine engine(options);
  const auto to = engine.create(hear(s, true));

  stopwatch watch;
  stopwatch setting;
  set(all, engine, to, by);
  setting.stop();
  const std::uint64_t armed = engine.statistics().timers_armed;
  stopwatch firing;
  while (engine.statistics().timers_armed != 0) std::this_thread::sleep_for(std::chrono::milliseconds(1));
  engine.wait_idle();
  firing.stop();
  watch.stop();

  p.check_equal(s.heard.handled, timers, "messages handled");
  p.check_equal(s.heard.sum, timers * (timers - 1) / 2, "sum of the messages");
  check_engine(p, engine, timers + (by == "handler"));
  p.check_equal(engine.statistics().timers_fired, timers, "timers that fired");
  p.say("armed", std::to_string(armed));
  p.say("set_ns", ns_each(setting, timers));
  p.say("fire_ns", ns_each(firing, timers));
  p.say("send_ns", ns_each(plain, timers));
  p.say("late_p50_us", std::to_string(s.late.us_of(0.5)));
  p.say("late_p99_us", std::to_string(s.late.us_of(0.99)));
  p.check(late_max == 0 || s.late.us_of(0.99) <= late_max, "too many were too late");
  return p.report(watch, timers);
}

}  // namespace
}  // namespace bench

int main(int argc, char** argv) {
  bench::program p(argc, argv, "Timers: many are armed at a time, and fire over a while.", bench::tact_runtime);
  return bench::run(p);
}
