// Handlers that commit what they have staged so far, and go on.
#include <atomic>
#include <stdexcept>
#include <string>
#include <vector>

#include "stress/parked_ask.hpp"

namespace parked_commit_test {

using namespace tact::parked_tests;
using namespace tact;

namespace {

struct count_up {
  long to;
};

}  // namespace

TEST_CASE("commit: what was staged before it takes effect before the handler goes on", "[law1]") {
  TACT_FOR_EACH_WORKER_COUNT(workers);
  std::atomic<long> seen{0};
  std::atomic<bool> gave_up{false};
  engine e(quiet_options(workers));
  const auto noting = e.create<long>([&seen](auto&, const long& n) { seen = n; });
  const auto work = [&, noting](auto& self, const count_up& m) {
    for (long n = 1; n <= m.to; ++n) {
      self.send(noting, n);
      self.commit();
      // Beside this handler others are handled; where there is no other worker, while it commits.
      for (long i = 0; seen != n && !gave_up; ++i) {
        if (i > 100'000'000) gave_up = true;
        self.commit();
      }
    }
  };
  const ref<count_up> actors[] = {e.create<count_up>(work), e.create<count_up>(work, tact::parallel),
                                  e.create<count_up>(work, tact::heavy), e.create<count_up>(work, tact::blocking)};
  for (const auto a : actors) {
    e.send(a, count_up{50});
    require_idle(e);
    CHECK(seen == 50);
    CHECK_FALSE(gave_up);
  }
}

TEST_CASE("commit: what a handler has staged before it stays when it throws behind it", "[law1]") {
  TACT_FOR_EACH_WORKER_COUNT(workers);
  engine e(quiet_options(workers));
  const auto total = e.create(open_sum(0));
  const auto a = e.create<go>([total](auto& self, const go& m) {
    self.send(total, m.n);
    self.commit();
    self.send(total, 100 * m.n);
    self.commit();
    self.send(total, 10'000 * m.n);
    throw std::runtime_error("enough");
  });
  for (int i = 0; i < 5; ++i) e.send(a, go{1});
  require_idle(e);
  CHECK(e.statistics().failures == 5);
  CHECK(e.ask(total, look{}) == 505);
}

TEST_CASE("commit: an actor that handles one message at a time goes on before its next message", "[law5]") {
  TACT_FOR_EACH_WORKER_COUNT(workers);
  struct patient : actor<patient, go, long> {
    explicit patient(std::vector<long>& b) : book_(&b) {}
    void receive(self<patient>& self, const go& m) {
      for (long i = 0; i < 3; ++i) {
        book_->push_back(m.n + i);
        self.commit();
      }
    }
    void receive(self<patient>&, long n) { book_->push_back(n); }
    std::vector<long>* book_;
  };
  std::vector<long> book;
  engine e(quiet_options(workers));
  const auto p = e.spawn<patient>(book);
  std::vector<long> expected;
  for (long i = 0; i < 300; ++i) {
    e.send(p, go{10 * i});
    e.send(p, 10 * i + 3);
    for (long k = 0; k < 4; ++k) expected.push_back(10 * i + k);
  }
  require_idle(e);
  CHECK(book == expected);
}

TEST_CASE("commit: where a handler must not wait it is told so, and its engine's end ends it", "[law8]") {
  std::vector<std::string> texts;
  engine e(quiet_options(1));
  const auto note = [&texts](auto& self) {
    try {
      self.commit();
    } catch (const usage_error& u) {
      texts.emplace_back(u.what());
    }
  };
  const auto a = e.create<go>([note](auto& self, const go& m) {
    if (m.n == 0) self.stop();
    if (m.n != 1) return note(self);
    try {
      throw std::runtime_error("caught");
    } catch (const std::runtime_error&) {
      note(self);
    }
  });
  e.send(a, go{1});
  e.send(a, go{2});
  e.send(a, go{0});
  require_idle(e);
  REQUIRE(texts.size() == 2);
  CHECK(texts[0].starts_with("self.commit: not in a catch block"));
  CHECK(texts[1].starts_with("self.commit: the handler has called become or stop"));

  std::atomic<bool> has_begun{false};
  std::atomic<int> ended{0};
  {
    engine other(quiet_options(2));
    const auto b = other.create<go>([&](auto& self, const go&) {
      has_begun = true;
      try {
        for (;;) self.commit();
      } catch (const ask_error& err) {
        if (err.reason() == failure_reason::engine_ended) ++ended;
      }
    });
    other.send(b, go{0});
    while (!has_begun) std::this_thread::yield();
    CHECK(other.cancel(generous));
  }
  CHECK(ended == 1);
}

TEST_CASE("commit: behind it the context is the same, whether it is over or not, and the request is still owed") {
  TACT_FOR_EACH_WORKER_COUNT(workers);
  engine e(quiet_options(workers));
  std::atomic<int> steps{0};
  const auto goes_on = [&steps](auto& self) {
    for (int i = 0; i < 3; ++i) {
      self.commit();
      if (self.context().trace() == 5) ++steps;
    }
  };
  const auto asked = e.create<request<number>>([=](auto& self, const request<number>& m) {
    goes_on(self);
    self.reply(m, m.body.n);
  });
  const auto told = e.create<go>([=](auto& self, const go&) { goes_on(self); });
  const cancel_flag flag;
  const auto in = context().with_trace(5).with_flag(flag);
  with_context(in, [&] {
    CHECK(e.ask(asked, number{7}) == 7);
    flag.request_stop();
    e.send(told, go{0});
  });
  require_idle(e);
  CHECK(steps == 6);
}

TEST_CASE("commit: in a simulation a handler that throws at each of its steps has committed those before") {
  long thrown_in_handler = 0;
  for (std::uint64_t step = 1; step < 12; ++step) {
    engine_options options = quiet_options(2);
    options.on_failure = [&](const failure_report& r) { thrown_in_handler += r.message == "long" ? 0 : 1; };
    simulation sim(step);
    engine& e = sim.engine(options);
    sim.throw_at(step);
    long sum = 0;
    long committed = 0;
    const auto total = e.create<long>([&sum](auto&, const long& n) { sum += n; });
    const auto a = e.create<go>([total, &committed](auto& self, const go&) {
      for (long n = 0; n < 3; ++n) {
        self.send(total, 1L);
        self.commit();
        ++committed;
      }
    });
    e.send(a, go{0});
    e.wait_idle();
    INFO("step=" << step);
    CHECK(sum == committed);
  }
  CHECK(thrown_in_handler >= 4);  // at each of its three commits, and at its end
}

}  // namespace parked_commit_test
