// Asks in a context that is over: when a flag of it is set, or its deadline passes.
#include <array>
#include <atomic>
#include <chrono>
#include <future>
#include <memory>
#include <optional>
#include <string>
#include <thread>
#include <utility>
#include <vector>

#include "support/engine_fixture.hpp"
#include "tact/future.hpp"
#include "tact/patterns/ask_all.hpp"
#include "tact/patterns/ask_first.hpp"
#include "tact/simulation.hpp"

namespace ask_over_test {

namespace {

using namespace tact::support;
using namespace std::chrono_literals;
using tact::failure_reason;

struct question {
  using reply = long;
  long n = 0;
};
using asked = tact::request<question>;

// Answers what is even, at once, and the others never.
tact::behavior<asked> open_service() {
  return {[](auto& self, const asked& m) { m.body.n % 2 == 0 ? self.reply(m, m.body.n) : self.defer(m); }};
}

// Where there are no workers, this thread does the engine's work until then: what timers send comes when it will.
template <class F>
void work_until(tact::engine& e, F is_so) {
  while (!is_so()) (void)e.wait_idle(1ms);
}

// What was heard: how many answers, and how many failures for each reason.
struct heard {
  std::atomic<int> answers{0};
  std::array<std::atomic<int>, 16> failures{};
  void note(failure_reason r) { ++failures.at(static_cast<std::size_t>(r)); }
  [[nodiscard]] int of(failure_reason r) const { return failures.at(static_cast<std::size_t>(r)); }
  [[nodiscard]] int all() const {
    int n = answers;
    for (const auto& f : failures) n += f;
    return n;
  }
};

struct go {
  int way;
  long n;
};
constexpr int ways = 6;

// Asks in the ways of a handler. `self.ask_all` and `ask_first` tell of the failures one by one, or of the last one.
tact::behavior<go> open_client(tact::ref<asked> to, heard& h) {
  return {[to, &h](auto& self, const go& m) {
    const auto then = [&h](auto&, long) { ++h.answers; };
    const auto otherwise = [&h](auto&, const tact::failure& f) { h.note(f.reason); };
    const std::vector<tact::ref<asked>> all(3, to);
    const auto outcome_of = [&h](auto&, const auto& o) { o ? void(++h.answers) : h.note(o.why().reason); };
    switch (m.way) {
      case 0:
        try {
          (void)self.ask(to, question{m.n});
          ++h.answers;
        } catch (const tact::ask_error& e) {
          h.note(e.reason());
        }
        break;
      case 1:
        self.ask(to, question{m.n}, then, otherwise);
        break;
      case 2:
        self.ask_here(to, question{m.n}, then, otherwise);
        break;
      case 3:
        self.ask(to, question{m.n}, 24h, then, otherwise);
        break;
      case 4:
        self.ask_all(all, question{m.n}, [=](auto& tx, const auto& outcomes) { outcome_of(tx, outcomes.back()); });
        break;
      default:
        self.ask_first(all, question{m.n}, [=](auto& tx, const auto& o) { outcome_of(tx, o); });
    }
  }};
}

// Threads that ask, each in one of the ways of a thread, in the context.
class askers {
 public:
  askers(tact::engine& e, tact::ref<asked> to, const tact::context& in, heard& h) : engine_(e) {
    for (int way = 0; way < 4; ++way)
      all_.emplace_back([&e, to, in, &h, way, this] {
        tact::with_context(in, [&] {
          try {
            ask(e, to, way, h);
          } catch (const tact::ask_error& err) {
            h.note(err.reason());
          }
        });
        --running_;
      });
  }
  ~askers() {
    work_until(engine_, [&] { return running_ == 0; });
    for (auto& t : all_) t.join();
  }
  askers(const askers&) = delete;
  askers& operator=(const askers&) = delete;

 private:
  static void ask(tact::engine& e, tact::ref<asked> to, int way, heard& h) {
    if (way == 0) {
      (void)e.ask(to, question{1});
    } else if (way == 1) {
      (void)e.ask_all(std::vector<tact::ref<asked>>(3, to), question{1});
    } else if (way == 2) {
      (void)e.ask_future(to, question{1}).get();
    } else {
      std::promise<failure_reason> why;
      e.ask(
          to, question{1}, [](auto f) { f(); }, [](long) {}, [&](const tact::failure& f) { why.set_value(f.reason); });
      return h.note(why.get_future().get());
    }
    ++h.answers;
  }
  tact::engine& engine_;
  std::atomic<int> running_{4};
  std::vector<std::thread> all_;
};

}  // namespace

TEST_CASE("ask: when a flag of its context is set it fails with that reason, by whatever call it was asked", "[law8]") {
  TACT_FOR_EACH_WORKER_COUNT(workers);
  heard h;
  tact::engine e(quiet_options(workers));
  const auto service = e.create(open_service(), tact::parallel);
  const tact::cancel_flag flag;
  const auto in = tact::context().with_flag(tact::cancel_flag()).with_flag(flag).with_trace(3);
  {
    const askers outside(e, service, in, h);
    tact::with_context(in, [&] {
      for (int way = 0; way < ways; ++way) e.send(e.create(open_client(service, h)), go{way, 1});
    });
    work_until(e, [&] { return e.statistics().timers_armed >= ways + 6; });  // ask_all of a thread asks three times
    CHECK(h.all() == 0);
    CHECK(flag.request_stop());
  }
  require_idle(e);
  CHECK(h.of(failure_reason::cancelled) == ways + 4);
  CHECK(h.all() == ways + 4);
  CHECK(e.statistics().timers_armed == 0);
  CHECK(e.statistics().dead_letters == 0);
}

TEST_CASE("ask: when the deadline of its context passes it fails with that reason, by whatever call it was asked",
          "[law8]") {
  TACT_FOR_EACH_WORKER_COUNT(workers);
  heard h;
  tact::engine e(quiet_options(workers));
  const auto service = e.create(open_service(), tact::parallel);
  {
    const auto in = tact::context().with_deadline(std::chrono::steady_clock::now() + 20ms);
    const askers outside(e, service, in, h);
    tact::with_context(in, [&] {
      for (int way = 0; way < ways; ++way) e.send(e.create(open_client(service, h)), go{way, 1});
    });
  }
  require_idle(e);
  work_until(e, [&] { return h.all() >= ways + 4; });
  require_idle(e);
  CHECK(h.of(failure_reason::timed_out) == ways + 4);
  CHECK(e.statistics().timers_armed == 0);
  CHECK(e.statistics().dead_letters == 0);
}

TEST_CASE("ask: an answer that comes before leaves no timer behind, and the flag ends nothing any more") {
  TACT_FOR_EACH_WORKER_COUNT(workers);
  heard h;
  tact::engine e(quiet_options(workers));
  const auto service = e.create(open_service(), tact::parallel);
  const tact::cancel_flag flag;
  const auto in = tact::context().with_flag(flag).with_deadline(std::chrono::steady_clock::now() + 24h);
  const int times = scaled(300);
  std::future<long> later;
  tact::with_context(in, [&] {
    for (int i = 0; i < times; ++i)
      for (int way = 0; way < ways; ++way) e.send(e.create(open_client(service, h)), go{way, 2});
    CHECK(e.ask(service, question{2}) == 2);
    later = e.ask_future(service, question{4});
  });
  require_idle(e);
  CHECK(later.get() == 4);
  CHECK(h.answers == times * ways);
  CHECK(e.statistics().timers_armed == 0);
  flag.request_stop();
  require_idle(e);
  CHECK(h.all() == times * ways);
  CHECK(e.statistics().dead_letters == 0);
}

TEST_CASE("ask: in a context that is over it fails at once, and a handler that would wait commits nothing before",
          "[law1]") {
  TACT_FOR_EACH_WORKER_COUNT(workers);
  heard h;
  std::atomic<int> sent_before{0};
  tact::engine e(quiet_options(workers));
  const auto service = e.create(open_service(), tact::parallel);
  const tact::cancel_flag flag;
  flag.request_stop();
  const auto in = GENERATE(0, 1) == 0 ? tact::context().with_flag(flag)
                                      : tact::context().with_deadline(std::chrono::steady_clock::now() - 1h);
  const auto reason = in.stop_requested() ? failure_reason::cancelled : failure_reason::timed_out;
  const auto noted = e.create<long>([&](auto&, const long&) { ++sent_before; });
  const auto waits = e.create<go>([=](auto& self, const go&) {
    self.send(noted, 1L);
    (void)self.ask(service, question{2});
  });
  tact::with_context(in, [&] {
    for (int way = 0; way < ways; ++way) e.send(e.create(open_client(service, h)), go{way, 1});
    e.send(waits, go{0, 0});
  });
  { const askers outside(e, service, in, h); }
  require_idle(e);
  CHECK(sent_before == 0);
  work_until(e, [&] { return h.all() >= ways + 4; });
  CHECK(h.of(reason) == ways + 4);
  // Who must go on all the same asks outside of the context.
  const auto cleans_up = e.create<go>([=, &h](auto& self, const go&) {
    h.answers += static_cast<int>(tact::with_context(tact::context(), [&] { return self.ask(service, question{2}); }));
  });
  tact::with_context(in, [&] { e.send(cleans_up, go{0, 0}); });
  require_idle(e);
  CHECK(h.answers == 2);
}

TEST_CASE("ask: each that a flag may end while it is answered ends once", "[law8]") {
  TACT_FOR_EACH_WORKER_COUNT(workers);
  TACT_SEEDED(seed);
  dice d(seed);
  heard h;
  tact::engine e(quiet_options(workers));
  const auto service = e.create(open_service(), tact::parallel);
  std::vector<tact::ref<go>> clients;
  for (int i = 0; i < 8; ++i) clients.push_back(e.create(open_client(service, h), tact::parallel));
  int expected = 0;
  const int rounds = scaled(600);
  for (int round = 0; round < rounds; ++round) {
    const tact::cancel_flag flag;
    const int some = 1 + static_cast<int>(d.below(12));
    tact::with_context(tact::context().with_flag(flag), [&] {
      for (int i = 0; i < some; ++i)
        e.send(clients[d.below(8)], go{static_cast<int>(d.below(ways)), static_cast<long>(d.below(4))});
    });
    expected += some;
    for (unsigned spin = d.below(2000); spin != 0; --spin) std::atomic_signal_fence(std::memory_order_seq_cst);
    flag.request_stop();
  }
  require_idle(e);
  CHECK(h.all() == expected);
  CHECK(h.answers + h.of(failure_reason::cancelled) == expected);
  CHECK(e.statistics().timers_armed == 0);
}

TEST_CASE("ask: in a simulation a flag that any thread sets at any time ends what is asked in its context") {
  TACT_SEEDED(seed);
  for (std::uint64_t s = seed; s < seed + static_cast<std::uint64_t>(scaled(300)); ++s) {
    INFO("seed=" << s);
    heard h;
    const tact::cancel_flag flag;
    tact::simulation sim(s);
    tact::engine& e = sim.engine(quiet_options(2));
    const auto service = e.create(open_service());
    sim.start_thread([&] { flag.request_stop(); });
    sim.start_thread([&] {
      tact::with_context(tact::context().with_flag(flag), [&] {
        try {
          (void)e.ask(service, question{1});
        } catch (const tact::ask_error& err) {
          h.note(err.reason());
        }
      });
    });
    tact::with_context(tact::context().with_flag(flag), [&] {
      for (int way = 0; way < ways; ++way) e.send(e.create(open_client(service, h)), go{way, 1});
    });
    sim.run();
    CHECK(h.of(failure_reason::cancelled) == ways + 1);
    CHECK(h.all() == ways + 1);
  }
}

TEST_CASE("timer: the handle of a timer that was not set, because its run failed, cancels no other timer", "[law1]") {
  struct bell {};
  std::atomic<int> rings{0};
  tact::engine e(quiet_options(1));
  struct steady : tact::actor<steady, go, bell> {
    explicit steady(std::atomic<int>& r) : rings_(&r) {}
    void receive(tact::self<steady>& self, const go& m) {
      if (m.way == 0) {
        never_set_ = self.send_after(20ms, self.ref(), bell{});
        throw std::runtime_error("not set");
      }
      if (m.way == 1) self.send_after(20ms, self.ref(), bell{});
      if (m.way == 2) never_set_.cancel();
    }
    void receive(tact::self<steady>&, const bell&) { ++*rings_; }
    std::atomic<int>* rings_;
    tact::timer never_set_;
  };
  const auto a = e.spawn<steady>(tact::failure_rule(tact::failure_policy::go_on), rings);
  for (const int way : {0, 1, 2}) {
    e.send(a, go{way, 0});
    require_idle(e);
  }
  while (e.statistics().timers_armed != 0) std::this_thread::yield();
  require_idle(e);
  CHECK(rings == 1);
}

}  // namespace ask_over_test
