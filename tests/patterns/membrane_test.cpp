// tact::membrane: its handles lead to the actors behind it until it is cut, and then none of them does.
#include "tact/patterns/membrane.hpp"

#include "patterns/customers.hpp"
#include "patterns/trouble.hpp"

namespace membrane_test {

namespace {

using namespace tact::patterns_tests;
using tact::count_refusals;
using tact::cut_handles;
using tact::handle_to;
using tact::release_handle;
using tact::request;
using tact::revoke_handle;

struct look {
  using reply = int;
  int number = 0;
  tracked instance{};
};
struct note {
  int number = 0;
  bool is_late = false;  // sent when the handles were known to be cut
  char large[200] = {};
  tracked instance{};
  copied copies{};
};
struct house : tact::protocol<request<look>, note> {};
using skin = tact::membrane_protocol<house, note>;

struct seen {
  std::atomic<int> notes{0};
  std::atomic<bool> late{false};
};
tact::behavior<house> open_house(std::shared_ptr<seen> s) {
  return {
      [](auto& self, const request<look>& m) { self.reply(m, m.body.number); },
      [s](auto&, const note& m) {
        ++s->notes;
        if (m.is_late) s->late = true;
      },
  };
}

// Handles are given away; one thread cuts them and tells so, another one sends through both and looks for the moment.
template <class Make>
void send_and_cut(tact::simulation& sim, const trouble& t, const Make& make) {
  auto& engine = sim.engine(quiet_options(3));
  const auto s = std::make_shared<seen>();
  const auto at = engine.create(open_house(s));
  const auto membrane = engine.create(make());
  const tact::ref<house> one = engine.ask(membrane, handle_to<house>{at});
  const tact::ref<house> two = engine.ask(membrane, handle_to<house>{at});
  const auto all = std::make_shared<customers<int>>(4);
  all->enter(engine, [&sim](auto&, std::size_t n, int answer) { sim.check(int(n) == answer, "a wrong answer"); });
  const auto was_cut = std::make_shared<bool>(false);
  t.begin();
  sim.start_thread([=, &engine, &sim] {
    bool is_cut = false;
    try {
      engine.ask(membrane, cut_handles{});
      is_cut = true;
    } catch (const tact::ask_error&) {
      sim.check(!t.is_none(), "the order failed");
    } catch (const std::bad_alloc&) {
    }
    for (const auto& h : {one, two}) t.tries([&] { engine.send(h, note{1, is_cut}); });
    for (std::size_t n = 0; n < 2; ++n) all->ask(t, engine, n == 0 ? one : two, n, look{int(n)});
    *was_cut = is_cut;
  });
  sim.start_thread([=, &engine] {
    bool is_cut = false;  // some handle was found to be cut
    for (int i = 0; i < 3; ++i) {
      for (const auto& h : {one, two}) {
        try {
          engine.ask(h, look{});
        } catch (const tact::ask_error& e) {
          if (e.reason() == tact::failure_reason::target_ended) is_cut = true;
        } catch (const std::bad_alloc&) {
        }
        t.tries([&] { engine.send(h == one ? two : one, note{2, is_cut}); });
      }
    }
  });
  sim.start_thread([=, &engine] {
    for (std::size_t n = 2; n < 4; ++n) all->ask(t, engine, n == 2 ? one : two, n, look{int(n)});
  });
  sim.run();
  sim.check(!s->late, "a note has passed that was sent when the handles were cut");
  sim.check(!*was_cut || (*all)[0].answers + (*all)[1].answers == 0, "a request has passed");
  all->check(sim, t);
  sim.end();
}

const auto as_it_is = [] { return tact::membrane<house, note>(); };

}  // namespace

TEST_CASE("membrane: nothing passes any handle once one of them is known to be cut, whatever fails", "[law1][law8]") {
  require_whatever_fails([](tact::simulation& sim, const trouble& t) { send_and_cut(sim, t, as_it_is); });
}

namespace {

// Cuts one handle after the other.
tact::behavior<skin> gradual(std::vector<tact::ref<tact::detail::cut>> handles = {}) {
  return {
      [=](tact::self<skin>& self, const request<handle_to<house>>& m) {
        using handle = tact::detail::handle<house>;
        const auto h = self.create(tact::behavior<handle>{
            [](tact::self<handle>& one, const tact::detail::cut&) { one.stop(); },
            [behind = m.body.behind](auto& one, const auto& message) { one.pass_on(behind, message); },
        });
        auto more = handles;
        more.push_back(h);
        self.become(gradual(more));
        self.reply(m, tact::ref<house>(h));
      },
      [](tact::self<skin>& self, const request<handle_to<note>>& m) { self.reply(m, m.body.behind); },
      [=](tact::self<skin>& self, const request<cut_handles>& m) {
        self.send_all(handles, tact::detail::cut{});
        self.reply(m);
      },
      [](auto&, const auto&) {},
  };
}

}  // namespace

TEST_CASE("membrane: one that cuts its handles one after the other is found", "[law1]") {
  require_found([](tact::simulation& sim, const trouble& t) { send_and_cut(sim, t, [] { return gradual(); }); });
}

TEST_CASE("membrane: whatever ends it, its handles end too, and leave nothing", "[law4][law10]") {
  const bool is_cut = GENERATE(false, true);
  require_whatever_fails([=](tact::simulation& sim, const trouble& t) {
    auto& engine = sim.engine(quiet_options(2));
    const auto at = engine.create(open_house(std::make_shared<seen>()));
    auto owner = std::make_shared<tact::owner<skin>>(engine.create(as_it_is(), tact::owned));
    std::vector<tact::ref<house>> handles;
    for (int i = 0; i < 3; ++i) handles.push_back(engine.ask(owner->ref(), handle_to<house>{at}));
    const tact::ref<note> narrow = engine.ask(owner->ref(), handle_to<note>{at});
    sim.run();
    t.begin();
    const auto order = [=, &engine] {
      if (!is_cut) return true;
      try {
        engine.ask(owner->ref(), cut_handles{});
        return true;
      } catch (const std::exception&) {
        return false;
      }
    };
    const bool done = order() || order();  // once more when the first one failed
    sim.check(done, "an order failed without trouble");
    sim.run();
    if (!is_cut) *owner = {};
    sim.run();
    const auto dead = engine.statistics().dead_letters;
    int sent = 0;
    for (const auto& h : handles) sent += t.tries([&] { engine.send(h, note{}); }) ? 1 : 0;
    sent += t.tries([&] { engine.send(narrow, note{}); }) ? 1 : 0;
    sim.run();
    const auto more = engine.statistics().dead_letters - dead;
    sim.check(more + (t.is_none() ? 0 : 1) >= std::uint64_t(sent), "a handle leads somewhere");
    sim.check(engine.statistics().actors_alive == 1, "a handle, or the membrane, is alive");
    sim.end();
  });
}

TEST_CASE("membrane: a message through a handle is two messages, and none is copied; who comes later is told",
          "[law8][law10]") {
  const nothing_left left;
  tact::engine engine(quiet_options(1));
  const auto s = std::make_shared<seen>();
  const auto at = engine.create(open_house(s));
  const auto membrane = engine.create(as_it_is());
  const tact::ref<house> handle = engine.ask(membrane, handle_to<house>{at});
  CHECK(engine.ask(handle, look{3}) == 3);
  require_idle(engine);
  const auto before = engine.statistics().messages_sent;
  const long copies = copied::times;
  engine.send(handle, note{});
  require_idle(engine);
  CHECK(engine.statistics().messages_sent - before == 2);
  CHECK(s->notes == 1);
  CHECK(copied::times == copies);
  engine.ask(membrane, cut_handles{});
  for (const auto& late : {0, 1}) {
    INFO(late);
    CHECK_THROWS_AS(engine.ask(handle, look{}), tact::ask_error);
    CHECK_THROWS_AS(engine.ask(membrane, handle_to<house>{at}), tact::ask_error);
    require_idle(engine);
  }
}

TEST_CASE("membrane: threads that send through handles stop when they are cut", "[law4][law13]") {
  TACT_FOR_EACH_THREAD_COUNT(workers);
  const bool parallel = GENERATE(false, true);
  const nothing_left left;
  tact::engine engine(quiet_options(workers));
  const auto s = std::make_shared<seen>();
  const auto at = engine.create(open_house(s));
  const auto membrane = parallel ? engine.create(as_it_is(), tact::parallel) : engine.create(as_it_is());
  std::vector<tact::ref<house>> handles;
  for (int i = 0; i < 3; ++i) handles.push_back(engine.ask(membrane, handle_to<house>{at}));
  std::atomic<bool> is_cut{false};
  on_threads(4, [&](unsigned thread) {
    if (thread == 3) {
      engine.ask(membrane, cut_handles{});
      is_cut = true;
      return;
    }
    for (bool was_cut = false; !was_cut;) {
      was_cut = is_cut;
      engine.send(handles[thread], note{0, was_cut});
      std::this_thread::yield();
    }
  });
  require_idle(engine);
  CHECK(!s->late);
  CHECK(engine.statistics().actors_alive == 1);
}

namespace {

// Two clients have a handle each. One is revoked, or released, while both send.
template <class Make>
void one_client_is_cut_off(tact::simulation& sim, const trouble& t, bool releases, const Make& make) {
  auto& engine = sim.engine(quiet_options(2));
  const auto s = std::make_shared<seen>();
  const auto at = engine.create(open_house(s));
  const auto membrane = engine.create(make());
  const tact::ref<house> bad = engine.ask(membrane, handle_to<house>{at});
  const tact::ref<house> good = engine.ask(membrane, handle_to<house>{at});
  sim.run();
  const auto alive = engine.statistics().actors_alive;
  t.begin();
  const auto order = [=, &engine] {
    try {
      releases ? static_cast<void>(engine.ask(membrane, release_handle<house>{bad}))
               : engine.ask(membrane, revoke_handle<house>{bad});
      return true;
    } catch (const std::exception&) {
      return false;
    }
  };
  const auto was_cut = std::make_shared<bool>(false);
  sim.start_thread([=, &engine] {
    const bool is_cut = order();
    for (int i = 0; i != 2; ++i) t.tries([&] { engine.send(bad, note{0, is_cut}); });
    *was_cut = is_cut;
  });
  const auto passed = std::make_shared<int>(0);
  sim.start_thread([=, &engine] {
    for (int i = 0; i != 3; ++i) {
      t.tries([&] {
        try {
          *passed += engine.ask(good, look{1});
        } catch (const tact::ask_error&) {
        }
      });
    }
  });
  sim.run();
  sim.check(!s->late, "a note has passed a handle that was known to be cut");
  sim.check(*passed >= (t.is_none() ? 3 : 2), "the other handle is cut, too");
  if (*was_cut && t.is_none()) {
    if (releases) {
      sim.check(engine.statistics().actors_alive + 1 == alive, "the handle that was released is alive");
    } else {
      sim.check(engine.ask(membrane, count_refusals<house>{bad}) == 2, "another number was refused");
      sim.check(engine.ask(membrane, count_refusals<house>{good}) == 0, "a message of the other client was refused");
    }
  }
  if (releases && *was_cut) {
    t.tries([&] { engine.send(bad, note{0, true}); });
    sim.run();
    sim.check(engine.statistics().actors_alive + 1 == alive, "the handle that was released is alive");
  }
  sim.end();
}

}  // namespace

TEST_CASE("membrane: one handle is cut off, alone, and counts what it refuses; or is forgotten, whatever fails",
          "[law1][law4][law8]") {
  const bool releases = GENERATE(false, true);
  require_whatever_fails(
      [=](tact::simulation& sim, const trouble& t) { one_client_is_cut_off(sim, t, releases, as_it_is); }, 500);
}

namespace {

// Answers before the handle is cut, which another run does.
using states = std::shared_ptr<std::vector<tact::detail::counted<tact::detail::handle_state>>>;
tact::behavior<skin> tardy(states given = std::make_shared<states::element_type>()) {
  return {
      [given](tact::self<skin>& self, const request<handle_to<house>>& m) {
        const auto state = given->emplace_back(tact::detail::counted<tact::detail::handle_state>::make());
        self.reply(m, self.create(tact::detail::handle_behavior<house>(m.body.behind, {}, state)));
      },
      [](tact::self<skin>& self, const request<revoke_handle<house>>& m) {
        self.send(self.ref(), tact::detail::cut{});
        self.reply(m);
      },
      [given](tact::self<skin>&, const tact::detail::cut&) { given->front()->is_cut = true; },
      [](auto&, const auto&) {},
  };
}

}  // namespace

TEST_CASE("membrane: one that answers before the handle is cut is found", "[law1]") {
  require_found(
      [](tact::simulation& sim, const trouble& t) { one_client_is_cut_off(sim, t, false, [] { return tardy(); }); });
}

TEST_CASE("membrane: an order for a handle that it does not know, or when it is closed, fails", "[law8]") {
  const nothing_left left;
  tact::engine engine(quiet_options(0));
  const auto at = engine.create(open_house(std::make_shared<seen>()));
  const auto membrane = engine.create(as_it_is());
  const tact::ref<note> narrow = engine.ask(membrane, handle_to<note>{at});
  const tact::ref<house> mine = engine.ask(membrane, handle_to<house>{at});
  CHECK_THROWS_AS(engine.ask(membrane, revoke_handle<house>{at}), tact::ask_error);
  CHECK_THROWS_AS(engine.ask(membrane, count_refusals<note>{tact::ref<note>()}), tact::ask_error);
  engine.ask(membrane, revoke_handle<note>{narrow});
  engine.ask(membrane, revoke_handle<note>{narrow});  // twice is the same as once
  engine.send(narrow, note{});
  require_idle(engine);
  CHECK(engine.ask(membrane, release_handle<note>{narrow}) == 1);
  require_idle(engine);
  CHECK_THROWS_AS(engine.ask(membrane, release_handle<note>{narrow}), tact::ask_error);
  CHECK(engine.ask(mine, look{4}) == 4);
  engine.ask(membrane, cut_handles{});
  CHECK_THROWS_AS(engine.ask(membrane, revoke_handle<house>{mine}), tact::ask_error);
  CHECK_THROWS_AS(engine.ask(mine, look{4}), tact::ask_error);
}

}  // namespace membrane_test
