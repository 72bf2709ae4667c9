// tact::idle_close: a resource is open while it is used, and closed once, whatever fails.
#include "tact/patterns/idle_close.hpp"

#include "patterns/customers.hpp"
#include "patterns/trouble.hpp"

namespace idle_close_test {

namespace {

using namespace std::chrono_literals;
using namespace tact::patterns_tests;
using tact::request;

enum class fate : unsigned char { answered, thrown, last };

struct use {
  using reply = int;
  int number = 0;
  fate how = fate::answered;
  tracked instance{};
};
struct file : tact::protocol<request<use>> {};

// What went on at the resources.
struct course {
  std::atomic<int> openings{0};  // resources that were made, also by runs that were thrown away
  std::atomic<int> open{0};      // that exist now
  std::atomic<int> at_once{0};
  std::atomic<int> too_many{0};
  std::atomic<int> told{0};
  std::vector<int> order{};  // of one resource at a time
};
using seen = std::shared_ptr<course>;

// Lives as long as a resource.
struct handle {
  explicit handle(seen s) : c(std::move(s)) {
    ++c->openings;
    ++c->open;
  }
  handle(const handle&) = delete;
  handle& operator=(const handle&) = delete;
  ~handle() { --c->open; }
  seen c;
};

// Its answers come from another actor, so that requests which are not kept apart would meet at it.
tact::behavior<file> opened(const seen& c, tact::ref<request<use>> finish) {
  return {[h = std::make_shared<handle>(c), finish](tact::self<file>& self, const request<use>& m) {
    if (m.body.how == fate::thrown) throw std::runtime_error("out of order");
    if (++h->c->at_once > 1) ++h->c->too_many;
    h->c->order.push_back(m.body.number);
    self.pass_on(finish, m);
    if (m.body.how == fate::last) self.stop();
  }};
}
tact::ref<request<use>> open_finish(tact::engine& engine, const seen& c) {
  return engine.create(tact::behavior<request<use>>{[c](auto& self, const request<use>& m) {
    --c->at_once;
    self.reply(m, m.body.number);
  }});
}

struct set_up {
  bool parallel = false;
  bool resources_end = false;
};

fate fate_of(int n, bool resources_end) {
  if (n % 3 == 1) return fate::thrown;
  return resources_end && n % 3 == 2 ? fate::last : fate::answered;
}

template <class Make>
void two_threads_use(tact::simulation& sim, const trouble& t, const set_up& how, const Make& make) {
  auto& engine = sim.engine(quiet_options(3));
  const auto c = std::make_shared<course>();
  const auto all = std::make_shared<customers<int>>(7);
  all->enter(engine, [&sim](auto&, std::size_t n, int answer) {
    sim.check(std::size_t(answer) == n, "somebody has another one's answer");
  });
  const auto told = engine.create(tact::behavior<tact::resource_closed>{[c](auto&, const auto&) { ++c->told; }});
  auto behavior = make(c, open_finish(engine, c), told);
  const auto gate =
      how.parallel ? engine.create(std::move(behavior), tact::parallel) : engine.create(std::move(behavior));
  sim.run();
  sim.check(c->openings == 0, "opened before it was used");
  t.begin();
  for (int thread = 0; thread < 2; ++thread) {
    sim.start_thread([=, &engine] {
      for (int n = thread; n < 6; n += 2) {
        all->ask(t, engine, gate, std::size_t(n), use{n, fate_of(n, how.resources_end)});
      }
    });
  }
  sim.run();
  if (!how.resources_end) sim.check(c->open == 1, "it was not used for no time, and is closed");
  sim.advance(11s);
  sim.check(c->open == 0 || !t.is_none(), "it was not used for its time, and is open");
  sim.advance(11s);
  sim.check(c->open == 0, "it was not used for its time, and is open, although nothing fails now");
  const int openings = c->openings;
  all->ask(t, engine, gate, 6, use{6});
  sim.run();
  const int again = c->openings - openings;  // in a parallel one also by runs that were thrown away
  sim.check(again == 1 || (how.parallel && again > 1) || !t.is_none(), "it is not opened again once");
  sim.advance(22s);
  sim.check(c->open == 0, "it is open at the end");
  all->check(sim, t);
  if (t.is_none()) {
    sim.check(c->too_many == 0, "two requests were at the resource at once");
    sim.check(how.parallel || c->told == c->openings, "a close was told not once");
    sim.check(how.resources_end || all->failures() == 2, "a request failed without a reason");
  }
  sim.check(c->told <= c->openings, "a close was told twice");
  sim.end();
}

auto factory(const seen& c, tact::ref<request<use>> finish) {
  return [=](tact::transaction& tx) { return tx.create(opened(c, finish), tact::owned); };
}
tact::behavior<tact::idle_close_protocol<use>> gate_of(const seen& c, tact::ref<request<use>> finish,
                                                       tact::ref<tact::resource_closed> told) {
  return tact::idle_close<use>(factory(c, finish), 10s, told);
}

// Sends everything to the resource at once; and the run that handles the end of the time is not repeated when it has
// failed.
struct hasty {
  using self_type = tact::self<tact::idle_close_protocol<use>>;
  void operator()(self_type& self, const request<use>& m) const {
    hasty next = *this;
    if (!mine) {
      next.mine = self.create(opened(c, finish), tact::owned);
      self.monitor(next.mine.ref(), told, tact::resource_closed{});
    }
    self.pass_on(tact::ref<request<use>>(next.mine.ref()), m);
    self.send_after(10s, self.ref(), tact::detail::idle_time_over{++next.uses});
    self.become(std::move(next));
  }
  void operator()(self_type& self, const tact::detail::idle_time_over& m) const {
    if (m.use == uses) self.become(hasty{c, finish, told, {}, uses});
  }
  void operator()(self_type&, const tact::detail::use_over&) const {}
  void operator()(self_type&, const tact::detail::resource_gone&) const {}
  void operator()(self_type&, const tact::failure&) const {}
  seen c;
  tact::ref<request<use>> finish;
  tact::ref<tact::resource_closed> told;
  tact::owner<file> mine{};
  std::uint64_t uses = 0;
};

}  // namespace

TEST_CASE("idle_close: opened on first use, used by one at a time, closed when idle, whatever fails", "[law1][law8]") {
  const bool parallel = GENERATE(false, true);
  require_whatever_fails(
      [=](tact::simulation& sim, const trouble& t) { two_threads_use(sim, t, {.parallel = parallel}, gate_of); });
}

TEST_CASE("idle_close: a resource that ends is opened again, and all who ask are told, whatever fails", "[law8]") {
  require_whatever_fails(
      [](tact::simulation& sim, const trouble& t) { two_threads_use(sim, t, {.resources_end = true}, gate_of); });
}

TEST_CASE("idle_close: one that lets several in, or never closes because a run has failed, is found", "[law8]") {
  const auto in_haste = [](const seen& c, tact::ref<request<use>> finish, tact::ref<tact::resource_closed> told) {
    return tact::behavior<tact::idle_close_protocol<use>>(hasty{c, finish, told});
  };
  require_found([=](tact::simulation& sim, const trouble& t) { two_threads_use(sim, t, {}, in_haste); });
  require_found_when_it_fails([=](tact::simulation& sim, const trouble& t) { two_threads_use(sim, t, {}, in_haste); });
}

TEST_CASE("idle_close: each use begins the time anew, and the order is that of the requests", "[law3][law8]") {
  const nothing_left left;
  tact::simulation sim(1);
  auto& engine = sim.engine(quiet_options(1));
  const auto c = std::make_shared<course>();
  const auto gate = engine.create(gate_of(c, open_finish(engine, c), {}));
  for (int i = 0; i < 4; ++i) {
    engine.send(gate, request<use>{{}, {2 * i}});
    engine.send(gate, request<use>{{}, {2 * i + 1}});
    sim.advance(9s);
    CHECK(c->open == 1);
  }
  sim.advance(999ms);
  CHECK(c->open == 1);
  sim.advance(1ms);
  CHECK(c->open == 0);
  CHECK(c->openings == 1);
  CHECK(c->order == std::vector<int>{0, 1, 2, 3, 4, 5, 6, 7});
  CHECK_THROWS_AS(tact::idle_close<use>(factory(c, {}), 0s), tact::usage_error);
}

TEST_CASE("idle_close: one that cannot be opened fails its request, and the next one tries again", "[law8]") {
  tact::engine engine(quiet_options(1));
  const auto c = std::make_shared<course>();
  const auto finish = open_finish(engine, c);
  std::atomic<int> tries{0};
  const auto gate = engine.create(tact::idle_close<use>(
      [&, make = factory(c, finish)](tact::transaction& tx) {
        if (++tries == 1) throw std::runtime_error("the disk is away");
        return make(tx);
      },
      1h));
  CHECK_THROWS_WITH(engine.ask(gate, use{}), Catch::Matchers::Contains("the disk is away"));
  CHECK(engine.ask(gate, use{3}) == 3);
}

TEST_CASE("idle_close: when it ends, who waits is told, and the resource is closed", "[law8]") {
  const nothing_left left;
  tact::simulation sim(1);
  auto& engine = sim.engine(quiet_options(1));
  const auto c = std::make_shared<course>();
  const auto silent =
      engine.create(tact::behavior<request<use>>{[](auto& self, const request<use>& m) { self.defer(m); }});
  auto gate = engine.create(gate_of(c, silent, {}), tact::owned);
  customers<int> all(3);
  all.enter(engine, [](auto&, std::size_t, int) {});
  for (std::size_t n = 0; n < 3; ++n) all.ask(trouble(sim, trouble::kind::none, 0), engine, gate.ref(), n, use{});
  sim.run();
  gate.reset();
  sim.run();
  CHECK(all.failures() == 2);
  CHECK(c->open == 0);
}

TEST_CASE("idle_close: many threads use one resource, one at a time", "[law4][law13]") {
  TACT_FOR_EACH_THREAD_COUNT(workers);
  const nothing_left left;
  const auto c = std::make_shared<course>();
  {
    tact::engine engine(quiet_options(workers));
    const auto gate = engine.create(tact::idle_close<use>(factory(c, open_finish(engine, c)), 1h));
    std::atomic<int> right{0};
    on_threads(4, [&](unsigned) {
      for (int i = 0; i < 100; ++i) right += engine.ask(gate, use{i}) == i ? 1 : 0;
    });
    CHECK(right == 400);
    CHECK(c->openings == 1);
    CHECK(c->too_many == 0);
  }
  CHECK(c->open == 0);
}

}  // namespace idle_close_test
