// The numbers and the times of engines, simulations, waits and timers: with all extremes each call works, or refuses by
// an error that names the thing; and none waits for ever. The parts: tests/patterns/extreme_numbers_test.cpp.
#include <exception>
#include <thread>

#include "support/extreme_numbers.hpp"
#include "tact/loop.hpp"
#include "tact/patterns/registry.hpp"
#include "tact/patterns/supervisor.hpp"
#include "tact/tact.hpp"

namespace core_numbers_test {

namespace {

using namespace tact::support;
using namespace std::chrono_literals;
using tact::engine;
using tact::engine_options;
using tact::request;
using tact::simulation;

struct question {
  using reply = int;
};
struct word {};
using asks = request<question>;

tact::ref<asks> answers(engine& e) {
  return e.create(tact::behavior<asks>{[](auto& self, const asks& m) { self.reply(m, 1); }});
}

// Runs f on another thread, because this one has a simulation already, and throws what f throws.
template <class F>
bool elsewhere(F f) {
  bool right = false;
  std::exception_ptr thrown;
  std::thread([&] {
    try {
      right = f();
    } catch (...) {
      thrown = std::current_exception();
    }
  }).join();
  if (thrown) std::rethrow_exception(thrown);
  return right;
}

// An engine with this option, without workers unless they are needed: it answers, and ends.
template <class T, class Refuses>
row option(const char* name, const char* thing, T engine_options::*which, Refuses refuses, unsigned workers = 0) {
  return number<T>(name, thing, refuses, [=](auto&, engine&, T v) {
    return elsewhere([&] {
      auto o = quiet_options(workers);
      o.*which = v;
      engine e(o);
      return e.ask(answers(e), question{}) == 1;
    });
  });
}

row milliseconds_of(const char* name, const char* thing, std::chrono::milliseconds engine_options::*which) {
  return number<std::int64_t>(name, thing, negative, [=](auto&, engine&, std::int64_t ms) {
    return elsewhere([&] {
      auto o = quiet_options(0);
      o.*which = std::chrono::milliseconds(ms);
      engine e(o);
      return e.ask(answers(e), question{}) == 1;
    });
  });
}

std::vector<row> numbers_of_engines() {
  const auto above = [](unsigned most) { return [most](auto n) { return n > most; }; };
  const auto between = [](std::uint64_t least, std::uint64_t most) {
    return [=](auto n) { return n < least || n > most; };
  };
  return {
      option("engine_options::workers", "workers", &engine_options::workers,
             [](unsigned n) { return n > 1024 && n != tact::all_units; }),
      option("engine_options::workers_max", "workers_max", &engine_options::workers_max, above(1024), 1),
      option("engine_options::helpers_max", "helpers_max", &engine_options::helpers_max, above(64), 1),
      option("engine_options::shards", "shards", &engine_options::shards, above(65'536)),
      option("engine_options::heavy_shards", "heavy_shards", &engine_options::heavy_shards, above(65'536)),
      option("engine_options::blocking_max", "blocking_max", &engine_options::blocking_max, above(4096)),
      option("engine_options::collisions_max", "collisions_max", &engine_options::collisions_max, between(1, 7)),
      option("engine_options::home_stretch", "home_stretch", &engine_options::home_stretch, between(1, 1024)),
      option("engine_options::ask_stack_bytes", "ask_stack_bytes", &engine_options::ask_stack_bytes,
             between(16U << 10, 1U << 30)),
      option("engine_options::dead_letters_kept", "dead_letters_kept", &engine_options::dead_letters_kept, never),
      milliseconds_of("engine_options::ask_timeout", "ask_timeout", &engine_options::ask_timeout),
      milliseconds_of("engine_options::shutdown_timeout", "shutdown_timeout", &engine_options::shutdown_timeout),
      number<unsigned>(
          "engine::set_workers", "set_workers", [](auto n) { return n == 0 || n > 3; },
          [](auto&, engine&, unsigned n) {
            return elsewhere([&] {
              auto o = quiet_options(1);
              o.workers_max = 3;
              engine e(o);
              e.set_workers(n);
              return e.workers() == n && e.ask(answers(e), question{}) == 1;
            });
          }),
      number<std::size_t>("engine::pump", "pump", never,
                          [](auto&, engine&, std::size_t n) {
                            return elsewhere([&] {
                              engine e(quiet_options(0));
                              const auto to = e.create(tact::sink<word>());
                              for (int i = 0; i < 3; ++i) e.send(to, word{});
                              return e.pump(n).handled == std::min<std::size_t>(n, 3);
                            });
                          }),
      number<std::size_t>("loop::pump", "pump", never,
                          [](auto&, engine&, std::size_t n) {
                            return elsewhere([&] {
                              engine e(quiet_options(1));
                              tact::loop here(e, [] {});
                              const auto to = e.create(tact::sink<word>(), tact::on_loop(here));
                              for (int i = 0; i < 3; ++i) e.send(to, word{});
                              const auto expected = std::min<std::size_t>(n, 3);
                              return here.pump(n).handled == expected && here.pump(n, -1ns).handled <= 3 - expected;
                            });
                          }),
      number<std::size_t>("engine::fullest_mailboxes", "most", never,
                          [](auto&, engine& e, std::size_t n) {
                            const auto to = e.create(tact::sink<word>(), tact::mailbox_limit{.messages = 1});
                            e.send(to, word{});
                            return e.fullest_mailboxes(n).size() == std::min<std::size_t>(n, 1);
                          }),
  };
}

// Two words are sent; with room for none, at least one may wait, because 0 is no limit.
template <class Tag>
row limited(const char* name, Tag tag) {
  return number<std::uint64_t>(name, name, never, [tag](simulation& sim, engine& e, std::uint64_t n) {
    int came = 0;
    const auto to = e.create(tact::behavior<word>{[&came](auto&, const word&) { ++came; }}, tag(n));
    e.send(to, word{});
    e.send(to, word{});
    sim.run();
    const bool right = came == 2 || (came == 1 && n != 0 && e.statistics().refused == 1);
    sim.end();
    return right;
  });
}

// A program that is right, and one that is wrong, explored with an option: the result is the right one, unless the
// option stops the program.
template <class Set, class Stops>
row exploring(const char* name, Set set, Stops stops) {
  return number<std::uint64_t>(name, name, never, [=](auto&, engine&, std::uint64_t n) {
    return elsewhere([&] {
      tact::explore_options o{.shrinking_runs = 3, .prints = false};
      set(o, n);
      const auto right = [](simulation& sim) {
        (void)sim.engine(quiet_options(2)).ask(answers(sim.engine()), question{});
      };
      const auto wrong = [](simulation& sim) { sim.check(false, "wrong"); };
      return tact::explore(2, right, o).failed == stops(n) && tact::explore(2, wrong, o).failed;
    });
  });
}

std::vector<row> numbers_of_actors() {
  return {
      limited("mailbox_limit::messages", [](auto n) { return tact::mailbox_limit{.messages = n}; }),
      limited("mailbox_limit::bytes", [](auto n) { return tact::mailbox_limit{.bytes = n}; }),
      number<std::uint64_t>("context::with_trace", "trace", never,
                            [](auto&, engine&, std::uint64_t n) { return tact::context().with_trace(n).trace() == n; }),
  };
}

std::vector<row> numbers_of_simulations() {
  return {
      number<std::uint64_t>("explore", "schedules", zero,
                            [](auto&, engine&, std::uint64_t n) {
                              return elsewhere([&] {
                                const auto fails = [](simulation&) { throw std::runtime_error("as always"); };
                                const auto found = tact::explore(n, fails, {.shrinking_runs = 0, .prints = false});
                                return found.failed && found.schedules == 1;
                              });
                            }),
      // How a program is explored: it has some thirty points, so with fewer it is taken for one that does not end.
      exploring(
          "explore_options::seed", [](auto& o, std::uint64_t n) { o.seed = n; }, never),
      exploring(
          "explore_options::shrinking_runs",
          [](auto& o, std::uint64_t n) { o.shrinking_runs = static_cast<unsigned>(n); }, never),
      exploring(
          "explore_options::points_max", [](auto& o, std::uint64_t n) { o.points_max = n; },
          [](std::uint64_t n) { return n <= 3; }),
      number<std::uint64_t>("schedule::points_max", "points", never,
                            [](auto&, engine&, std::uint64_t n) {
                              return elsewhere([&] {
                                simulation sim(tact::schedule{.points_max = n});
                                try {
                                  return sim.engine(quiet_options(2)).ask(answers(sim.engine()), question{}) == 1;
                                } catch (const tact::simulation_error&) {
                                  return n <= 3;
                                }
                              });
                            }),
      number<std::uint64_t>("simulation", "seed", never,
                            [](auto&, engine&, std::uint64_t n) {
                              return elsewhere([&] {
                                simulation sim(n);
                                return sim.engine(quiet_options(2)).ask(answers(sim.engine()), question{}) == 1;
                              });
                            }),
      number<std::uint64_t>("schedule::seed", "seed", never,
                            [](auto&, engine&, std::uint64_t n) {
                              return elsewhere([&] {
                                simulation sim(tact::schedule{.seed = n});
                                return sim.so_far().seed == n;
                              });
                            }),
      // As far as the clock goes; what is over already changes nothing.
      number<std::int64_t>("simulation::sleep_for", "sleep_for", never,
                           [](simulation& sim, engine& e, std::int64_t n) {
                             // One that sleeps for ever keeps nobody else, and is given up with the simulation.
                             sim.start_thread([&sim, n] { sim.sleep_for(std::chrono::nanoseconds(n)); });
                             return e.ask(answers(e), question{}) == 1;
                           }),
      number<std::int64_t>("simulation::advance", "advance", never,
                           [](simulation& sim, engine&, std::int64_t n) {
                             sim.advance(std::chrono::nanoseconds(n));
                             sim.advance(std::chrono::nanoseconds(n));
                             return n <= 0 ? sim.now() == 0ns : sim.now() >= std::chrono::nanoseconds(n / 2);
                           }),
  };
}
std::vector<row> numbers_of_plans() {
  return {
      number<std::uint64_t>("simulation::throw_at", "throw_at", never,
                            [](simulation& sim, engine& e, std::uint64_t n) {
                              sim.throw_at(n);
                              const auto to = e.create(tact::sink<word>());
                              for (int i = 0; i < 3; ++i) e.send(to, word{});
                              sim.run();
                              return sim.has_thrown() == (n >= 1 && n <= 3);
                            }),
      number<std::uint64_t>("simulation::fail_allocation", "fail_allocation", never,
                            [](simulation& sim, engine& e, std::uint64_t n) {
                              sim.fail_allocation(n);
                              try {
                                for (int i = 0; i < 3; ++i) e.send(e.create(tact::sink<word>()), word{});
                              } catch (const std::bad_alloc&) {
                              }
                              sim.run();
                              return n != 0 || !sim.has_failed_allocation();
                            }),
  };
}

// -- times. Every call that waits, for something that is so already: it returns at once, whatever the limit. And for
// something that never is, with a limit that is over: it returns at once as well.
struct wait {
  const char* name;
  std::function<bool(engine&, std::chrono::duration<double>)> by_double;
  std::function<bool(engine&, std::chrono::nanoseconds)> by_ns;
};
template <class F>
wait waiting(const char* name, F f) {
  return {name, f, f};
}

std::vector<wait> waits_for_what_is_so() {
  return {
      waiting("engine::wait_idle", [](engine& e, auto t) { return e.wait_idle(t); }),
      waiting("engine::wait_finished", [](engine& e, auto t) { return e.wait_finished(t); }),
      waiting("engine::drain", [](engine& e, auto t) { return e.drain(t); }),
      waiting("engine::cancel", [](engine& e, auto t) { return e.cancel(t); }),
      waiting("engine::send_for",
              [](engine& e, auto t) {
                return e.send_for(t, e.create(tact::sink<word>()), word{}) == tact::send_result::sent;
              }),
      waiting("scope::wait",
              [](engine& e, auto t) {
                tact::scope all(e);
                return all.wait(t);
              }),
      waiting("supervisor::wait",
              [](engine& e, auto t) {
                tact::supervisor all(e);
                all.end();
                (void)e.wait_idle();
                return all.wait(t);
              }),
      // A time that the clock cannot say is no deadline.
      waiting("context::with_deadline",
              [](engine&, auto t) {
                const std::chrono::time_point<std::chrono::steady_clock, decltype(t)> until(t);
                const bool has_one = tact::context().with_deadline(until).deadline().has_value();
                return has_one == (tact::detail::whole_ns(t) != tact::detail::never_ns);
              }),
  };
}
// What is asked never answers, so only a limit that is over, or nearly, can end the wait.
std::vector<wait> waits_in_vain() {
  const auto silent = [](engine& e) {
    return e.create(tact::behavior<asks>{[](auto& self, const asks& m) { self.defer(m); }});
  };
  return {
      waiting("engine::ask", [=](engine& e, auto t) { return !e.ask(silent(e), question{}, t); }),
      waiting("engine::ask_all",
              [=](engine& e, auto t) { return !e.ask_all(std::vector{silent(e)}, question{}, t).front(); }),
      waiting("registry::await",
              [](engine& e, auto t) {
                const tact::registry names(e);
                return !names.await<word>(e, "nobody", t);
              }),
      waiting("engine::send_at",
              [=](engine& e, auto t) {
                int came = 0;
                const auto to = e.create(tact::behavior<word>{[&came](auto&, const word&) { ++came; }});
                const std::chrono::time_point<std::chrono::steady_clock, decltype(t)> when(t);
                e.send_at(when, to, word{});
                (void)e.ask(silent(e), question{}, 1ms);  // lets time pass
                return came == 1;
              }),
  };
}

template <class Duration>
std::string try_wait(const std::function<bool(engine&, Duration)>& f, Duration time) {
  simulation sim(1);
  try {
    if (!f(sim.engine(quiet_options(2)), time)) return "does not work";
  } catch (const std::exception& e) {
    return e.what();
  }
  return sim.now() > 2s ? "has waited" : "";
}

constexpr double infinity = std::numeric_limits<double>::infinity();
constexpr double no_number = std::numeric_limits<double>::quiet_NaN();

}  // namespace

TEST_CASE("extreme numbers: an engine takes any, or names the option that is impossible", "[api]") {
  require_right(numbers_of_engines());
}

TEST_CASE("extreme numbers: limits, traces and simulations take any, or refuse", "[api]") {
  require_right(numbers_of_actors());
  require_right(numbers_of_simulations());
  require_right(numbers_of_plans());
}

TEST_CASE("extreme numbers: a call that waits for what is so returns at once, whatever its limit", "[api]") {
  using seconds = std::chrono::duration<double>;
  for (const wait& w : waits_for_what_is_so()) {
    INFO(w.name);
    for (const auto t : {std::chrono::nanoseconds::min(), -1ns, 0ns, 1ns, std::chrono::nanoseconds::max()})
      CHECK(try_wait(w.by_ns, t) == "");
    for (const double t : {-infinity, -1.0, -0.0, 0.0, 1e-300, 1e300, infinity, no_number})
      CHECK(try_wait(w.by_double, seconds(t)) == "");
  }
}

TEST_CASE("extreme numbers: a call whose limit is over returns, although what it waits for never is", "[api]") {
  using seconds = std::chrono::duration<double>;
  for (const wait& w : waits_in_vain()) {
    INFO(w.name);
    for (const auto t : {std::chrono::nanoseconds::min(), -1ns, 0ns, 1ns}) CHECK(try_wait(w.by_ns, t) == "");
    for (const double t : {-infinity, -1.0, -0.0, 0.0, 1e-300}) CHECK(try_wait(w.by_double, seconds(t)) == "");
  }
}

}  // namespace core_numbers_test
