// tact::process_group: who belongs to it is known to all, and who ends leaves, whatever fails.
#include "tact/patterns/process_group.hpp"
#include "patterns/trouble.hpp"

namespace process_group_test {

namespace {

using namespace tact::patterns_tests;

struct order {
  int number = 0;
  tracked instance{};
};
struct who_is_there {
  using reply = int;
};
struct teller : tact::protocol<order, tact::request<who_is_there>> {};
using tellers = tact::process_group_protocol<teller>;
using changes = tact::group_changes<teller>;
using refs = std::vector<tact::ref<teller>>;

tact::behavior<teller> open_teller(const std::shared_ptr<std::atomic<int>>& orders, int ends_with) {
  return {
      [=](tact::self<teller>& self, const order& m) {
        ++*orders;
        if (m.number == ends_with) self.stop();
      },
      [](auto& self, const tact::request<who_is_there>& m) { self.reply(m, 7); },
  };
}

// Keeps the members as a watcher sees them.
tact::behavior<changes> keeps(const std::shared_ptr<refs>& seen) {
  return {
      [seen](auto&, const tact::member_joined<teller>& m) { seen->push_back(m.who); },
      [seen](auto&, const tact::member_left<teller>& m) { seen->erase(std::find(seen->begin(), seen->end(), m.who)); },
  };
}

template <class Make>
void members_come_and_end(tact::simulation& sim, const trouble& t, const Make& make) {
  auto& engine = sim.engine(quiet_options(3));
  const auto group = engine.create(make());
  const auto orders = std::make_shared<std::atomic<int>>(0);
  const auto seen = std::make_shared<refs>();
  engine.ask(group, tact::watch_group<teller>{engine.create(keeps(seen))});
  t.begin();
  for (int thread = 0; thread < 2; ++thread) {
    sim.start_thread([&, thread] {
      t.tries([&] {
        const auto who = engine.create(open_teller(orders, thread));
        try {
          engine.ask(group, tact::join_group<teller>{who});
        } catch (const tact::ask_error&) {
          sim.check(!t.is_none(), "a request fails");
        }
        engine.send(group, order{thread});
      });
    });
  }
  sim.run();
  const auto dead = engine.statistics().dead_letters;
  const int before = *orders;
  refs now;
  const bool can_tell = t.has_come() || t.is_none();
  if (can_tell) {
    now = engine.ask(group, tact::group_members<teller>{});
    engine.send(group, order{9});
  }
  sim.run();
  sim.check(!can_tell || *orders == before + static_cast<int>(now.size()), "a member does not hear, or one too many");
  sim.check(!t.is_none() || (now.empty() && seen->empty()), "who has ended is still a member, or is still seen");
  sim.check(engine.statistics().dead_letters == dead, "a message for a member that has ended");
  sim.end();
}

// Does not watch its members.
struct careless_group {
  using self_type = tact::self<tellers>;
  void operator()(self_type& self, const tact::request<tact::join_group<teller>>& m) const {
    auto more = members;
    more.push_back(m.body.who);
    self.become(careless_group{more});
    self.reply(m);
  }
  void operator()(self_type& self, const tact::request<tact::group_members<teller>>& m) const {
    self.reply(m, members);
  }
  void operator()(self_type& self, const tact::request<tact::watch_group<teller>>& m) const { self.reply(m, members); }
  template <class M>
  void operator()(self_type& self, const M& m) const {
    if constexpr (std::is_same_v<M, order>) self.send_all(members, m);
  }
  refs members{};
};

}  // namespace

TEST_CASE("process_group: who joins is a member until it ends, and watchers see the same, whatever fails",
          "[law1][law3][law8]") {
  require_whatever_fails([](tact::simulation& sim, const trouble& t) {
    members_come_and_end(sim, t, [] { return tact::process_group<teller>(); });
  });
}

TEST_CASE("process_group: one that does not watch its members is found", "[law8]") {
  require_found([](tact::simulation& sim, const trouble& t) {
    members_come_and_end(sim, t, [] { return tact::behavior<tellers>(careless_group{}); });
  });
}

TEST_CASE("process_group: a request to it is answered by one member, and fails without members", "[law8]") {
  const nothing_left left;
  tact::engine engine(quiet_options(2));
  const auto orders = std::make_shared<std::atomic<int>>(0);
  const auto group = engine.create(tact::process_group<teller>());
  const auto asks_nobody = [&] {
    try {
      engine.ask(group, who_is_there{});
    } catch (const tact::ask_error& e) {
      return e.reason() == tact::failure_reason::target_ended;
    }
    return false;
  };
  CHECK(asks_nobody());
  const auto a = engine.create(open_teller(orders, -1));
  const auto b = engine.create(open_teller(orders, -1));
  for (const auto who : {a, b, a}) engine.ask(group, tact::join_group<teller>{who});
  CHECK(engine.ask(group, who_is_there{}) == 7);
  engine.ask(group, tact::leave_group<teller>{a});
  CHECK(engine.ask(group, tact::group_members<teller>{}) == refs{b});
  engine.ask(group, tact::leave_group<teller>{b});
  engine.ask(group, tact::leave_group<teller>{b});
  CHECK(asks_nobody());
  for (const auto who : {b, a}) engine.ask(group, tact::join_group<teller>{who});
  CHECK(engine.ask(group, tact::group_members<teller>{}) == refs{b, a});
  require_idle(engine);
}

TEST_CASE("process_group: thousands join, are told the same and end, from many threads", "[law4][law13]") {
  TACT_FOR_EACH_THREAD_COUNT(workers);
  const nothing_left left;
  tact::engine engine(quiet_options(workers));
  const auto orders = std::make_shared<std::atomic<int>>(0);
  const auto seen = std::make_shared<refs>();
  const auto group = engine.create(tact::process_group<teller>());
  engine.ask(group, tact::watch_group<teller>{engine.create(keeps(seen))});
  const int each = scaled(500);
  on_threads(4, [&](unsigned) {
    for (int i = 0; i < each; ++i) engine.ask(group, tact::join_group<teller>{engine.create(open_teller(orders, 1))});
  });
  require_idle(engine);
  CHECK(engine.ask(group, tact::group_members<teller>{}) == *seen);
  CHECK(seen->size() == static_cast<std::size_t>(4 * each));
  engine.send(group, order{1});
  require_idle(engine);
  CHECK(*orders == 4 * each);
  CHECK(seen->empty());
  CHECK(engine.ask(group, tact::group_members<teller>{}).empty());
}

}  // namespace process_group_test
