// tact::suspendable: nothing passes while it is suspended, and then everything in its order.
#include "tact/patterns/suspend.hpp"

#include "patterns/customers.hpp"
#include "patterns/trouble.hpp"

namespace suspend_test {

namespace {

using namespace tact::patterns_tests;
using tact::request;

struct ping {
  using reply = int;
  int number = 0;
  tracked instance{};
};
struct note {
  int thread = 0;
  int number = 0;
  char large[200] = {};  // is passed on, not copied
  tracked instance{};
  copied copies{};
};
struct desk : tact::protocol<request<ping>, note> {};

struct books {
  std::atomic<bool> is_suspended{false};  // for thread 2, from the answer to `suspend` to the order to resume
  std::atomic<int> notes{0};
  int last[3] = {-1, -1, -1};
};

tact::behavior<desk> open_desk(tact::simulation& sim, std::shared_ptr<books> b) {
  return {
      [](auto& self, const request<ping>& m) { self.reply(m, m.body.number); },
      [&sim, b](auto&, const note& m) {
        sim.check(m.thread != 2 || !b->is_suspended, "a note has passed that came when it was suspended");
        sim.check(m.number > b->last[m.thread], "notes of one thread have changed places");
        b->last[m.thread] = m.number;
        ++b->notes;
      },
  };
}

// A thread sends, another one suspends and resumes.
template <class Make>
void send_and_suspend(tact::simulation& sim, const trouble& t, const Make& make) {
  auto& engine = sim.engine(quiet_options(2));
  const auto b = std::make_shared<books>();
  const auto all = std::make_shared<customers<int>>(4);
  all->enter(engine, [&sim](auto&, std::size_t n, int answer) { sim.check(int(n) == answer, "a wrong answer"); });
  const auto at = engine.create(open_desk(sim, b));
  const auto gate = engine.create(make(at));
  const auto sent = std::make_shared<std::atomic<int>>(0);
  t.begin();
  for (int thread = 0; thread < 2; ++thread) {
    sim.start_thread([=, &engine] {
      for (int i = 0; i < 2; ++i) {
        if (t.tries([&] { engine.send(gate, note{thread, i}); })) ++*sent;
        all->ask(t, engine, gate, std::size_t(thread * 2 + i), ping{thread * 2 + i});
      }
    });
  }
  sim.start_thread([=, &engine] {
    t.tries([&] {
      try {
        engine.ask(gate, tact::suspend_delivery{});
        b->is_suspended = true;
        for (int i = 0; i < 2; ++i) {
          engine.send(gate, note{2, i});
          ++*sent;
          engine.ask(at, ping{});
        }
        b->is_suspended = false;
        engine.ask(gate, tact::resume_delivery{});
      } catch (const tact::ask_error&) {
        b->is_suspended = false;
      }
    });
    b->is_suspended = false;
  });
  sim.run();
  t.tries([&] { engine.send(gate, request<tact::resume_delivery>{}); });
  sim.run();
  all->check(sim, t);
  sim.check(all->failures() <= (t.is_none() ? 0 : 1), "a request failed without a reason");
  sim.check(b->notes >= *sent - (t.is_none() ? 0 : 1), "a note was lost");
  sim.end();
}

const auto as_it_is = [](tact::ref<desk> to) { return tact::suspendable(to); };

}  // namespace

TEST_CASE("suspendable: nothing passes while it is suspended, and then all in order, whatever fails",
          "[law1][law5][law8]") {
  require_whatever_fails([](tact::simulation& sim, const trouble& t) { send_and_suspend(sim, t, as_it_is); });
}

namespace {

// Says that it is suspended, and lets one more message through.
struct late : tact::protocol<desk, request<tact::suspend_delivery>, request<tact::resume_delivery>> {};
tact::behavior<late> one_more(tact::ref<desk> to, bool is_suspended = false, tact::stash<desk> kept = {},
                              bool lets_through = true) {
  return {
      [=](tact::self<late>& self, const request<tact::suspend_delivery>& m) {
        self.become(one_more(to, true, kept));
        self.reply(m);
      },
      [=](tact::self<late>& self, const request<tact::resume_delivery>& m) {
        kept.give_back(self, to);
        self.become(one_more(to));
        if (m.customer) self.reply(m);
      },
      [=](tact::self<late>& self, const auto& m) {
        if (!is_suspended || lets_through) self.pass_on(to, m);
        if (is_suspended) self.become(one_more(to, true, lets_through ? kept : kept.put(self, m), false));
      },
  };
}

}  // namespace

TEST_CASE("suspendable: one that lets one more message through is found", "[law5]") {
  require_found([](tact::simulation& sim, const trouble& t) {
    send_and_suspend(sim, t, [](tact::ref<desk> to) { return one_more(to); });
  });
}

TEST_CASE("suspendable: when it ends while it is suspended, the requests in it are told", "[law4][law8]") {
  require_whatever_fails([](tact::simulation& sim, const trouble& t) {
    auto& engine = sim.engine(quiet_options(2));
    const auto b = std::make_shared<books>();
    const auto all = std::make_shared<customers<int>>(3);
    all->enter(engine, [](auto&, std::size_t, int) {});
    auto owner = std::make_shared<tact::owner<tact::suspendable_protocol<desk>>>(
        engine.create(tact::suspendable(engine.create(open_desk(sim, b))), tact::owned));
    const auto gate = owner->ref();
    engine.ask(gate, tact::suspend_delivery{});
    t.begin();
    all->ask(t, engine, gate, 0, ping{0});
    sim.start_thread([=, &engine] {
      for (int n = 1; n < 3; ++n) all->ask(t, engine, gate, std::size_t(n), ping{n});
    });
    sim.start_thread([kept = std::move(owner)] { *kept = {}; });
    sim.run();
    all->check(sim, t);
    sim.check(all->answers() == 0, "something has passed");
    sim.end();
  });
}

TEST_CASE("suspendable: suspending twice is once, a message that passes is one message more, and none is copied",
          "[law10]") {
  const nothing_left left;
  tact::engine engine(quiet_options(1));
  const auto at = engine.create(tact::behavior<desk>{
      [](auto& self, const request<ping>& m) { self.reply(m, m.body.number); },
      [](auto&, const note&) {},
  });
  const auto gate = engine.create(tact::suspendable(at));
  const long copies = copied::times;
  const auto before = engine.statistics().messages_sent;
  engine.send(gate, note{});
  require_idle(engine);
  CHECK(engine.statistics().messages_sent - before == 2);
  CHECK(copied::times == copies);
  engine.ask(gate, tact::suspend_delivery{});
  engine.ask(gate, tact::suspend_delivery{});
  auto answer = engine.ask(gate, ping{7}, std::chrono::milliseconds(1));
  CHECK(!answer);
  engine.ask(gate, tact::resume_delivery{});
  engine.ask(gate, tact::resume_delivery{});
  CHECK(engine.ask(gate, ping{8}) == 8);
}

TEST_CASE("suspendable: threads that send and one that suspends leave nothing behind", "[law4][law5]") {
  TACT_FOR_EACH_THREAD_COUNT(workers);
  const nothing_left left;
  tact::engine engine(quiet_options(workers));
  std::atomic<int> notes{0};
  std::atomic<int> wrong{0};
  std::vector<int> last(3, -1);
  const auto at = engine.create(tact::behavior<desk>{
      [](auto& self, const request<ping>& m) { self.reply(m, m.body.number); },
      [&](auto&, const note& m) {
        if (m.number <= last[std::size_t(m.thread)]) ++wrong;
        last[std::size_t(m.thread)] = m.number;
        ++notes;
      },
  });
  const auto gate = engine.create(tact::suspendable(at));
  const int count = scaled(500);
  on_threads(4, [&](unsigned thread) {
    for (int i = 0; i < count; ++i) {
      if (thread < 3) {
        engine.send(gate, note{int(thread), i});
      } else {
        engine.ask(gate, tact::suspend_delivery{});
        engine.ask(gate, tact::resume_delivery{});
      }
    }
  });
  require_idle(engine);
  CHECK(notes == 3 * count);
  CHECK(wrong == 0);
}

}  // namespace suspend_test
