// Threads that ask with tact::help: they run what waits, give back the rest, and never more than may.
#include <thread>

#include "stress/town.hpp"
#include "support/home_of.hpp"
#include "support/refusal.hpp"

namespace help_test {

namespace {

using namespace tact::stress;
using tact::support::door;
using tact::support::refusal;

tact::engine_options helped_options(unsigned workers, unsigned helpers) {
  auto o = quiet_options(workers);
  o.helpers_max = helpers;
  return o;
}

struct wait_here {
  door* until;
  std::atomic<unsigned>* here;
};
struct keeper : tact::protocol<wait_here> {};
tact::behavior<keeper> open_keeper() {
  return {[](auto&, const wait_here& m) {
    ++*m.here;
    m.until->pass();
  }};
}

struct add {
  unsigned sender;
  unsigned number;
};
struct sum {
  using reply = unsigned;
};
struct count : tact::protocol<add, tact::request<sum>> {};

// What an ordered actor has seen of each sender.
struct sums {
  std::array<std::atomic<unsigned>, 16> next{};
  std::atomic<unsigned> all{0};
  std::atomic<unsigned> wrong{0};
  std::atomic<bool> inside{false};
};
tact::behavior<count> open_count(sums& s) {
  return {[&s](auto&, const add& m) {
            if (s.inside.exchange(true)) ++s.wrong;
            if (s.next[m.sender].exchange(m.number + 1) != m.number) ++s.wrong;
            ++s.all;
            s.inside = false;
          },
          [&s](auto& self, const tact::request<sum>& m) { self.reply(m, s.all.load()); }};
}

// Actors whose home is not that of `other`.
template <class P>
tact::ref<count> elsewhere(tact::engine& e, tact::ref<P> other, sums& s) {
  for (;;) {
    const auto c = e.create(open_count(s));
    const auto home = [](auto r) { return home_of(tact::detail::access::port_of(r)); };
    if (home(c) != home(other)) return c;
  }
}

bool wait_for(const std::atomic<unsigned>& n, unsigned wanted) {
  const auto until = std::chrono::steady_clock::now() + generous;
  while (n != wanted && std::chrono::steady_clock::now() < until) std::this_thread::yield();
  return n == wanted;
}

}  // namespace

TEST_CASE("help: a thread that asks runs its question itself while every worker stands in a handler", "[help]") {
  sums s;
  door out;
  std::atomic<unsigned> here{0};
  auto options = helped_options(1, 1);
  options.shards = 8;
  tact::engine e(options);
  const auto k = e.create(open_keeper());
  const auto c = elsewhere(e, k, s);
  e.send(k, wait_here{&out, &here});
  REQUIRE(wait_for(here, 1));
  for (unsigned i = 0; i < 1'000; ++i) e.send(c, add{0, i});
  CHECK(e.ask(c, sum{}, tact::help) == 1'000);
  CHECK(e.statistics().in_flight() == 1);
  out.open();
  require_idle(e);
  CHECK(s.wrong == 0);
}

TEST_CASE("help: what a thread that helps leaves behind is run by the workers", "[help]") {
  TACT_FOR_EACH_THREAD_COUNT(workers);
  TACT_SEEDED(seed);
  for (int round = 0; round < scaled(50); ++round) {
    sums s;
    tact::engine e(helped_options(workers, 1));
    const auto c = e.create(open_count(s));
    std::thread sender([&] {
      for (unsigned i = 0; i < 5'000; ++i) e.send(c, add{0, i});
    });
    const unsigned seen = e.ask(c, sum{}, tact::help);
    sender.join();
    require_idle(e);
    CHECK(seen <= 5'000);
    CHECK(s.all == 5'000);
    CHECK(s.wrong == 0);
  }
}

TEST_CASE("help: threads that send and ask with help keep all laws", "[help][law1][law4][law5][law6]") {
  TACT_FOR_EACH_WORKER_COUNT(workers);
  TACT_SEEDED(seed);
  const unsigned helpers = GENERATE(1u, 3u);
  INFO("helpers=" << helpers);
  constexpr unsigned threads = 4;
  const auto each = static_cast<unsigned>(scaled(3'000));
  std::array<sums, 5> all;
  const nothing_left left;
  tact::engine e(helped_options(workers, helpers));
  std::vector<tact::ref<count>> counts;
  for (sums& s : all) counts.push_back(e.create(open_count(s)));
  on_threads(threads, [&](unsigned t) {
    dice d(seed + t);
    std::array<unsigned, 5> sent{};
    for (unsigned i = 0; i < each; ++i) {
      const unsigned to = d.below(5);
      e.send(counts[to], add{t, sent[to]++});
      if (d.below(4) != 0) continue;
      const unsigned asked = d.below(5);
      if (e.ask(counts[asked], sum{}, tact::help) < sent[asked]) ++all[asked].wrong;
    }
  });
  require_idle(e);
  unsigned handled = 0;
  for (const sums& s : all) {
    CHECK(s.wrong == 0);
    handled += s.all;
  }
  CHECK(handled == threads * each);
}

TEST_CASE("help: a town keeps all laws while threads ask with help", "[help][law1][law3][law4][law5][law6]") {
  TACT_FOR_EACH_WORKER_COUNT(workers);
  TACT_SEEDED(seed);
  sums s;
  const nothing_left left;
  tact::engine engine(helped_options(workers, 2));
  const auto c = engine.create(open_count(s));
  const auto asks = static_cast<unsigned>(scaled(2'000));
  town t(engine, [&](unsigned threads, const std::function<void(unsigned)>& f) {
    on_threads(threads + 2, [&](unsigned i) {
      if (i < threads) return f(i);
      for (unsigned n = 0; n < asks; ++n) static_cast<void>(engine.ask(c, sum{}, tact::help));
    });
  });
  t.live(seed);
  require_idle(engine);
  t.check(2 * 2 * asks);  // questions and answers of two threads
  CHECK(s.wrong == 0);
}

TEST_CASE("help: an engine may end while threads help", "[help][law11]") {
  TACT_SEEDED(seed);
  for (int n = 0; n < scaled(200); ++n) {
    dice d(seed + static_cast<std::uint64_t>(n));
    sums s;
    const nothing_left left;
    tact::engine engine(helped_options(1 + d.below(4), 2));
    const auto c = engine.create(open_count(s));
    const unsigned before = d.below(50);
    on_threads(3, [&](unsigned i) {
      for (unsigned k = 0; i == 0 && k < before; ++k) std::this_thread::yield();
      if (i == 0) return engine.cancel();
      try {
        for (;;) static_cast<void>(engine.ask(c, sum{}, tact::help));
      } catch (const tact::ask_error& e) {
        if (e.reason() != tact::failure_reason::engine_ended) ++s.wrong;
      }
    });
    require_accounted(engine);
    CHECK(s.wrong == 0);
  }
}

TEST_CASE("help: it is refused where nobody may help, and in handlers", "[help]") {
  using Catch::Matchers::Contains;
  sums s;
  tact::engine e(helped_options(1, 0));
  const auto c = e.create(open_count(s));
  CHECK_THAT(refusal([&] { (void)e.ask(c, sum{}, tact::help); }), Contains("engine_options.helpers_max"));
  tact::engine helped(helped_options(1, 1));
  const auto c2 = helped.create(open_count(s));
  std::string said;
  struct run_it : tact::protocol<wait_here> {};
  const auto r = helped.create(tact::behavior<run_it>{
      [&](auto&, const wait_here&) { said = refusal([&] { (void)helped.ask(c2, sum{}, tact::help); }); }});
  helped.send(r, wait_here{});
  require_idle(helped);
  CHECK_THAT(said, Contains("self.ask"));
  CHECK(e.statistics().messages_sent == 0);
}

}  // namespace help_test
