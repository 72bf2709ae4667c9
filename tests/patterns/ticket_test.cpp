// tact::ticket_office: each lease ends once, by whatever ends it, and the next one has its turn, whatever fails.
#include "tact/patterns/ticket.hpp"

#include "patterns/customers.hpp"
#include "patterns/trouble.hpp"
#include "tact/future.hpp"

namespace ticket_test {

namespace {

using namespace std::chrono_literals;
using namespace tact::patterns_tests;
using tact::give_back;
using tact::request;
using tact::ticket;
using tact::ticket_lease;

// What becomes of a lease: it is given back, twice, or never.
enum class use : unsigned char { once, twice, never };

constexpr auto limit = 1s;

// Six customers ask by two threads, and use their leases in different ways; the last one asks when all is over.
template <class Make>
void two_threads_lease(tact::simulation& sim, const trouble& t, std::uint64_t places, bool parallel, const Make& make) {
  auto& engine = sim.engine(quiet_options(3));
  const auto held = std::make_shared<std::atomic<long>>(0);
  const auto all = std::make_shared<customers<ticket>>(7);
  all->enter(engine, [=, &sim](tact::transaction& tx, std::size_t n, ticket mine) {
    const use how = static_cast<use>(n % 3);
    if (how != use::never) {
      sim.check(!t.is_none() || ++*held <= static_cast<long>(places), "too many have the resource");
      --*held;
      tx.send(mine, give_back{});
    }
    if (how == use::twice) tx.send(mine, give_back{});
  });
  const auto office = parallel ? engine.create(make(places), tact::parallel) : engine.create(make(places));
  t.begin();
  for (int thread = 0; thread < 2; ++thread) {
    sim.start_thread([=, &engine] {
      for (std::size_t n = std::size_t(thread); n < 6; n += 2) all->ask(t, engine, office, n, ticket_lease{});
    });
  }
  sim.run();
  sim.advance(10s);  // leases that are never given back run out
  all->ask(t, engine, office, 6, ticket_lease{});
  sim.advance(10s);
  all->check(sim, t);
  sim.check(all->failures() <= (t.is_none() ? 0 : 1), "a request failed without a reason");
  sim.end();
}

const auto as_it_is = [](std::uint64_t places) { return tact::ticket_office(limit, places); };

}  // namespace

TEST_CASE("ticket office: every lease ends once, and everybody has a turn, whatever fails", "[law1][law8]") {
  const bool parallel = GENERATE(false, true);
  const std::uint64_t places = GENERATE(1U, 2U);
  require_whatever_fails(
      [=](tact::simulation& sim, const trouble& t) { two_threads_lease(sim, t, places, parallel, as_it_is); });
}

namespace {

// Takes any word for the end of the lease: a second one, or the timer of a lease that was given back, ends another.
struct over {};
struct credulous : tact::protocol<request<ticket_lease>, give_back, over> {};
tact::behavior<credulous> open_credulous(std::vector<request<ticket_lease>> waiting = {}, bool is_lent = false) {
  const auto grant = [](tact::self<credulous>& self, const request<ticket_lease>& m) {
    self.send_after(limit, self.ref(), over{});
    self.send(m.customer, ticket(self.ref()));
  };
  const auto next = [=](tact::self<credulous>& self) {
    auto left = waiting;
    if (!left.empty()) grant(self, left.front());
    const bool lent = !left.empty();
    if (lent) left.erase(left.begin());
    self.become(open_credulous(left, lent));
  };
  return {
      [=](tact::self<credulous>& self, const request<ticket_lease>& m) {
        self.defer(m);
        auto more = waiting;
        is_lent ? more.push_back(m) : grant(self, m);
        self.become(open_credulous(more, true));
      },
      [=](tact::self<credulous>& self, const give_back&) { next(self); },
      [=](tact::self<credulous>& self, const over&) { next(self); },
  };
}

// A holder works on the resource, and gives it back later; nobody may have it meanwhile.
template <class Make>
void one_at_a_time(tact::simulation& sim, const trouble&, const Make& make) {
  auto& engine = sim.engine(quiet_options(2));
  const auto inside = std::make_shared<std::atomic<int>>(0);
  const auto office = engine.create(make());
  for (int thread = 0; thread < 3; ++thread) {
    sim.start_thread([=, &engine, &sim] {
      const ticket mine = engine.ask(office, ticket_lease{});
      sim.check(++*inside == 1, "two have the resource");
      engine.wait_idle();
      --*inside;
      engine.send(mine, give_back{});
      engine.send(mine, give_back{});
    });
  }
  sim.run();
  sim.end();
}

}  // namespace

TEST_CASE("ticket office: one holder at a time, also when a lease is given back twice", "[law6]") {
  bool has_come = false;
  require_holds(
      scaled(500), trouble::kind::none, 0,
      [](tact::simulation& sim, const trouble& t) { one_at_a_time(sim, t, [] { return tact::ticket_office(limit); }); },
      has_come);
}

TEST_CASE("ticket office: one whose leases anybody can end, twice, is found", "[law6]") {
  require_found(
      [](tact::simulation& sim, const trouble& t) { one_at_a_time(sim, t, [] { return open_credulous(); }); });
}

TEST_CASE("ticket office: a lease runs out after its limit, not before, and a holder's end ends it", "[law8]") {
  require_whatever_fails([](tact::simulation& sim, const trouble& t) {
    auto& engine = sim.engine(quiet_options(2));
    const auto all = std::make_shared<customers<ticket>>(3);
    all->enter(engine, [](auto&, std::size_t, const ticket&) {});
    const auto office = engine.create(tact::ticket_office(limit));
    auto holder = std::make_shared<tact::owner<give_back>>(
        engine.create(tact::behavior<give_back>{[](auto&, const give_back&) {}}, tact::owned));
    t.begin();
    all->ask(t, engine, office, 0, ticket_lease{});
    sim.run();
    all->ask(t, engine, office, 1, ticket_lease::of(holder->ref()));
    sim.run();
    all->ask(t, engine, office, 2, ticket_lease{});
    sim.advance(limit - 1ms);
    if (t.is_none()) sim.check(all->answers() == 1, "a lease ended too early");
    sim.advance(1ms);
    if (t.is_none()) sim.check(all->answers() == 2, "a lease did not run out");
    *holder = {};
    sim.run();
    if (t.is_none()) sim.check(all->answers() == 3, "the holder's end did not end its lease");
    sim.advance(10s);
    all->check(sim, t);
    sim.end();
  });
}

TEST_CASE("ticket office: who is cancelled while it waits is left out and told; what waits at its end is told",
          "[law8]") {
  require_whatever_fails([](tact::simulation& sim, const trouble& t) {
    auto& engine = sim.engine(quiet_options(2));
    const auto all = std::make_shared<customers<ticket>>(4);
    const auto first = std::make_shared<ticket>();
    all->enter(engine, [=](auto&, std::size_t, ticket mine) { *first = mine; });
    auto office = std::make_shared<tact::owner<tact::ticket_office_protocol>>(
        engine.create(tact::ticket_office(limit), tact::owned));
    const tact::cancel_flag flag;
    const auto cancellable = tact::context().with_flag(flag);
    t.begin();
    all->ask(t, engine, office->ref(), 0, ticket_lease{});
    sim.run();
    all->ask_in(cancellable, t, engine, office->ref(), 1, ticket_lease{});
    sim.run();
    all->ask(t, engine, office->ref(), 2, ticket_lease{});
    all->ask(t, engine, office->ref(), 3, ticket_lease{});
    sim.run();
    flag.request_stop();
    t.tries([&] { engine.send(*first, give_back{}); });
    sim.run();
    if (t.is_none()) {
      sim.check((*all)[1].failures == 1 && (*all)[1].reason == tact::failure_reason::timed_out, "it was not told");
      sim.check((*all)[2].answers == 1 && (*all)[3].all() == 0, "the next one had no turn");
    }
    *office = {};
    sim.run();
    if (t.is_none()) sim.check((*all)[3].reason == tact::failure_reason::target_ended, "it was not told of the end");
    all->check(sim, t);
    sim.advance(10s);
    sim.end();
  });
}

TEST_CASE("ticket office: limits and places that make no sense are refused", "[law8]") {
  CHECK_THROWS_AS(tact::ticket_office(0s), tact::usage_error);
  CHECK_THROWS_AS(tact::ticket_office(1s, 0), tact::usage_error);
  CHECK_NOTHROW(tact::ticket_office(std::chrono::hours::max()));
}

TEST_CASE("ticket office: a lease that was given back leaves no timer behind", "[law10]") {
  tact::simulation sim(1);
  auto& engine = sim.engine(quiet_options(1));
  const auto office = engine.create(tact::ticket_office(limit));
  engine.send(engine.ask(office, ticket_lease{}), give_back{});
  sim.run();
  const auto sent = engine.statistics().messages_sent;
  sim.advance(10s);
  CHECK(engine.statistics().messages_sent == sent);
}

TEST_CASE("ticket office: a lease is five messages, the order to watch it counted, and seven when it waits",
          "[law10]") {
  tact::engine engine(quiet_options(1));
  const auto office = engine.create(tact::ticket_office(1h));
  auto count = [&, before = std::uint64_t{0}]() mutable {
    require_idle(engine);
    const auto sent = engine.statistics().messages_sent;
    return sent - std::exchange(before, sent);
  };
  count();
  const ticket mine = engine.ask(office, ticket_lease{});
  auto other = engine.ask_future(office, ticket_lease{});
  CHECK(count() == 3 + 2);  // the other one waits, and has said so
  engine.send(mine, give_back{});
  CHECK(count() == 2 + 3);
  engine.send(other.get(), give_back{});
  CHECK(count() == 2);
}

TEST_CASE("ticket office: threads that lease one resource have it one at a time, and no lease is left",
          "[law4][law6]") {
  TACT_FOR_EACH_THREAD_COUNT(workers);
  const bool parallel = GENERATE(false, true);
  tact::engine engine(quiet_options(workers));
  const auto office =
      parallel ? engine.create(tact::ticket_office(1h), tact::parallel) : engine.create(tact::ticket_office(1h));
  std::atomic<int> inside{0};
  std::atomic<int> wrong{0};
  on_threads(4, [&](unsigned) {
    for (int i = 0; i < scaled(200); ++i) {
      const ticket mine = engine.ask(office, ticket_lease{});
      if (++inside != 1) ++wrong;
      --inside;
      engine.send(mine, give_back{});
    }
  });
  require_idle(engine);
  CHECK(wrong == 0);
  CHECK(engine.statistics().actors_alive == 1);
}

}  // namespace ticket_test
