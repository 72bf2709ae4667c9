// tact::router: each message goes to the member that its policy names; members that end leave, whatever fails.
#include "tact/patterns/router.hpp"

#include <map>
#include <string>

#include "patterns/customers.hpp"
#include "patterns/trouble.hpp"

namespace router_test {

namespace {

using namespace tact::patterns_tests;
using tact::add_member;
using tact::remove_member;
using tact::request;

struct order {
  int customer = 0;
  char large[200] = {};
  tracked instance{};
  copied copies{};
};
struct count_up {
  using reply = int;
  int number = 0;
  tracked instance{};
};
struct close_down {};
struct desk : tact::protocol<order, request<count_up>, close_down> {};
using desks = std::vector<tact::ref<desk>>;

// What each desk has had.
struct books {
  std::map<int, std::vector<int>> orders{};  // the customers, by desk
};
using books_of = std::shared_ptr<books>;

tact::behavior<desk> open_desk(int number, books_of b) {
  return {
      [number, b](auto&, const order& m) { b->orders[number].push_back(m.customer); },
      [number](auto& self, const request<count_up>& m) { self.reply(m, m.body.number + 100 * number); },
      [](tact::self<desk>& self, const close_down&) { self.stop(); },
  };
}

// A router with desks, in an engine without threads of its own to be waited for.
struct office {
  explicit office(unsigned workers = 1) : engine(quiet_options(workers)) {}

  desks open(int count) {
    desks all;
    for (int i = 0; i < count; ++i) all.push_back(engine.create(open_desk(next++, b)));
    return all;
  }
  template <class Router>
  void send(Router r, int customers) {
    for (int c = 0; c < customers; ++c) engine.send(r, order{c});
    require_idle(engine);
  }
  // The desk of each customer, in the order of the customers.
  std::map<int, int> take() {
    std::map<int, int> desk_of;
    for (const auto& [number, customers] : std::exchange(b->orders, {})) {
      for (const int c : customers) desk_of[c] = number;
    }
    return desk_of;
  }

  nothing_left left{};
  books_of b = std::make_shared<books>();
  int next = 0;
  tact::engine engine;
};

const auto by_customer = tact::by_key([]<class M>(const M& m) {
  if constexpr (std::is_same_v<M, order>) {
    return m.customer;
  } else {
    return 0;
  }
});

// -- whatever fails

template <class Make>
void requests_and_ends(tact::simulation& sim, const trouble& t, bool parallel, const Make& make) {
  auto& engine = sim.engine(quiet_options(3));
  const auto b = std::make_shared<books>();
  const auto all = std::make_shared<customers<int>>(8);
  all->enter(engine, [&sim](auto&, std::size_t n, int answer) { sim.check(answer % 100 == int(n), "a wrong answer"); });
  desks members;
  for (int i = 0; i < 3; ++i) members.push_back(engine.create(open_desk(i, b)));
  const auto late = members.back();
  members.pop_back();
  const auto router = parallel ? engine.create(make(members), tact::parallel) : engine.create(make(members));
  t.begin();
  sim.start_thread([=, &engine] {
    for (std::size_t n = 0; n < 3; ++n) all->ask(t, engine, router, n, count_up{int(n)});
    t.tries([&] { engine.send(members[0], close_down{}); });
    for (std::size_t n = 3; n < 5; ++n) all->ask(t, engine, router, n, count_up{int(n)});
  });
  const auto added = std::make_shared<bool>(false);
  sim.start_thread([=, &engine] {
    *added = t.tries([&] { engine.send(router, add_member<desk>{late}); });
    t.tries([&] { engine.send(router, remove_member<desk>{members[1]}); });
  });
  sim.run();
  // The first desk has closed, and the second was removed; that the third is a member may have failed.
  for (std::size_t n = 5; n < 8; ++n) all->ask(t, engine, router, n, count_up{int(n)});
  sim.run();
  all->check(sim, t);
  int wrong = 0;
  for (std::size_t n = 5; n < 8; ++n) wrong += (*all)[n].failures;
  if (t.is_none()) sim.check(wrong == 0, "a member that had ended, or was removed, was given a request");
  sim.end();
}

}  // namespace

TEST_CASE("router: requests are answered once while members come, go and end, whatever fails", "[law1][law4][law8]") {
  const bool parallel = GENERATE(false, true);
  require_whatever_fails([=](tact::simulation& sim, const trouble& t) {
    requests_and_ends(sim, t, parallel, [](const desks& d) { return tact::router<desk>(d, tact::round_robin()); });
  });
}

namespace {

// Never hears of the end of its members.
struct blind : tact::protocol<desk, add_member<desk>, remove_member<desk>> {};
tact::behavior<blind> open_blind(desks members, std::size_t next = 0) {
  return {
      [=](tact::self<blind>& self, const add_member<desk>& m) {
        desks more = members;
        more.push_back(m.member);
        self.become(open_blind(more, next));
      },
      [=](tact::self<blind>& self, const remove_member<desk>& m) {
        desks fewer = members;
        std::erase(fewer, m.member);
        self.become(open_blind(fewer, next));
      },
      [=](tact::self<blind>& self, const auto& m) {
        self.pass_on(members[next % members.size()], m);
        self.become(open_blind(members, next + 1));
      },
  };
}

// One of the members ends, and no run that hears of it may be lost: two thirds of the requests go to nobody then.
template <class Make>
void one_ends(tact::simulation& sim, const trouble& t, const Make& make) {
  auto& engine = sim.engine(quiet_options(2));
  const auto b = std::make_shared<books>();
  const auto all = std::make_shared<customers<int>>(7);
  all->enter(engine, [](auto&, std::size_t, int) {});
  desks members;
  for (int i = 0; i < 2; ++i) members.push_back(engine.create(open_desk(i, b)));
  const auto router = engine.create(make(members));
  engine.ask(router, count_up{});
  sim.run();
  t.begin();
  t.tries([&] { engine.send(members[0], close_down{}); });
  sim.run();
  const bool closed = engine.statistics().actors_alive == 9;
  for (std::size_t n = 0; n < 7; ++n) all->ask(t, engine, router, n, count_up{int(n)});
  sim.run();
  all->check(sim, t);
  if (closed) sim.check(all->failures() <= (t.is_none() ? 0 : 1), "a request went to a member that has ended");
  sim.end();
}

}  // namespace

TEST_CASE("router: a member that has ended gets nothing, also when the run that hears of it fails", "[law8]") {
  require_whatever_fails([](tact::simulation& sim, const trouble& t) {
    one_ends(sim, t, [](const desks& d) { return tact::router<desk>(d, tact::round_robin()); });
  });
}

TEST_CASE("router: one that does not watch its members is found", "[law8]") {
  require_found(
      [](tact::simulation& sim, const trouble& t) { one_ends(sim, t, [](const desks& d) { return open_blind(d); }); });
}

TEST_CASE("router: in turn every member has as many, at random about as many, and to all each has all", "[law4]") {
  office o;
  const auto turns = o.engine.create(tact::router<desk>(o.open(3), tact::round_robin()));
  o.send(turns, 99);
  for (const auto& [number, customers] : o.b->orders) CHECK(customers.size() == 33);
  o.b->orders.clear();
  const auto dice = o.engine.create(tact::router<desk>(o.open(3), tact::at_random(7)));
  o.send(dice, 3'000);
  REQUIRE(o.b->orders.size() == 3);
  for (const auto& [number, customers] : o.b->orders) CHECK((customers.size() > 850 && customers.size() < 1'150));
  const auto first = o.take();
  o.next = 3;
  const auto again = o.engine.create(tact::router<desk>(o.open(3), tact::at_random(7)));
  o.send(again, 3'000);
  CHECK(o.take() == first);
  const auto all = o.engine.create(tact::router<desk>(o.open(3), tact::broadcast()));
  o.send(all, 10);
  REQUIRE(o.b->orders.size() == 3);
  for (const auto& [number, customers] : o.b->orders) CHECK(customers.size() == 10);
}

TEST_CASE("router: by key one customer has one desk; when one goes only its customers move, and back to nobody else",
          "[law4]") {
  office o;
  const auto members = o.open(5);
  const auto router = o.engine.create(tact::router<desk>(members, by_customer));
  o.send(router, 2'000);
  const auto before = o.take();
  o.send(router, 2'000);
  REQUIRE(o.take() == before);
  std::map<int, int> share;
  for (const auto& [customer, number] : before) ++share[number];
  REQUIRE(share.size() == 5);
  for (const auto& [number, size] : share) CHECK((size > 200 && size < 700));
  const bool by_end = GENERATE(false, true);
  if (by_end) {
    o.engine.send(members[2], close_down{});
  } else {
    o.engine.send(router, remove_member<desk>{members[2]});
  }
  require_idle(o.engine);
  o.send(router, 2'000);
  const auto after = o.take();
  REQUIRE(after.size() == 2'000);
  for (const auto& [customer, number] : before) {
    if (number != 2) CHECK(after.at(customer) == number);
    if (number == 2) CHECK(after.at(customer) != 2);
  }
  const auto more = o.open(1);
  o.engine.send(router, add_member<desk>{more[0]});
  require_idle(o.engine);
  o.send(router, 2'000);
  int moved = 0;
  for (const auto& [customer, number] : o.take()) {
    if (number == after.at(customer)) continue;
    CHECK(number == 5);
    ++moved;
  }
  CHECK((moved > 150 && moved < 800));
}

TEST_CASE("router: of a thousand members all but a few end, and each of these keeps its own keys", "[law4]") {
  office o;
  const auto members = o.open(1'000);
  const auto router = o.engine.create(tact::router<desk>(members, by_customer));
  o.send(router, 2'000);
  const auto before = o.take();
  for (std::size_t i = 0; i < members.size(); ++i) {
    if (i % 100 == 0) continue;
    if (i % 2 == 0) {
      o.engine.send(members[i], close_down{});
    } else {
      o.engine.send(router, remove_member<desk>{members[i]});
    }
  }
  require_idle(o.engine);
  o.send(router, 2'000);
  const auto after = o.take();
  REQUIRE(after.size() == 2'000);
  for (const auto& [customer, number] : after) {
    CHECK(number % 100 == 0);
    if (before.at(customer) % 100 == 0) CHECK(number == before.at(customer));
  }
}

TEST_CASE("router: in turn, all members that are left have as many, whoever has left", "[law4]") {
  office o;
  const auto members = o.open(100);
  const auto router = o.engine.create(tact::router<desk>(members, tact::round_robin()));
  for (std::size_t i = 0; i < members.size(); ++i) {
    if (i % 3 != 0) o.engine.send(router, remove_member<desk>{members[i]});
  }
  require_idle(o.engine);
  o.send(router, 34 * 5);
  CHECK(o.b->orders.size() == 34);
  for (const auto& [number, customers] : o.b->orders) CHECK((number % 3 == 0 && customers.size() == 5));
}

TEST_CASE("router: members without a place on the ring are refused", "[dispatch]") {
  CHECK_THROWS_WITH(tact::by_key([](const order& m) { return m.customer; }, 0),
                    Catch::Contains("without a place on the ring"));
}

TEST_CASE("router: keys that are texts go by their hash", "[law4]") {
  office o;
  const auto text = tact::by_key([](const order& m) { return std::to_string(m.customer % 10); });
  std::vector<tact::ref<order>> members;
  for (const auto& m : o.open(4)) members.push_back(m);
  const auto router = o.engine.create(tact::router<order>(members, text));
  o.send(router, 100);
  const auto where = o.take();
  for (const auto& [customer, number] : where) CHECK(number == where.at(customer % 10));
}

TEST_CASE("router: the member that owes fewest answers has the next request, and a failure is no debt", "[law8]") {
  struct job {
    using reply = int;
    bool throws = false;
  };
  tact::engine engine(quiet_options(1));
  std::vector<std::vector<request<job>>> kept(3);
  std::vector<tact::ref<request<job>>> members;
  for (auto& mine : kept) {
    members.push_back(engine.create(tact::behavior<request<job>>{[&mine](auto& self, const request<job>& m) {
      if (m.body.throws) throw std::runtime_error("out of order");
      self.defer(m);
      mine.push_back(m);
    }}));
  }
  const auto router = engine.create(tact::router<request<job>>(members, tact::least_outstanding()), tact::parallel);
  std::atomic<int> sum{0};
  const auto customer = engine.create(tact::behavior<int>{[&](auto&, int n) { sum += n; }});
  const auto ask = [&](bool throws = false) {
    engine.send(router, request<job>{customer, {throws}});
    require_idle(engine);
  };
  for (int i = 0; i < 6; ++i) ask();
  CHECK((kept[0].size() == 2 && kept[1].size() == 2 && kept[2].size() == 2));
  engine.send(kept[1].front().customer, 5);
  require_idle(engine);
  CHECK(sum == 5);
  ask(true);  // fails at the second, which owes no more after that
  ask();
  CHECK(kept[1].size() == 3);
  for (const auto& m : kept[2]) engine.send(m.customer, 0);
  require_idle(engine);
  ask();
  ask();
  CHECK(kept[2].size() == 4);  // it owes none, then one; the others two
}

TEST_CASE("router: a message is two messages, and none is copied; without members it is a dead letter", "[law10]") {
  const bool parallel = GENERATE(false, true);
  office o;
  const auto behavior = [&] { return tact::router<desk>(o.open(2), tact::round_robin()); };
  const auto router = parallel ? o.engine.create(behavior(), tact::parallel) : o.engine.create(behavior());
  o.send(router, 1);  // watches the members
  const auto before = o.engine.statistics().messages_sent;
  const long copies = copied::times;
  o.send(router, 100);
  CHECK(o.engine.statistics().messages_sent - before == 200);
  CHECK(o.engine.statistics().collisions == 0);
  CHECK(copied::times == copies);
  const auto nobody = o.engine.create(tact::router<desk>({}, tact::round_robin()));
  CHECK_THROWS_AS(o.engine.ask(nobody, count_up{}), tact::ask_error);
  const auto for_all = o.engine.create(tact::router<desk>({}, tact::broadcast()));
  CHECK_THROWS_AS(o.engine.ask(for_all, count_up{}), tact::ask_error);
  const auto more = o.open(1);
  o.engine.send(nobody, add_member<desk>{more[0]});
  o.engine.send(nobody, add_member<desk>{more[0]});
  CHECK(o.engine.ask(nobody, count_up{7}) == 7 + 200);
}

TEST_CASE("router: what many threads send arrives once each, in turn, in parallel, by key in order", "[law4][law5]") {
  TACT_FOR_EACH_THREAD_COUNT(workers);
  const nothing_left left;
  tact::engine engine(quiet_options(workers));
  std::vector<std::vector<int>> seen(4, std::vector<int>(3, -1));  // by thread and desk, the last number
  std::atomic<int> came{0};
  std::atomic<int> wrong{0};
  struct numbered_order {
    int thread;
    int number;
  };
  std::vector<tact::ref<numbered_order>> members;
  for (std::size_t d = 0; d < 3; ++d) {
    members.push_back(engine.create(tact::behavior<numbered_order>{[&, d](auto&, const numbered_order& m) {
      int& last = seen[std::size_t(m.thread)][d];
      if (m.number <= last) ++wrong;
      last = m.number;
      ++came;
    }}));
  }
  const auto in_order =
      engine.create(tact::router<numbered_order>(members, tact::by_key([](const auto& m) { return m.thread; })));
  const auto free = engine.create(tact::router<numbered_order>(members, tact::round_robin()), tact::parallel);
  const int count = scaled(1'000);
  on_threads(4, [&](unsigned thread) {
    for (int i = 0; i < count; ++i) engine.send(in_order, numbered_order{int(thread), i});
  });
  require_idle(engine);
  CHECK(wrong == 0);
  on_threads(4, [&](unsigned thread) {
    for (int i = 0; i < count; ++i) engine.send(free, numbered_order{int(thread), i});
  });
  require_idle(engine);
  CHECK(came == 8 * count);
}

}  // namespace router_test
