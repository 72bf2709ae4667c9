// The end of a tact::loop: its actors end with it, and what waits hears so.
#include <atomic>
#include <memory>
#include <optional>
#include <string>
#include <thread>

#include "support/captured_stderr.hpp"
#include "unit/api/turner.hpp"

namespace loop_end_test {

using namespace tact;
using namespace tact::loop_tests;

TEST_CASE("loop: a continuation that waits when the loop ends hears of that on its thread, and tells its customer",
          "[law8][law11]") {
  engine e(quiet_options(2));
  std::optional<failure> heard;
  std::thread::id where;
  std::thread asker;
  int answer = 0;
  {
    turner t(e);
    std::atomic<bool> asked{false};
    const auto never = e.create(behavior<doubler>{[&](auto& self, const request<twice_of>& m) {
      self.defer(m);
      asked = true;
      t.wake();
    }});
    const auto view = e.create(behavior<doubler>{[&, never](auto& self, const request<twice_of>& m) {
                                 self.defer(m);
                                 self.ask(
                                     never, m.body, [](auto&, int) {},
                                     [&, to = m.customer](auto& tx, const failure& f) {
                                       heard = f;
                                       where = std::this_thread::get_id();
                                       tx.send(to, -1);
                                     });
                               }},
                               on_loop(t.place));
    asker = std::thread([&e, &answer, view] { answer = e.ask(view, twice_of{1}); });
    t.run([&] { return asked.load(); });
    REQUIRE(!heard);
  }
  asker.join();
  CHECK(answer == -1);
  REQUIRE(heard);
  CHECK(heard->reason == failure_reason::target_ended);
  CHECK_THAT(heard->what, Catch::Contains("tact::loop"));
  CHECK(where == std::this_thread::get_id());
}

TEST_CASE("loop: it ends its actors on its thread; what waits and what comes later are dead letters", "[law4][law11]") {
  const nothing_left left;
  engine e(quiet_options(2));
  struct view_of : protocol<number> {};
  int handled = 0;
  ref<view_of> view;
  std::thread::id destroyed;
  const auto mark = [&](void*) { destroyed = std::this_thread::get_id(); };
  std::optional<on_loop> place;
  std::atomic<int> ended{0};
  struct watch_it {};
  struct watcher : protocol<tact::ended> {};
  const auto monitor = e.create(
      behavior<watcher>{[&](auto&, const tact::ended& m) { ended += m.reason == end_reason::loop_ended ? 1 : 100; }},
      tact::parallel);
  {
    turner t(e);
    place.emplace(t.place);
    auto kept = std::shared_ptr<void>(new int, [&](void* p) {
      mark(p);
      delete static_cast<int*>(p);
    });
    view = e.create(
        behavior<view_of>{[&handled, own = std::move(kept), alive = tracked()](auto&, const number&) { ++handled; }},
        *place);
    struct start {};
    struct starter : protocol<start> {};
    const auto s =
        e.create(behavior<starter>{[=](auto& self, const start&) { self.monitor(view, monitor); }}, tact::parallel);
    e.send(s, start{});
    while (t.place.pump().handled == 0) std::this_thread::yield();
    e.send(view, number{1});
    e.send(view, number{2});
  }
  CHECK(destroyed == std::this_thread::get_id());
  e.send(view, number{3});
  REQUIRE(e.wait_idle(generous));
  CHECK(handled == 0);
  CHECK(ended == 1);
  CHECK(e.statistics().dead_letters == 3);
  const std::string why = refusal([&] { static_cast<void>(e.create(do_tasks(), *place)); });
  CHECK(why.find("has ended") != std::string::npos);
  support::require_accounted(e);
}

TEST_CASE("loop: it ends although others send faster than it can bury", "[law4][law11]") {
  engine e(quiet_options(2));
  std::optional<turner> t(std::in_place, e);
  const auto view = e.create(behavior<counter>{[](auto&, const number&) {}}, on_loop(t->place));
  std::atomic<bool> over{false};
  struct go {};
  struct source : protocol<go> {};
  for (int i = 0; i < 4; ++i) {
    e.create(behavior<source>{[&](auto& self, const go& m) {
      for (int n = 0; n < 10; ++n) self.send(view, number{n});
      if (!over) self.send(self.ref(), m);
    }}) |
        go{};
  }
  t->run([&] { return t->wakes > 0; });
  support::door ended;
  bool waited_for_senders = false;
  std::jthread patience([&] {
    waited_for_senders = !ended.pass();
    over = true;
  });
  t.reset();
  ended.open();
  patience.join();
  CHECK_FALSE(waited_for_senders);
  support::require_idle(e);
}

TEST_CASE("loop: one that outlives its engine does no harm: a pump is refused, and its end says so", "[law11]") {
  const std::string said = support::captured_stderr([] {
    auto e = std::make_unique<engine>(quiet_options(1));
    turner t(*e);
    e->send(e->create(behavior<counter>{[](auto&, const number&) {}}, on_loop(t.place)), number{1});
    e.reset();
    engine another(quiet_options(1));  // perhaps where the first one was
    CHECK_THROWS_WITH(t.place.pump(), Catch::Contains("destroy the tact::loop before its engine"));
    CHECK_THROWS_AS(static_cast<void>(another.create(behavior<counter>{[](auto&, const number&) {}}, on_loop(t.place))),
                    usage_error);
    scope waits(another);  // its destructor looks at the loops of this thread
    static_cast<void>(waits.create(behavior<counter>{[](auto&, const number&) {}}));
  });
  CHECK_THAT(said, Catch::Contains("a tact::loop is destroyed behind its engine"));
}

}  // namespace loop_end_test
