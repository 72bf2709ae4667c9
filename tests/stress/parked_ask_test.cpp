// Handlers that wait for answers, their stacks put aside: which other handlers go on meanwhile.
#include <atomic>
#include <chrono>
#include <memory>
#include <stdexcept>
#include <string>
#include <vector>

#include "stress/parked_ask.hpp"

namespace parked_ask_test {

using namespace tact::parked_tests;
using namespace tact;

TEST_CASE("parked ask: a handler goes on with the answer, and both its segments take effect") {
  TACT_FOR_EACH_WORKER_COUNT(workers);
  engine e(quiet_options(workers));
  const auto wise = e.create(open_oracle(), tact::parallel);
  const auto total = e.create(open_sum(0));
  const auto open_caller = [=]() -> behavior<caller> {
    return {[=](auto& self, const go& m) {
              self.send(total, 1L);
              const long answer = self.ask(wise, number{m.n});
              self.send(total, answer * 1000);
              self.ask(wise, wave{});
              self.send(total, self.ask(wise, number{m.n}) * 1'000'000);
            },
            [](auto& self, const request<look>& m) { self.reply(m, 0L); }};
  };
  const auto parallel_one = e.create(open_caller(), tact::parallel);
  const auto ordered_one = e.create(open_caller());
  constexpr long times = 200;
  for (long i = 0; i < times; ++i) e.send(i % 2 == 0 ? parallel_one : ordered_one, go{i});
  require_idle(e);
  const long twice = times * (times - 1);
  CHECK(e.ask(total, look{}) == times + twice * 1000 + twice * 1'000'000);
}

TEST_CASE("parked ask: handlers that wait do not notice workers that come and go", "[workers]") {
  TACT_SEEDED(seed);
  auto options = quiet_options(2);
  options.workers_max = 8;
  engine e(options);
  std::atomic<bool> stop{false};
  const auto wise = e.create(open_oracle());
  const auto total = e.create(open_sum(0));
  const auto open_caller = [=]() -> behavior<caller> {
    return {[=](auto& self, const go& m) {
              const long answer = self.ask(wise, number{m.n});
              self.send(total, answer + self.ask(wise, number{m.n}));
            },
            [](auto& self, const request<look>& m) { self.reply(m, 0L); }};
  };
  std::vector<ref<caller>> callers;
  for (int i = 0; i < 16; ++i)
    callers.push_back(i % 2 == 0 ? e.create(open_caller(), tact::parallel) : e.create(open_caller()));
  std::thread changer([&] {
    dice d(seed);
    while (!stop) e.set_workers(1 + d.below(8));
  });
  const long times = scaled(5'000);
  for (long i = 0; i < times; ++i) e.send(callers[static_cast<std::size_t>(i) % callers.size()], go{i});
  const bool idle = e.wait_idle(generous);
  stop = true;
  changer.join();
  REQUIRE(idle);
  require_accounted(e);
  CHECK(e.ask(total, look{}) == 2 * times * (times - 1));
}

TEST_CASE("parked ask: what comes for a classic or ordered actor that waits is handled afterwards, in order") {
  TACT_SEEDED(seed);
  std::atomic<long> came{0};  // requests that the keeper has
  TACT_FOR_EACH_WORKER_COUNT(workers);
  struct diary : actor<diary, go, long> {
    diary(ref<keeping> k, std::shared_ptr<std::vector<long>> b) : keeper_(k), book_(std::move(b)) {}
    void receive(self<diary>& self, const go& m) {
      inside_ = true;
      book_->push_back(self.ask(keeper_, number{m.n}));
      book_->push_back(self.ask(keeper_, number{m.n + 1}));
      inside_ = false;
    }
    void receive(self<diary>&, long n) {
      if (inside_) throw std::logic_error("a message was handled while another one waits");
      book_->push_back(n);
    }
    ref<keeping> keeper_;
    std::shared_ptr<std::vector<long>> book_;
    bool inside_ = false;
  };
  engine e(quiet_options(workers));
  const auto book = std::make_shared<std::vector<long>>();
  const auto keeper = e.spawn<keeping>(seed, came);
  const auto d = e.spawn<diary>(keeper, book);
  constexpr long letters = 500;  // more than a chunk
  e.send(d, long{-1});
  e.send(d, go{100'000});
  for (long i = 0; i < letters; ++i) e.send(d, long{i});
  e.send(d, go{200'000});
  e.send(d, letters);
  while (!e.wait_idle(std::chrono::milliseconds(1))) e.send(keeper, answer_all{});
  require_idle(e);
  std::vector<long> expected{-1, 200'000, 200'002};
  for (long i = 0; i < letters; ++i) expected.push_back(i);
  for (const long n : {400'000L, 400'002L, letters}) expected.push_back(n);
  CHECK(*book == expected);
}

TEST_CASE("parked ask: ten thousand handlers wait at once, and are answered in any order") {
  TACT_SEEDED(seed);
  std::atomic<long> came{0};  // requests that the keeper has
  const unsigned workers = GENERATE(1u, 2u, 8u);
  CAPTURE(workers);
  engine e(quiet_options(workers));
  const auto keeper = e.spawn<keeping>(seed, came);
  const auto total = e.create(open_sum(0));
  const auto open_caller = [=]() -> behavior<caller> {
    return {[=](auto& self, const go& m) {
              const long local = m.n;
              const long answer = self.ask(keeper, number{m.n});
              self.send(total, answer == 2 * local && local == m.n ? 1L : 1'000'000L);
            },
            [](auto& self, const request<look>& m) { self.reply(m, 0L); }};
  };
  const auto one = e.create(open_caller(), tact::parallel);
  constexpr long waiters = sanitized ? 1'000 : 10'000;
  for (int round = 1; round <= 2; ++round) {
    for (long i = 0; i < waiters; ++i) e.send(one, go{i});
    wait_until(e, [&] { return came == round * waiters; });
    CHECK_FALSE(e.wait_idle(std::chrono::milliseconds(0)));  // the message whose handler waits is in flight
    CHECK(e.statistics().waiting == static_cast<std::uint64_t>(waiters));
    e.send(keeper, answer_all{});
    require_idle(e);
    CHECK(e.ask(total, look{}) == round * waiters);
  }
  CHECK(e.statistics().waiting == 0);
  wait_until(e, [&] { return e.statistics().stacks == 0; });
}

TEST_CASE("parked ask: more handlers wait at once than a process may have pairs of mappings") {
  if (sanitized || !guards_are_cheap()) TACT_SKIP("a sanitizer, or guard pages that cost mappings");
  constexpr long waiters = 40'000;
  std::atomic<long> came{0};  // requests that the keeper has
  engine e(quiet_options(2));
  const auto keeper = e.spawn<keeping>(std::uint64_t{1}, came);
  const auto total = e.create(open_sum(0));
  const auto one =
      e.create(behavior<caller>{[=](auto& self, const go& m) {
                                  self.send(total, self.ask(keeper, number{m.n}) == 2 * m.n ? 1L : 1'000'000L);
                                },
                                [](auto& self, const request<look>& m) { self.reply(m, 0L); }},
               tact::parallel);
  for (long i = 0; i < waiters; ++i) e.send(one, go{i});
  wait_until(e, [&] { return came == waiters; });
  const auto all_wait = e.statistics();
  CHECK(all_wait.waiting == static_cast<std::uint64_t>(waiters));
  CHECK(all_wait.bytes_held >= waiters * 4096);
  e.send(keeper, answer_all{});
  require_idle(e);
  CHECK(e.ask(total, look{}) == waiters);
  // Each worker gives back what it keeps when it goes to sleep, one after the other.
  wait_until(e, [&] { return e.statistics().stacks == 0 && e.statistics().bytes_held < waiters * 1024; });
}

TEST_CASE("parked ask: a parallel actor goes on, becomes and ends while its handlers wait in old behaviours") {
  TACT_SEEDED(seed);
  std::atomic<long> came{0};  // requests that the keeper has
  TACT_FOR_EACH_WORKER_COUNT(workers);
  const nothing_left check;
  struct grow {};
  struct end {};
  struct plant : protocol<go, grow, end> {};
  struct make {
    static behavior<plant> open(ref<keeping> keeper, ref<sum> total, std::shared_ptr<std::string> text, tracked t) {
      return {[=](auto& self, const go& m) {
                const long before = static_cast<long>(text->size());
                const long answer = self.ask(keeper, number{m.n});
                self.send(total, before == static_cast<long>(text->size()) && answer == 2 * m.n ? 1L : 1'000'000L);
                static_cast<void>(t);
              },
              [=](self<plant>& self, const grow&) {
                self.become(open(keeper, total, std::make_shared<std::string>(*text + "."), t));
              },
              [](self<plant>& self, const end&) { self.stop(); }};
    }
  };
  engine e(quiet_options(workers));
  const auto keeper = e.spawn<keeping>(seed, came);
  const auto total = e.create(open_sum(0));
  const auto p = e.create(make::open(keeper, total, std::make_shared<std::string>("x"), {}), tact::parallel);
  constexpr int rounds = 30;
  for (int i = 0; i < rounds; ++i) {
    e.send(p, go{i});
    for (int n = 0; n < 20; ++n) e.send(p, grow{});
  }
  wait_until(e, [&] { return came == rounds; });
  e.send(p, end{});
  wait_until(e, [&] { return e.statistics().in_flight() == rounds; });
  e.send(keeper, answer_all{});
  require_idle(e);
  CHECK(e.ask(total, look{}) == rounds);
}

TEST_CASE("parked ask: continuations, handlers of failures and blocking actors wait as well") {
  TACT_FOR_EACH_WORKER_COUNT(workers);
  struct hearer : protocol<go, failure> {};
  engine e(quiet_options(workers));
  const auto wise = e.create(open_oracle(), tact::parallel);
  const auto total = e.create(open_sum(0));
  const auto open = [=]() -> behavior<hearer> {
    return {[=](auto& self, const go& m) {
              self.send(wise, request<number>{self.beta([=](auto& tx, long n) {
                                                const long twice = tx.ask(wise, number{n});
                                                tx.send(total, twice);
                                              }),
                                              {m.n}});
              self.on_commit([=](transaction& tx) { tx.send(total, tx.ask(wise, number{1})); });
            },
            [=](auto& self, const failure&) { self.send(total, self.ask(wise, number{500})); }};
  };
  const std::vector<ref<hearer>> all{e.create(open(), tact::parallel), e.create(open()), e.create(open(), blocking)};
  for (const auto h : all) {
    for (long i = 0; i < 10; ++i) e.send(h, go{i});
    e.send(h, failure{failure_reason::unanswered, "told by the test"});
  }
  require_idle(e);
  CHECK(e.ask(total, look{}) == 3 * (45 * 4 + 10 * 2 + 1000));
}

TEST_CASE("parked ask: random towns of actors that ask each other lose nothing while shards move") {
  TACT_SEEDED(seed);
  TACT_FOR_EACH_WORKER_COUNT(workers);
  dice chance(seed);
  engine e(quiet_options(workers));
  const auto total = e.create(open_sum(0));
  // Each asks only actors of a lower rank, so that no actor waits for itself.
  struct citizen : protocol<request<number>> {};
  std::vector<ref<citizen>> town;
  const auto open = [=](std::vector<ref<citizen>> lower) -> behavior<citizen> {
    return {[=](auto& self, const request<number>& m) {
      long answer = 1;
      auto n = static_cast<std::size_t>(m.body.n);
      for (int times = 0; times < 2 && !lower.empty(); ++times) {
        n = n * 7 + 3;
        const std::string kept = "kept on the stack " + std::to_string(n);
        answer += self.ask(lower[n % lower.size()], number{static_cast<long>(n % 1009)});
        if (kept != "kept on the stack " + std::to_string(n)) answer += 1'000'000'000;
      }
      self.reply(m, answer);
    }};
  };
  for (unsigned rank = 0; rank < 5; ++rank) {
    const auto lower = town;
    for (unsigned i = 0; i < 4; ++i) {
      town.push_back(chance.below(2) == 0 ? e.create(open(lower), tact::parallel) : e.create(open(lower)));
    }
  }
  const auto first = e.create(
      behavior<caller>{[=](auto& self, const go& m) {
                         self.send(total, self.ask(town[static_cast<std::size_t>(m.n) % town.size()], number{m.n}));
                       },
                       [](auto& self, const request<look>& m) { self.reply(m, 0L); }},
      tact::parallel);
  const long times = scaled(400);
  for (long i = 0; i < times; ++i) e.send(first, go{i});
  require_idle(e);
  const auto answer_of = [](std::size_t citizen, long asked, auto& same) -> long {
    const std::size_t lower = citizen / 4 * 4;
    auto n = static_cast<std::size_t>(asked);
    long answer = 1;
    for (int asks = 0; asks < 2 && lower != 0; ++asks) {
      n = n * 7 + 3;
      answer += same(n % lower, static_cast<long>(n % 1009), same);
    }
    return answer;
  };
  long expected = 0;
  for (long i = 0; i < times; ++i) expected += answer_of(static_cast<std::size_t>(i) % town.size(), i, answer_of);
  CHECK(e.ask(total, look{}) == expected);
}

}  // namespace parked_ask_test
