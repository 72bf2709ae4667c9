// Context: what travels with a task from message to message.
#include "tact/context.hpp"

#include <array>
#include <atomic>
#include <memory>
#include <string>
#include <utility>
#include <vector>

#include "support/catch.hpp"
#include "support/engine_fixture.hpp"

namespace context_test {

using namespace tact::support;
using namespace std::chrono_literals;

namespace {

struct customer {
  int number;
};

// One message of each shape, and a request.
struct small {};
struct text {
  std::string words;
};
struct large {
  std::array<char, 200> bytes;
};
struct shared : tact::message {};
struct who {
  using reply = int;
};
struct post : tact::protocol<small, text, large, shared, tact::request<who>> {};

int number_in(const tact::context& c) {
  const customer* found = c.find<customer>();
  return found == nullptr ? 0 : found->number;
}

using seen = std::vector<std::atomic<int>>;

// Notes for which task the message is, and passes it on `left` times.
tact::behavior<post> relay(seen& at, tact::ref<post> next) {
  const auto note = [&at](tact::transaction& tx, std::size_t shape) {
    ++at[static_cast<std::size_t>(number_in(tx.context())) * 4 + shape];
  };
  return {
      [=](tact::transaction& tx, const small& m) {
        note(tx, 0);
        if (next) tx.send(next, m);
      },
      [=](tact::transaction& tx, const text& m) {
        note(tx, 1);
        if (next) tx.send(next, m);
      },
      [=](tact::transaction& tx, const large& m) {
        note(tx, 2);
        if (next) tx.pass_on(next, m);
      },
      [=](tact::transaction& tx, const shared& m) {
        note(tx, 3);
        if (next) tx.pass_on(next, m);
      },
      [=](tact::transaction& tx, const tact::request<who>& m) { tx.reply(m, number_in(tx.context())); },
  };
}

tact::context of(int number) { return tact::context().with(customer{number}); }

}  // namespace

TEST_CASE("context: what was added is found, the last of a kind first", "[api]") {
  const tact::context none;
  CHECK_FALSE(none);
  CHECK(none.find<customer>() == nullptr);
  CHECK(none.trace() == 0);
  CHECK_FALSE(none.deadline());
  CHECK_FALSE(none.is_over());

  const auto first = none.with(customer{1}).with_trace(17);
  const auto second = first.with(std::string("two")).with(customer{2});
  CHECK(number_in(first) == 1);
  CHECK(first.find<std::string>() == nullptr);
  CHECK(number_in(second) == 2);
  CHECK(*second.find<std::string>() == "two");
  CHECK(second.trace() == 17);
  CHECK(second.with_trace(18).trace() == 18);
  CHECK(second == tact::context(second));
  CHECK_FALSE(first == second);
}

TEST_CASE("context: the earlier deadline holds, and any flag around cancels", "[api]") {
  const auto now = std::chrono::steady_clock::now();
  const auto soon = tact::context().with_deadline(now + 1h).with_deadline(now + 2h);
  CHECK(soon.deadline() == now + 1h);
  CHECK_FALSE(soon.is_over());
  CHECK(soon.with_deadline(now).is_over());
  CHECK_FALSE(soon.with_deadline(now).stop_requested());

  const tact::cancel_flag outer, inner, other;
  const auto c = soon.with_flag(outer).with(customer{1}).with_flag(inner).with_trace(3);
  const auto beside = soon.with_flag(other);
  CHECK_FALSE(c.stop_requested());
  const tact::cancel_flag copy = outer;
  CHECK(copy.request_stop());
  CHECK_FALSE(outer.request_stop());
  CHECK(c.stop_requested());
  CHECK(c.is_over());
  CHECK_FALSE(beside.stop_requested());
  inner.request_stop();
  CHECK(c.stop_requested());
}

TEST_CASE("context: the names before request_stop and stop_requested still do the same", "[api]") {
#pragma GCC diagnostic push
#pragma GCC diagnostic ignored "-Wdeprecated-declarations"
  const tact::cancel_flag flag;
  const auto c = tact::context().with_flag(flag);
  CHECK_FALSE(flag.cancelled());
  flag.cancel();
  CHECK(flag.cancelled());
  CHECK(c.cancelled());
#pragma GCC diagnostic pop
  CHECK(c.stop_requested());
}

TEST_CASE("context: its values go with the last of those who hold it, however long the chain", "[api]") {
  tact::context kept;
  {
    auto c = tact::context().with(tracked());
    kept = c.with_trace(1);
    for (int i = 0; i < 1'000'000; ++i) c = c.with_trace(2);
  }
  CHECK(tracked::alive == 1);
  kept = {};
  CHECK(tracked::alive == 0);
}

TEST_CASE("context: travels with messages of every shape, to actors of every placement", "[api]") {
  TACT_FOR_EACH_WORKER_COUNT(workers);
  constexpr int customers = 5;
  seen at((customers + 1) * 4);
  shared by_reference[customers + 1];
  tact::engine engine(quiet_options(workers));
  const auto last = engine.create(relay(at, {}), tact::blocking);
  const auto third = engine.create(relay(at, last));
  const auto second = engine.create(relay(at, third), tact::heavy);
  const auto first = engine.create(relay(at, second), tact::parallel);
  for (int n = 0; n <= customers; ++n) {
    const auto send_all = [&] {
      engine.send(first, small{});
      engine.send(first, text{"a text that lies elsewhere, as it has more than a few letters"});
      first | large{} | by_reference[n];
    };
    n == 0 ? send_all() : tact::with_context(of(n), send_all);
  }
  CHECK_FALSE(tact::current_context());
  require_idle(engine);
  for (const auto& times : at) CHECK(times == 4);
}

TEST_CASE("context: a beta runs in the one in which it was made, and so does on_commit", "[api]") {
  struct go {};
  std::atomic<int> in_beta{-1}, in_failure{-1}, in_commit{-1}, after{-1}, heard{-1};
  tact::engine engine(quiet_options(2));
  seen at(4);
  const auto desk = engine.create(relay(at, {}), tact::parallel);
  const auto clerk =
      engine.create(tact::behavior<go>([&, desk](tact::self<go>& self, const go&) {
                      const auto answer = [&](tact::transaction& tx, int number) {
                        in_beta = number_in(tx.context());
                        heard = number;
                      };
                      const auto customer = self.beta(answer);
                      const auto failed = self.beta(
                          [](tact::transaction&, int) {},
                          [&](tact::transaction& tx, const tact::failure&) { in_failure = number_in(tx.context()); });
                      tact::with_context(of(9), [&] {
                        self.send(desk, tact::request<who>{customer, {}});
                        self.send(tact::ref<tact::request<who>>{}, tact::request<who>{failed, {}});
                        self.on_commit([&](tact::transaction& tx) { in_commit = number_in(tx.context()); });
                      });
                      after = number_in(self.context());
                    }),
                    tact::parallel);
  tact::with_context(of(4), [&] { engine.send(clerk, go{}); });
  require_idle(engine);
  CHECK(heard == 9);  // the request was sent in another one
  CHECK(in_beta == 4);
  CHECK(in_failure == 4);
  CHECK(in_commit == 9);
  CHECK(after == 4);
}

TEST_CASE("context: an ask carries it, and brings back none", "[api]") {
  tact::engine engine(quiet_options(1));
  seen at(4);
  const auto desk = engine.create(relay(at, {}), tact::parallel);
  CHECK(engine.ask(desk, who{}) == 0);
  CHECK(tact::with_context(of(3), [&] {
          return tact::with_context(of(7), [&] { return engine.ask(desk, who{}); }) + engine.ask(desk, who{});
        }) == 10);
  CHECK_FALSE(tact::current_context());
}

TEST_CASE("context: a serializer lets each request through in the one of who asked", "[api]") {
  tact::engine engine(quiet_options(2));
  constexpr int customers = 50;
  std::vector<std::atomic<int>> heard(customers);
  seen at(4);
  const auto desk = engine.create(relay(at, {}), tact::parallel);
  const auto gate = engine.create(tact::serializer<who>(desk));
  const auto clerk = engine.create(tact::behavior<small>([&, gate](tact::transaction& tx, const small&) {
                                     tx.ask(gate, who{}, [&](tact::transaction& then, int number) {
                                       if (number == number_in(then.context()))
                                         ++heard[static_cast<std::size_t>(number)];
                                     });
                                   }),
                                   tact::parallel);
  for (int n = 0; n < customers; ++n) tact::with_context(of(n), [&] { engine.send(clerk, small{}); });
  require_idle(engine);
  for (const auto& times : heard) CHECK(times == 1);
}

TEST_CASE("context: a timer's message carries the one in which it was set", "[api]") {
  const nothing_left left;
  seen at(3 * 4);
  tact::engine engine(quiet_options(2));
  const auto last = engine.create(relay(at, {}), tact::parallel);
  const auto first = engine.create(tact::behavior<small>([last](tact::transaction& tx, const small& m) {
                                     tx.send_after(0s, last, m);
                                     tx.send_after(1h, last, m);
                                   }),
                                   tact::parallel);
  engine.send_after(0s, last, small{});
  tact::with_context(of(1).with(tracked()), [&] {
    engine.send(first, small{});
    engine.send_after(0s, last, small{});
    engine.send_after(1h, last, small{});
  });
  tact::timer often;
  tact::with_context(of(2).with(tracked()), [&] { often = engine.send_every(1ms, last, small{}); });
  const auto end = std::chrono::steady_clock::now() + generous;
  while ((at[0] < 1 || at[4] < 2 || at[8] < 3) && std::chrono::steady_clock::now() < end) std::this_thread::yield();
  CHECK(often.cancel());
  require_idle(engine);
  CHECK(at[0] == 1);
  CHECK(at[4] == 2);
  CHECK(at[8] >= 3);
}

TEST_CASE("context: a handler without one sends without one, also behind a run that had one", "[api]") {
  seen at(3 * 4);
  tact::engine engine(quiet_options(1));
  const auto last = engine.create(relay(at, {}), tact::parallel);
  const auto first = engine.create(relay(at, last), tact::parallel);
  for (int round = 0; round < 100; ++round) {
    engine.send(first, small{});
    tact::with_context(of(1), [&] { engine.send(first, small{}); });
    engine.send(first, small{});
    tact::with_context(of(2), [&] { engine.send(first, small{}); });
  }
  require_idle(engine);
  CHECK(at[0] == 400);
  CHECK(at[4] == 200);
  CHECK(at[8] == 200);
}

TEST_CASE("context: a run that throws, or discards what it staged, leaves none behind", "[api]") {
  struct go {
    bool throws;
  };
  std::atomic<int> arrived{0};
  {
    tact::engine engine(quiet_options(2));
    const auto last = engine.create(tact::behavior<text>([&](tact::transaction& tx, const text&) {
                                      if (tx.context().find<tracked>() != nullptr) ++arrived;
                                    }),
                                    tact::parallel);
    const auto first = engine.create(tact::behavior<go>([&, last](tact::self<go>& self, const go& m) {
                                       self.send(last, text{"never"});
                                       tact::with_context(tact::context().with(tracked()), [&] {
                                         self.send(last, text{"never"});
                                         self.on_commit([] {});
                                       });
                                       self.discard();
                                       self.send(last, text{"perhaps"});
                                       if (m.throws) throw std::runtime_error("no");
                                     }),
                                     tact::parallel);
    tact::with_context(tact::context().with(tracked()), [&] {
      for (int i = 0; i < 100; ++i) engine.send(first, go{i % 2 == 0});
      engine.send(tact::ref<text>{}, text{"dead"});
    });
    require_idle(engine);
    CHECK(arrived == 50);
    CHECK(engine.statistics().dead_letters == 1);
  }
  CHECK(tracked::alive == 0);
}

TEST_CASE("context: goes to the actors of another engine, and ends with what a cancelled one did not deliver",
          "[api]") {
  std::atomic<int> arrived{0};
  {
    tact::engine there(quiet_options(1));
    tact::engine here(quiet_options(1));
    const auto last = there.create(tact::behavior<text>([&](tact::transaction& tx, const text&) {
                                     if (tx.context().find<tracked>() != nullptr) ++arrived;
                                   }),
                                   tact::parallel);
    const auto first = here.create(
        tact::behavior<text>([last](tact::transaction& tx, const text& m) { tx.send(last, m); }), tact::parallel);
    tact::with_context(tact::context().with(tracked()), [&] { here.send(first, text{"far"}); });
    require_idle(here);
    require_idle(there);
    here.cancel();
    tact::with_context(tact::context().with(tracked()), [&] {
      here.send(first, text{"too late"});
      there.send(last, text{"perhaps"});
    });
    there.cancel();
  }
  CHECK(arrived >= 1);
  CHECK(tracked::alive == 0);
}

}  // namespace context_test
