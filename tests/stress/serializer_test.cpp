// Serializers on real threads: actors' requests to a service, and functions of threads on a resource.
#include <future>
#include <string>
#include <vector>

#include "support/serialized.hpp"
#include "tact/future.hpp"
#include "tact/guarded.hpp"

namespace serializer_test {

namespace {

using namespace tact::support;
using tact::failure_reason;

const auto serialize_jobs = [](tact::ref<tact::request<job>> service) { return tact::serializer<job>(service); };

failure_reason reason_of(std::future<int>& f) {
  try {
    if (f.wait_for(generous) != std::future_status::ready) throw std::logic_error("a future waits for ever");
    throw std::logic_error("there is a result: " + std::to_string(f.get()));
  } catch (const tact::ask_error& e) {
    return e.reason();
  }
}

}  // namespace

TEST_CASE("serializer: one request at a time, in order, and each client hears of its own", "[law5][law6][law8]") {
  TACT_FOR_EACH_THREAD_COUNT(workers);
  TACT_SEEDED(seed);
  const bool ordered = GENERATE(true, false);
  tact::engine engine(quiet_options(workers));
  const char* wrong = serve_all(engine, serialize_jobs, ordered, 8, scaled(500), static_cast<unsigned>(seed % fates));
  INFO((wrong == nullptr ? "" : wrong));
  CHECK(wrong == nullptr);
  require_idle(engine);
}

TEST_CASE("serializer: who waits when it ends is told, and who is at the service is answered", "[law8]") {
  TACT_FOR_EACH_THREAD_COUNT(workers);
  const bool ordered = GENERATE(true, false);
  tact::engine engine(quiet_options(workers));
  tact::request<job> kept;
  std::atomic<bool> came{false};
  struct release {};
  struct slow : tact::protocol<tact::request<job>, release> {};
  const auto service = engine.create(tact::behavior<slow>{[&](auto& self, const tact::request<job>& m) {
                                                            kept = m;
                                                            self.defer(m);
                                                            came = true;
                                                          },
                                                          [&](auto& self, const release&) { self.reply(kept, 5); }});
  auto gate = ordered ? engine.create(tact::serializer<job>(service), tact::owned)
                      : engine.create(tact::serializer<job>(service), tact::owned, tact::parallel);
  auto first = engine.ask_future(gate.ref(), job{});
  while (!came) std::this_thread::yield();
  std::vector<std::future<long>> others;
  for (int i = 0; i < 20; ++i) others.push_back(engine.ask_future(gate.ref(), job{}));
  require_idle(engine);
  gate.reset();
  for (auto& f : others) {
    REQUIRE(f.wait_for(generous) == std::future_status::ready);
    CHECK_THROWS_AS(f.get(), tact::ask_error);
  }
  engine.send(service, release{});
  REQUIRE(first.wait_for(generous) == std::future_status::ready);
  CHECK(first.get() == 5);
  require_idle(engine);
}

TEST_CASE("serializer: a request that is not answered within the limit fails, and the next one has its turn",
          "[law8]") {
  TACT_FOR_EACH_THREAD_COUNT(workers);
  const bool ordered = GENERATE(true, false);
  tact::engine engine(quiet_options(workers));
  std::atomic<int> came{0};
  // Forgets every second one.
  const auto service = engine.create(tact::behavior<tact::request<job>>{
      [&](auto& self, const tact::request<job>& m) { ++came % 2 == 0 ? self.defer(m) : self.reply(m, 5); }});
  const auto limited = [&] { return tact::serializer<job>(service, std::chrono::milliseconds(1)); };
  const auto gate = ordered ? engine.create(limited()) : engine.create(limited(), tact::parallel);
  std::vector<std::future<long>> all;
  for (int i = 0; i < 20; ++i) all.push_back(engine.ask_future(gate, job{}));
  int late = 0;
  for (auto& f : all) {
    REQUIRE(f.wait_for(generous) == std::future_status::ready);
    try {
      const long answer = f.get();
      CHECK(answer == 5);
    } catch (const tact::ask_error& e) {
      CHECK(e.reason() == failure_reason::timed_out);
      ++late;
    }
  }
  require_idle(engine);  // a request that timed out may still be on its way to the service
  CHECK(late >= 10);     // an answer may be late too
  CHECK(came == 20);
}

namespace {

// Paper that may be copied so often.
struct paper {
  using reply = long;
  int copies_left = 100;
  paper() = default;
  explicit paper(int copies) : copies_left(copies) {}
  paper(paper&&) noexcept = default;
  paper& operator=(paper&&) noexcept = default;
  paper(const paper& other) : copies_left(other.copies_left - 1) {
    if (copies_left < 0) throw std::runtime_error("torn");
  }
  paper& operator=(const paper&) = delete;
};

}  // namespace

TEST_CASE("serializer: a query that cannot be copied for its turn fails, and the next one has its turn", "[law8]") {
  TACT_FOR_EACH_THREAD_COUNT(workers);
  tact::engine engine(quiet_options(workers));
  std::vector<tact::request<paper>> kept;
  struct answer_all {};
  struct shop : tact::protocol<tact::request<paper>, answer_all> {};
  const auto service = engine.create(tact::behavior<shop>{[&](auto& self, const tact::request<paper>& m) {
                                                            kept.push_back({m.customer, paper()});
                                                            self.defer(m);
                                                          },
                                                          [&](auto& self, const answer_all&) {
                                                            for (const auto& m : kept) self.reply(m, 1);
                                                            kept.clear();
                                                          }});
  const auto gate = engine.create(tact::serializer<paper>(service));
  auto first = engine.ask_future(gate, paper());
  auto torn = engine.ask_future(gate, paper(1));  // into the queue, and no further
  auto last = engine.ask_future(gate, paper());
  for (auto* f : {&first, &last}) {
    require_idle(engine);
    engine.send(service, answer_all{});
    REQUIRE(f->wait_for(generous) == std::future_status::ready);
    CHECK(f->get() == 1);
  }
  CHECK_THROWS_WITH(torn.get(), "ask: handler threw: torn");
  require_idle(engine);
  CHECK(engine.statistics().dead_letters == 0);
}

TEST_CASE("serializer: a hundred thousand that wait go one after the other, and leave nothing", "[law10]") {
  tact::engine engine(quiet_options(2));
  std::atomic<long> sum{0};
  const int count = scaled(100'000);
  const auto gate = engine.create(tact::serializer<job>(
      engine.create(tact::behavior<tact::request<job>>{[](auto& self, const auto& m) { self.reply(m, m.body.number); }},
                    tact::parallel)));
  engine.create(tact::behavior<int>{[&](auto& self, int) {
                  for (int i = 0; i < count; ++i)
                    self.ask(gate, job{.number = i}, [&](tact::transaction&, long n) { sum += n; });
                }},
                tact::parallel) |
      0;
  require_idle(engine);
  CHECK(sum == (count - 1L) * count / 2);
  CHECK(engine.statistics().dead_letters == 0);
}

TEST_CASE("guarded: functions run one at a time, those of one thread in the order of its calls", "[law5][law6]") {
  TACT_FOR_EACH_THREAD_COUNT(workers);
  const bool waits = GENERATE(false, true);
  tact::engine engine(quiet_options(workers));
  struct account {
    long cents = 0;
    std::vector<int> last = std::vector<int>(4, -1);
  };
  const auto book = waits ? engine.guard(account{}, tact::blocking) : engine.guard(account{});
  const int calls = scaled(2'000);
  std::atomic<int> out_of_order{0};
  on_threads(4, [&](unsigned thread) {
    std::vector<std::future<long>> results;
    for (int i = 0; i < calls; ++i) {
      results.push_back(book([i, thread, &out_of_order](account& a) {
        out_of_order += a.last[thread] != i - 1;
        a.last[thread] = i;
        return ++a.cents;
      }));
    }
    for (auto& r : results) static_cast<void>(r.get());
  });
  CHECK(out_of_order == 0);
  CHECK(book([](const account& a) { return a.cents; }).get() == 4 * calls);
}

TEST_CASE("guarded: what a function throws is in its future, and the next one runs", "[law8]") {
  tact::engine engine(quiet_options(2));
  const auto number = engine.guard(1);
  auto failed = number([](int& n) -> int {
    n = 7;
    throw std::out_of_range("no such page");
  });
  CHECK_THROWS_AS(failed.get(), std::out_of_range);
  CHECK(number([](int n) { return n; }).get() == 7);
  number([](int& n) { n = 8; }).get();
  auto nested = number([&](int&) { return number([](int n) { return n; }).get(); });
  CHECK_THROWS_AS(nested.get(), tact::usage_error);
  static_cast<void>(number([](int& n) { ++n; }));  // no thread waits for it
  CHECK(number([](int n) { return n; }).get() == 9);
}

TEST_CASE("guarded: its resource goes behind the last function, and a function too late says so", "[law8][law11]") {
  TACT_FOR_EACH_THREAD_COUNT(workers);
  const bool waits = GENERATE(false, true);
  const nothing_left left;
  std::future<int> late;
  {
    tact::engine engine(quiet_options(workers));
    std::future<int> last;
    {
      auto used = waits ? engine.guard(tracked(), tact::blocking) : engine.guard(tracked());
      const auto copy = used;
      last = copy([](tracked&) { return 1; });
    }
    CHECK(last.get() == 1);
    engine.wait_finished();
    CHECK(tracked::alive == 0);

    const auto kept = engine.guard(tracked());
    engine.cancel();
    late = kept([](tracked&) { return 1; });
    CHECK(reason_of(late) == failure_reason::target_ended);
  }
}

}  // namespace serializer_test
