// tact::sink_pipe: each message gets through to the sink once, or its failure is told once, whatever fails.
#include "tact/patterns/sink_pipe.hpp"

#include <stdexcept>
#include <string>

#include "patterns/trouble.hpp"

namespace sink_pipe_test {

namespace {

using namespace tact::patterns_tests;
using tact::failure;
using tact::request;
using tact::transaction;

struct text {
  using reply = std::string;
  std::string words{};
  tracked instance{};
};
struct length {
  using reply = long;
  std::string words{};
  tracked instance{};
};

tact::ref<request<text>> repeated(tact::engine& e) {
  return e.create(tact::behavior<request<text>>{
      [](auto& self, const request<text>& m) { self.reply(m, m.body.words + m.body.words); }});
}
// Does not measure a text of 6 letters.
tact::ref<request<length>> measured(tact::engine& e) {
  return e.create(tact::behavior<request<length>>{[](auto& self, const request<length>& m) {
    if (m.body.words.size() == 6) throw std::runtime_error("torn");
    self.reply(m, long(m.body.words.size()));
  }});
}

struct heard {
  std::array<std::atomic<int>, 5> arrived{};
  std::atomic<int> told{0};
};

// Texts of 1 to 4 letters, of which that with 3 fails, from two threads.
template <class Make>
void texts_go_through(tact::simulation& sim, const trouble& t, const Make& make) {
  auto& engine = sim.engine(quiet_options(3));
  const auto h = std::make_shared<heard>();
  const auto sink = engine.create(tact::behavior<long>{[h](auto&, long n) { ++h->arrived[std::size_t(n / 2)]; }});
  const tact::ref<failure> complaints =
      engine.create(tact::behavior<failure>{[h](auto&, const failure&) { ++h->told; }});
  const auto pipe = engine.create(make(repeated(engine), measured(engine), sink, complaints));
  const auto alive = engine.statistics().actors_alive;
  const auto sent = std::make_shared<std::atomic<int>>(0);
  t.begin();
  for (std::size_t thread = 0; thread < 2; ++thread) {
    sim.start_thread([=, &engine] {
      for (const std::size_t n : {thread + 1, thread + 3}) {
        *sent += t.tries([&] { engine.send(pipe, text{std::string(n, 'x')}); }) ? 1 : 0;
      }
    });
  }
  sim.run();
  int arrived = 0;
  for (const auto& one : h->arrived) {
    sim.check(one <= 1, "a text arrived twice");
    arrived += one;
  }
  sim.check(h->arrived[3] == 0, "what failed has arrived");
  sim.check(arrived + h->told == *sent, "a text neither arrived nor was told, or both");
  sim.check(!t.is_none() || h->told == 1, "a failure is told without a reason");
  sim.check(engine.statistics().actors_alive == alive, "an actor is left");
  sim.end();
}

constexpr auto the_pipe = [](auto... refs) { return tact::sink_pipe(refs...); };

// Tells what the services say, and nothing of its own runs.
constexpr auto careless = [](auto first, auto second, auto sink, auto complaints) {
  return tact::behavior<text>{[=](tact::self<text>& self, const text& m) {
    const auto failed = [=](transaction& tx, const failure& f) { tx.send(complaints, f); };
    self.ask(
        first, m,
        [=](transaction& tx, const std::string& words) {
          tx.ask(
              second, length{words}, [=](transaction& later, long n) { later.send(sink, n); }, failed);
        },
        failed);
  }};
};

}  // namespace

TEST_CASE("sink_pipe: each message gets through once, or is told once, whatever fails", "[law1][law8]") {
  require_whatever_fails([](tact::simulation& sim, const trouble& t) { texts_go_through(sim, t, the_pipe); });
}

TEST_CASE("sink_pipe: one that tells only of its services is found", "[law8]") {
  const auto p = [](tact::simulation& sim, const trouble& t) { texts_go_through(sim, t, careless); };
  bool has_come = false;
  require_holds(scaled(200), trouble::kind::none, 0, p, has_come);
  require_found_when_it_fails(p);
}

TEST_CASE("sink_pipe: a failure is a dead letter when nobody is to hear it, and messages are as few as promised",
          "[law8][law10]") {
  TACT_FOR_EACH_THREAD_COUNT(workers);
  const nothing_left left;
  tact::engine engine(quiet_options(workers));
  std::atomic<long> sum{0};
  const auto sink = engine.create(tact::behavior<long>{[&](auto&, long n) { sum += n; }});
  const auto pipe = engine.create(tact::sink_pipe(repeated(engine), measured(engine), sink), tact::parallel);
  const auto before = engine.statistics().messages_sent;
  engine.send(pipe, text{"abcd"});
  require_idle(engine);
  CHECK(sum == 8);
  CHECK(engine.statistics().messages_sent - before == 6);
  CHECK(engine.statistics().dead_letters == 0);
  engine.send(pipe, text{"abc"});
  require_idle(engine);
  CHECK(engine.statistics().dead_letters == 1);
  on_threads(4, [&](unsigned) {
    for (int i = 0; i < scaled(200); ++i) engine.send(pipe, text{"a"});
  });
  require_idle(engine);
  CHECK(sum == 8 + 4 * scaled(200) * 2);
}

}  // namespace sink_pipe_test
