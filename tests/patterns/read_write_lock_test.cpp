// tact::read_write_lock: readers together, writers alone, first come first served, whatever fails.
#include "tact/patterns/read_write_lock.hpp"

#include "patterns/customers.hpp"
#include "patterns/trouble.hpp"

namespace read_write_lock_test {

namespace {

using namespace std::chrono_literals;
using namespace tact::patterns_tests;
using tact::give_back;
using tact::read_lease;
using tact::request;
using tact::ticket;
using tact::write_lease;

constexpr auto limit = 1s;

struct inside {
  std::atomic<int> readers{0};
  std::atomic<int> writers{0};
};

// Each of three threads reads, or writes, twice. No two writers meet, and no reader meets a writer.
template <class Make>
void read_and_write(tact::simulation& sim, const trouble& t, bool parallel, const Make& make) {
  auto& engine = sim.engine(quiet_options(3));
  const auto now = std::make_shared<inside>();
  const auto lock = parallel ? engine.create(make(), tact::parallel) : engine.create(make());
  const auto failed = std::make_shared<std::atomic<int>>(0);
  t.begin();
  for (int thread = 0; thread < 3; ++thread) {
    sim.start_thread([=, &engine, &sim] {
      for (int i = 0; i < 2; ++i) {
        const bool writes = (thread + i) % 2 == 0;
        try {
          const ticket mine = writes ? engine.ask(lock, write_lease{}) : engine.ask(lock, read_lease{});
          (writes ? now->writers : now->readers) += 1;
          sim.check(now->writers == 0 || (now->writers == 1 && now->readers == 0), "a writer is not alone");
          t.tries([&] { engine.wait_idle(); });
          (writes ? now->writers : now->readers) -= 1;
          if (!t.tries([&] { engine.send(mine, give_back{}); })) sim.check(!t.is_none(), "not given back");
        } catch (const tact::ask_error&) {
          ++*failed;
        } catch (const std::bad_alloc&) {
          ++*failed;
        }
      }
    });
  }
  sim.run();
  sim.advance(10s);
  sim.check(*failed <= (t.is_none() ? 0 : 1), "a request failed without a reason");
  const auto last = [&] {
    try {
      return engine.ask(lock, write_lease{}, 1ms).has_value();
    } catch (const std::exception&) {
      return !t.is_none() && engine.ask(lock, write_lease{}, 1ms).has_value();  // that was the trouble
    }
  }();
  sim.check(last, "the lock is not free");
  sim.end();
}

const auto as_it_is = [] { return tact::read_write_lock(limit); };

}  // namespace

TEST_CASE("read write lock: writers are alone, and everybody has a turn, whatever fails", "[law1][law6][law8]") {
  const bool parallel = GENERATE(false, true);
  require_whatever_fails([=](tact::simulation& sim, const trouble& t) { read_and_write(sim, t, parallel, as_it_is); });
}

namespace {

// Lends to a reader although a writer has it.
struct careless : tact::protocol<request<read_lease>, request<write_lease>, give_back> {};
tact::behavior<careless> open_careless(bool writes = false, std::vector<request<write_lease>> waiting = {}) {
  return {
      [](tact::self<careless>& self, const request<read_lease>& m) { self.reply(m, ticket()); },
      [=](tact::self<careless>& self, const request<write_lease>& m) {
        if (!writes) {
          self.reply(m, ticket(self.ref()));
          return self.become(open_careless(true, waiting));
        }
        self.defer(m);
        auto more = waiting;
        more.push_back(m);
        self.become(open_careless(true, more));
      },
      [=](tact::self<careless>& self, const give_back&) {
        if (waiting.empty()) return self.become(open_careless());
        self.send(waiting.front().customer, ticket(self.ref()));
        self.become(open_careless(true, {waiting.begin() + 1, waiting.end()}));
      },
  };
}

}  // namespace

TEST_CASE("read write lock: one that lets a reader in beside a writer is found", "[law6]") {
  require_found(
      [](tact::simulation& sim, const trouble& t) { read_and_write(sim, t, false, [] { return open_careless(); }); });
}

TEST_CASE("read write lock: readers share it, a writer waits for them, and no reader overtakes it", "[law5][law8]") {
  require_whatever_fails([](tact::simulation& sim, const trouble& t) {
    auto& engine = sim.engine(quiet_options(2));
    const auto all = std::make_shared<customers<ticket>>(5);
    const auto tickets = std::make_shared<std::vector<ticket>>(5);
    all->enter(engine, [=](auto&, std::size_t n, ticket mine) { (*tickets)[n] = mine; });
    const auto lock = engine.create(as_it_is());
    const auto have = [&](const char* text, std::initializer_list<int> expected) {
      sim.run();
      std::size_t n = 0;
      for (const int e : expected) sim.check(!t.is_none() || (*all)[n++].answers == e, text);
    };
    const auto returns = [&](std::size_t n) { t.tries([&] { engine.send((*tickets)[n], give_back{}); }); };
    t.begin();
    all->ask(t, engine, lock, 0, read_lease{});
    sim.run();
    all->ask(t, engine, lock, 1, read_lease{});
    have("readers do not share it", {1, 1, 0, 0, 0});
    all->ask(t, engine, lock, 2, write_lease{});
    sim.run();
    all->ask(t, engine, lock, 3, read_lease{});
    sim.run();
    all->ask(t, engine, lock, 4, write_lease{});
    have("somebody has overtaken", {1, 1, 0, 0, 0});
    returns(0);
    have("the writer did not wait for all readers", {1, 1, 0, 0, 0});
    returns(1);
    have("the writer had no turn, or was not alone", {1, 1, 1, 0, 0});
    returns(2);
    have("the reader had no turn", {1, 1, 1, 1, 0});
    sim.advance(limit);
    have("the lease of the reader did not run out", {1, 1, 1, 1, 1});
    sim.advance(10s);
    all->check(sim, t);
    sim.check(all->failures() <= (t.is_none() ? 0 : 1), "a request failed without a reason");
    sim.end();
  });
}

TEST_CASE("read write lock: a writer who is cancelled is told, and readers behind it go on", "[law8]") {
  require_whatever_fails([](tact::simulation& sim, const trouble& t) {
    auto& engine = sim.engine(quiet_options(2));
    const auto all = std::make_shared<customers<ticket>>(4);
    all->enter(engine, [](auto&, std::size_t, ticket) {});
    const auto lock = engine.create(as_it_is());
    const tact::cancel_flag flag;
    const auto cancellable = tact::context().with_flag(flag);
    t.begin();
    all->ask(t, engine, lock, 0, read_lease{});
    sim.run();
    all->ask_in(cancellable, t, engine, lock, 1, write_lease{});
    sim.run();
    all->ask(t, engine, lock, 2, read_lease{});
    sim.run();
    if (t.is_none()) sim.check((*all)[2].all() == 0, "a reader has overtaken");
    flag.request_stop();
    all->ask(t, engine, lock, 3, read_lease{});
    sim.run();
    if (t.is_none()) {
      sim.check((*all)[1].reason == tact::failure_reason::timed_out && (*all)[1].failures == 1, "it was not told");
      sim.check((*all)[2].answers == 1 && (*all)[3].answers == 1, "the readers behind it wait");
    }
    sim.advance(10s);
    all->check(sim, t);
    sim.end();
  });
}

TEST_CASE("read write lock: threads that read and write find what they wrote", "[law4][law6]") {
  TACT_FOR_EACH_THREAD_COUNT(workers);
  tact::engine engine(quiet_options(workers));
  const auto lock = engine.create(tact::read_write_lock(1h));
  long first = 0;  // two variables that no reader may see differ
  long second = 0;
  std::atomic<int> wrong{0};
  on_threads(4, [&](unsigned thread) {
    for (int i = 0; i < scaled(200); ++i) {
      const bool writes = (i + int(thread)) % 4 == 0;
      const ticket mine = writes ? engine.ask(lock, write_lease{}) : engine.ask(lock, read_lease{});
      if (writes) {
        ++first;
        ++second;
      } else if (first != second) {
        ++wrong;
      }
      engine.send(mine, give_back{});
    }
  });
  require_idle(engine);
  CHECK(wrong == 0);
  CHECK(first == scaled(200));
}

}  // namespace read_write_lock_test
