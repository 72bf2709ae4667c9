// tact::pool: each request is answered once, whatever fails, whoever ends; and each member serves one at a time.
#include "tact/patterns/pool.hpp"

#include <stdexcept>

#include "patterns/customers.hpp"
#include "patterns/trouble.hpp"
#include "tact/future.hpp"

namespace pool_test {

namespace {

using namespace tact::patterns_tests;
using tact::failure_reason;
using tact::request;

enum class fate : unsigned char { answered, answered_twice, thrown, last, lost };

struct job {
  using reply = long;
  int number = 0;
  fate how = fate::answered;
  tracked instance{};
};
using service = tact::ref<request<job>>;

// How many requests are at one member.
using at_once = std::shared_ptr<std::atomic<int>>;

// Ends what a member has begun.
tact::behavior<request<job>> finisher(at_once inside) {
  return {[inside](auto& self, const request<job>& m) {
    --*inside;
    self.reply(m, m.body.number * 10L);
    if (m.body.how == fate::answered_twice) self.reply(m, m.body.number * 10L);
  }};
}

// A member whose answers another actor gives. `too_many` counts how often it was given a second request before that.
tact::behavior<request<job>> member(at_once inside, std::shared_ptr<std::atomic<int>> too_many, service finish) {
  return {[=](tact::self<request<job>>& self, const request<job>& m) {
    if (m.body.how == fate::thrown) throw std::runtime_error("the member is out of order");
    if (m.body.how == fate::lost) return self.stop();
    if (++*inside > 1) ++*too_many;
    self.pass_on(finish, m);
    if (m.body.how == fate::last) self.stop();
  }};
}

template <class Creator>
service make_member(Creator& in, const std::shared_ptr<std::atomic<int>>& too_many) {
  const auto inside = std::make_shared<std::atomic<int>>(0);
  return in.create(member(inside, too_many, in.create(finisher(inside))));
}

struct set_up {
  std::size_t members;
  bool has_factory = false;
  bool is_parallel = false;
  bool members_end = false;
};

struct fixed_pool {
  template <class Creator>
  tact::behavior<tact::pool_protocol<job>> operator()(Creator& engine, const set_up& s,
                                                      const std::shared_ptr<std::atomic<int>>& too_many) const {
    if (s.has_factory) {
      return tact::pool<job>([too_many](tact::transaction& tx) { return make_member(tx, too_many); },
                             {.members = s.members});
    }
    std::vector<service> members;
    for (std::size_t i = 0; i != s.members; ++i) members.push_back(make_member(engine, too_many));
    return tact::pool<job>(std::move(members));
  }
};

fate fate_of(int n, bool members_end) {
  if (!members_end) return static_cast<fate>(n % 3);
  constexpr fate all[] = {fate::last, fate::answered, fate::lost, fate::answered_twice, fate::thrown, fate::answered};
  return all[n % 6];
}

template <class Make>
void two_threads_ask(tact::simulation& sim, const trouble& t, const set_up& s, const Make& make) {
  auto& engine = sim.engine(quiet_options(3));
  const auto too_many = std::make_shared<std::atomic<int>>(0);
  const auto all = std::make_shared<customers<long>>(7);
  all->enter(engine, [&sim](auto&, std::size_t n, long answer) {
    sim.check(answer == static_cast<long>(n) * 10, "somebody has another one's answer");
  });
  const auto behavior = [&] { return make(engine, s, too_many); };
  const auto pool = s.is_parallel ? engine.create(behavior(), tact::parallel) : engine.create(behavior());
  t.begin();
  for (int thread = 0; thread < 2; ++thread) {
    sim.start_thread([=, &engine] {
      for (int n = thread; n < 6; n += 2) {
        all->ask(t, engine, pool, static_cast<std::size_t>(n), job{n, fate_of(n, s.members_end)});
      }
    });
  }
  sim.run();
  all->ask(t, engine, pool, 6, job{6});
  sim.run();
  all->check(sim, t);
  if (t.is_none()) sim.check(*too_many == 0, "a member was given a second request before it had answered");
  if (!s.members_end) {
    const int thrown = 2;
    sim.check(all->failures() <= thrown + (t.is_none() ? 0 : 1), "a request fails without a reason");
  }
  sim.end();
}

}  // namespace

TEST_CASE("pool: every request is answered once, and a member serves one at a time, whatever fails", "[law1][law8]") {
  const bool parallel = GENERATE(false, true);
  const std::size_t members = GENERATE(1U, 2U);
  require_whatever_fails([=](tact::simulation& sim, const trouble& t) {
    two_threads_ask(sim, t, {.members = members, .is_parallel = parallel}, fixed_pool());
  });
}

TEST_CASE("pool: a member that ends leaves it, or is replaced, and its request and those that wait are told",
          "[law4][law8]") {
  const bool factory = GENERATE(false, true);
  require_whatever_fails([=](tact::simulation& sim, const trouble& t) {
    two_threads_ask(sim, t, {.members = 2, .has_factory = factory, .members_end = true}, fixed_pool());
  });
}

namespace {

// Learns that a member is idle again by a message which the run sends that passes the answer on.
struct idle_again {
  service member;
};
struct hopeful : tact::protocol<request<job>, idle_again> {};
struct waits {
  request<job> asked;
  tact::context in;
};
struct hopeful_pool {
  static void begin(tact::self<hopeful>& self, service s, const waits& w) {
    tact::with_context(w.in, [&] {
      const auto pool = self.ref();
      const auto customer = w.asked.customer;
      self.ask(
          s, w.asked.body,
          [=](tact::transaction& tx, long answer) {
            tx.send(customer, answer);
            tx.send(pool, idle_again{s});
          },
          [=](tact::transaction& tx, const tact::failure& f) {
            tx.fail(customer, f);
            tx.send(pool, idle_again{s});
          });
    });
  }
  static tact::behavior<hopeful> with(std::vector<service> idle, std::vector<waits> waiting) {
    return {
        [=](tact::self<hopeful>& self, const request<job>& m) {
          self.defer(m);
          auto left = idle;
          auto more = waiting;
          left.empty() ? more.push_back({m, self.context()}) : begin(self, left.back(), {m, self.context()});
          if (!left.empty()) left.pop_back();
          self.become(with(left, more));
        },
        [=](tact::self<hopeful>& self, const idle_again& m) {
          auto left = idle;
          auto more = waiting;
          more.empty() ? left.push_back(m.member) : begin(self, m.member, more.front());
          if (!more.empty()) more.erase(more.begin());
          self.become(with(left, more));
        },
    };
  }
  template <class Creator>
  tact::behavior<hopeful> operator()(Creator& engine, const set_up&,
                                     const std::shared_ptr<std::atomic<int>>& too_many) const {
    return with({make_member(engine, too_many)}, {});
  }
};

// It is right as long as nothing fails.
void ask_hopeful_pool(tact::simulation& sim, const trouble& t) {
  two_threads_ask(sim, t, {.members = 1}, hopeful_pool());
}

}  // namespace

TEST_CASE("pool: one that loses a member when the end of a turn is lost is found", "[law8]") {
  bool has_come = false;
  require_holds(scaled(200), trouble::kind::none, 0, ask_hopeful_pool, has_come);
  require_found_when_it_fails(ask_hopeful_pool);
}

TEST_CASE("pool: what waits when it ends is told, and what is at a member is answered", "[law4][law8]") {
  require_whatever_fails([](tact::simulation& sim, const trouble& t) {
    auto& engine = sim.engine(quiet_options(2));
    const auto too_many = std::make_shared<std::atomic<int>>(0);
    const auto all = std::make_shared<customers<long>>(4);
    all->enter(engine, [](auto&, std::size_t, long) {});
    auto pool = std::make_shared<tact::owner<tact::pool_protocol<job>>>(
        engine.create(tact::pool<job>({make_member(engine, too_many)}), tact::owned));
    const auto gate = pool->ref();
    t.begin();
    all->ask(t, engine, gate, 0, job{0});
    sim.start_thread([=, &engine] {
      for (std::size_t n = 1; n < 4; ++n) all->ask(t, engine, gate, n, job{int(n)});
    });
    sim.start_thread([owner = std::move(pool)]() mutable { *owner = {}; });
    sim.run();
    all->check(sim, t);
    sim.end();
  });
}

TEST_CASE("pool: a request beyond the limit of its queue fails at once, and each wait ends in order", "[law5][law8]") {
  bool has_come = false;
  require_holds(
      scaled(300), trouble::kind::none, 0,
      [](tact::simulation& sim, const trouble& t) {
        auto& engine = sim.engine(quiet_options(2));
        const auto kept = std::make_shared<std::vector<request<job>>>();
        const auto order = std::make_shared<std::vector<std::size_t>>();
        const auto all = std::make_shared<customers<long>>(5);
        all->enter(engine, [order](auto&, std::size_t n, long) { order->push_back(n); });
        const auto slow = engine.create(tact::behavior<request<job>>{[kept](auto& self, const request<job>& m) {
          self.defer(m);
          kept->push_back(m);
        }});
        const auto pool = engine.create(tact::pool<job>({slow}, {.queue = 2}));
        for (std::size_t n = 0; n < 5; ++n) all->ask(t, engine, pool, n, job{int(n)});
        sim.run();
        sim.check(all->failures() == 2, "not those fail that are too many");
        sim.check((*all)[3].reason == failure_reason::mailbox_full && (*all)[4].reason == failure_reason::mailbox_full,
                  "the reason is another one");
        for (; !kept->empty(); sim.run()) {
          const auto m = kept->front();
          kept->erase(kept->begin());
          engine.send(m.customer, 1L);
        }
        sim.check(*order == std::vector<std::size_t>{0, 1, 2}, "the order is another one");
        all->check(sim, t);
        sim.end();
      },
      has_come);
}

TEST_CASE("pool: when its factory throws the request fails, and a later one gets its member", "[law8]") {
  const nothing_left left;
  tact::engine engine(quiet_options(1));
  const auto calls = std::make_shared<std::atomic<int>>(0);
  const auto too_many = std::make_shared<std::atomic<int>>(0);
  const auto pool = engine.create(tact::pool<job>(
      [calls, too_many](tact::transaction& tx) {
        if (++*calls == 1) throw std::runtime_error("no member today");
        return make_member(tx, too_many);
      },
      {.members = 2}));
  CHECK_THROWS_WITH(engine.ask(pool, job{1}), Catch::Contains("no member today"));
  CHECK(engine.ask(pool, job{2}) == 20);
  CHECK_THROWS_AS(tact::pool<job>([](tact::transaction&) { return service(); }, {.members = 0}), tact::usage_error);
}

TEST_CASE("pool: a request at an idle member is five messages, the word of its end counted", "[law10]") {
  tact::engine engine(quiet_options(1));
  const auto member = engine.create(
      tact::behavior<request<job>>{[](auto& self, const request<job>& m) { self.reply(m, m.body.number); }});
  const auto pool = engine.create(tact::pool<job>({member}));
  CHECK(engine.ask(pool, job{1}) == 1);
  require_idle(engine);
  const auto before = engine.statistics().messages_sent;
  CHECK(engine.ask(pool, job{2}) == 2);
  require_idle(engine);
  CHECK(engine.statistics().messages_sent - before == 5);
}

TEST_CASE("pool: its runs do the same when they are repeated", "[law1]") {
  const nothing_left left;
  auto options = quiet_options(2);
  std::atomic<int> findings{0};
  options.rehearse = true;
  options.on_unrepeatable = [&](const tact::unrepeatable_handler&) { ++findings; };
  tact::engine engine(options);
  const auto finish = engine.create(
      tact::behavior<request<job>>{[](auto& self, const request<job>& m) { self.reply(m, m.body.number * 10L); }});
  const auto pool = engine.create(
      tact::pool<job>(
          [finish](tact::transaction& tx) -> service {
            return tx.create(tact::behavior<request<job>>{[finish](tact::self<request<job>>& self, const auto& m) {
              self.pass_on(finish, m);
              if (m.body.how == fate::last) self.stop();
            }});
          },
          {.members = 2}),
      tact::parallel);
  on_threads(4, [&](unsigned thread) {
    for (int i = 0; i < 50; ++i) {
      static_cast<void>(engine.ask_future(pool, job{int(thread), i % 5 == 0 ? fate::last : fate::answered}));
    }
  });
  require_idle(engine);
  CHECK(findings == 0);
}

TEST_CASE("pool: many threads ask, and each answer is the right one", "[law4][law6]") {
  TACT_FOR_EACH_THREAD_COUNT(workers);
  const bool parallel = GENERATE(false, true);
  const nothing_left left;
  tact::engine engine(quiet_options(workers));
  const auto too_many = std::make_shared<std::atomic<int>>(0);
  const auto behavior = [&] { return fixed_pool()(engine, {.members = 3}, too_many); };
  const auto pool = parallel ? engine.create(behavior(), tact::parallel) : engine.create(behavior());
  std::atomic<int> wrong{0};
  on_threads(4, [&](unsigned thread) {
    for (int i = 0; i < scaled(300); ++i) {
      const int n = static_cast<int>(thread) * 1'000 + i;
      if (engine.ask(pool, job{n, static_cast<fate>(n % 2)}) != n * 10L) ++wrong;
    }
  });
  require_idle(engine);
  CHECK(wrong == 0);
  CHECK(*too_many == 0);
}

}  // namespace pool_test
