// tact::loop: actors on a thread that has an event loop of its own, in an engine with workers.
#include <array>
#include <atomic>
#include <optional>
#include <string>
#include <thread>

#include "unit/api/turner.hpp"

namespace loop_test {

using namespace tact;
using namespace tact::loop_tests;

TEST_CASE("loop: handlers run on its thread and nowhere else, in the order of each sender", "[law5][law6]") {
  TACT_FOR_EACH_THREAD_COUNT(workers);
  engine e(quiet_options(workers));
  turner t(e);
  const auto me = std::this_thread::get_id();
  constexpr int senders = 4;
  constexpr int each = 500;
  int broken = 0;
  std::array<int, senders + 1> next{};
  int seen = 0;
  struct from {
    std::size_t sender;
    int number;
  };
  struct sink : protocol<from> {};
  const auto view = e.create(behavior<sink>{[&](auto&, const from& m) {
                               broken += std::this_thread::get_id() != me || next[m.sender]++ != m.number;
                               ++seen;
                             }},
                             on_loop(t.place));
  struct go {};
  struct source : protocol<go> {};
  const auto send_all = [&](std::size_t sender) {
    return behavior<source>{[=](auto& self, const go&) {
      for (int i = 0; i < each; ++i) self.send(view, from{sender, i});
    }};
  };
  for (std::size_t i = 0; i < senders; ++i) e.send(e.create(send_all(i)), go{});
  std::jthread outside([&] {
    for (int i = 0; i < each; ++i) e.send(view, from{senders, i});
  });
  t.run([&] { return seen == (senders + 1) * each; }, 7);
  CHECK(broken == 0);
}

TEST_CASE("loop: what its actors ask for is answered on its thread", "[law5]") {
  engine e(quiet_options(2));
  turner t(e);
  const auto me = std::this_thread::get_id();
  const auto asked = e.create(double_them(), tact::parallel);
  int sum = 0;
  int elsewhere = 0;
  const auto view = e.create(behavior<counter>{[&](auto& self, const number& m) {
                               self.ask(asked, twice_of{m.value}, [&](auto&, int twice) {
                                 elsewhere += std::this_thread::get_id() != me;
                                 sum += twice;
                               });
                             }},
                             on_loop(t.place));
  for (int i = 1; i <= 100; ++i) e.send(view, number{i});
  t.run([&] { return sum == 100 * 101; });
  CHECK(elsewhere == 0);
}

TEST_CASE("loop: a failed ask is told on its thread too", "[law5][law9]") {
  engine e(quiet_options(2));
  turner t(e);
  const auto asked = e.create(
      behavior<doubler>{[](auto&, const request<twice_of>&) { throw std::runtime_error("no"); }}, tact::parallel);
  std::optional<failure> heard;
  std::thread::id where;
  const auto view = e.create(behavior<counter>{[&](auto& self, const number& m) {
                               self.ask(
                                   asked, twice_of{m.value}, [](auto&, int) {},
                                   [&](auto&, const failure& f) {
                                     heard = f;
                                     where = std::this_thread::get_id();
                                   });
                             }},
                             on_loop(t.place));
  e.send(view, number{1});
  t.run([&] { return heard.has_value(); });
  CHECK(heard->reason == failure_reason::handler_threw);
  CHECK(where == std::this_thread::get_id());
}

TEST_CASE("loop: handlers anywhere make actors on it, and its actors make others", "[law1]") {
  engine e(quiet_options(2));
  turner t(e);
  const auto me = std::this_thread::get_id();
  bool here = false;
  bool elsewhere = false;
  std::atomic<bool> done{false};
  struct make {};
  struct spawner : protocol<make> {};
  const auto spawns = e.create(behavior<spawner>{[&](auto& self, const make&) {
                                 const auto counts =
                                     self.create(behavior<counter>{[&](auto& inner, const number&) {
                                                   here = std::this_thread::get_id() == me;
                                                   const auto away = inner.create(do_tasks(), tact::parallel);
                                                   inner.send(away, task{[&] {
                                                                elsewhere = std::this_thread::get_id() != me;
                                                                done = true;
                                                                t.wake();
                                                              }});
                                                 }},
                                                 on_loop(t.place));
                                 self.send(counts, number{1});
                               }},
                               tact::parallel);
  e.send(spawns, make{});
  t.run([&] { return done.load(); });
  CHECK(here);
  CHECK(elsewhere);
}

TEST_CASE("loop: a pump handles as many messages as it may, and says whether more waits", "[law7]") {
  engine e(quiet_options(1));
  turner t(e);
  int seen = 0;
  const auto view = e.create(behavior<counter>{[&](auto&, const number&) { ++seen; }}, on_loop(t.place));
  for (int i = 0; i < 10; ++i) e.send(view, number{i});
  const auto first = t.place.pump(3);
  CHECK(first.handled == 3);
  CHECK(first.more);
  const auto nothing = t.place.pump(0);
  CHECK(nothing.handled == 0);
  CHECK(nothing.more);
  const auto rest = t.place.pump();
  CHECK(rest.handled == 7);
  CHECK_FALSE(rest.more);
  CHECK(seen == 10);
  CHECK(t.wakes == 1);
  e.send(view, number{0});
  e.send(view, number{0});
  CHECK(t.wakes == 2);
  const auto late = t.place.pump(unlimited, std::chrono::nanoseconds(0));
  CHECK(late.handled == 1);
  CHECK(late.more);
  CHECK(t.place.pump().handled == 1);
}

TEST_CASE("loop: a pump without a limit returns although an actor sends itself messages without end", "[law7]") {
  engine e(quiet_options(1));
  turner t(e);
  struct go_on {};
  struct enough {};
  struct endless : protocol<go_on, enough> {};
  bool over = false;
  const auto a = e.create(behavior<endless>{[](self<endless>& me, const go_on&) { me.send(me.ref(), go_on{}); },
                                            [&over](self<endless>& me, const enough&) {
                                              over = true;
                                              me.stop();
                                            }},
                          on_loop(t.place));
  e.send(a, go_on{});
  const auto first = t.place.pump();
  CHECK(first.handled > 0);
  CHECK(first.more);
  e.send(a, enough{});
  while (t.place.pump().more) {
  }
  CHECK(over);
}

TEST_CASE("loop: what would block its thread is refused there, and names the remedy", "[dispatch]") {
  engine e(quiet_options(2));
  const auto asked = e.create(double_them(), tact::parallel);
  {
    turner t(e);
    const std::string why = refusal([&] { static_cast<void>(e.ask(asked, twice_of{1})); });
    CHECK(why.find("engine.ask") == 0);
    CHECK(why.find("self.ask") != std::string::npos);
    CHECK(refusal([&] { e.wait_idle(); }) != "accepted");
    CHECK(refusal([&] { static_cast<void>(e.drain()); }) != "accepted");
    CHECK(refusal([&] { static_cast<void>(scope(e).wait(generous)); }) != "accepted");
    std::string in_handler;
    bool done = false;
    struct waits : protocol<number> {};
    const auto view = e.create(behavior<waits>{[&](auto& self, const number&) {
                                 in_handler = refusal([&] { static_cast<void>(self.ask(asked, twice_of{1})); });
                                 done = true;
                               }},
                               on_loop(t.place));
    e.send(view, number{1});
    t.run([&] { return done; });
    CHECK(in_handler.find("continuation") != std::string::npos);
    std::string elsewhere;
    std::thread([&] { elsewhere = refusal([&] { t.place.pump(); }); }).join();
    CHECK(elsewhere.find("another thread") != std::string::npos);
  }
  CHECK(e.ask(asked, twice_of{4}) == 8);
}

TEST_CASE("loop: a pump inside one of its handlers does nothing, and the one around it goes on", "[dispatch]") {
  engine e(quiet_options(1));
  turner t(e);
  int seen = 0;
  bool nested = false;
  const auto view = e.create(behavior<counter>{[&](auto&, const number&) {
                               ++seen;
                               const auto inner = t.place.pump();
                               nested = nested || inner.handled != 0 || inner.more;
                             }},
                             on_loop(t.place));
  for (int i = 0; i < 3; ++i) e.send(view, number{i});
  CHECK(t.place.pump().handled == 3);
  CHECK(seen == 3);
  CHECK_FALSE(nested);
}

TEST_CASE("loop: an engine has as many as places for blocking actors, and says so", "[dispatch]") {
  auto options = quiet_options(1);
  options.blocking_max = 1;
  engine e(options);
  {
    turner t(e);
    CHECK(refusal([&] { turner second(e); }).find("engine_options.blocking_max") != std::string::npos);
  }
  CHECK(refusal([&] { static_cast<void>(e.create(do_tasks(), blocking)); }) != "accepted");
  engine other(options);
  turner t(other);
  CHECK(refusal([&] { static_cast<void>(e.create(do_tasks(), on_loop(t.place))); }).find("another engine") !=
        std::string::npos);
  CHECK(refusal([&] { tact::loop nothing(e, nullptr); }).find("give it a function") != std::string::npos);
}

TEST_CASE("loop: the engine is idle only when nothing waits on a loop", "[law12]") {
  engine e(quiet_options(2));
  turner t(e);
  const auto view = e.create(behavior<counter>{[](auto&, const number&) {}}, on_loop(t.place));
  e.send(view, number{1});
  std::atomic<bool> idle{false};
  std::jthread waits([&] {
    idle = e.wait_idle(generous);
    t.wake();
  });
  CHECK_FALSE(idle);
  t.run([&] { return idle.load(); });
}

}  // namespace loop_test
