// Whichever piece of memory the library asks for is refused, in a simulation: there nothing is kept in pools, so each
// block and each chunk is asked for, and a seed repeats it. docs/out_of_memory.md.
#include "scarce_memory/town.hpp"

namespace memory_test {

using namespace std::chrono_literals;
using namespace tact::memory_tests;

namespace {

// False: there was no such piece.
bool survives(std::uint64_t seed, std::uint64_t nth) {
  attempts attempt;
  auto options = quiet_options(2);
  options.blocking_max = 4;
  tact::simulation sim(seed);
  {
    tact::engine& one = sim.engine(options);
    tact::engine other(options);
    sim.fail_allocation(nth);
    use_everything(one, other, attempt, [&] { sim.run(); });
    for (int i = 0; i < 3; ++i) {  // each may send to the other
      one.wait_idle();
      other.wait_idle();
    }
    require_accounted(one);
    require_accounted(other);
  }
  sim.end();
  return sim.has_failed_allocation();
}

}  // namespace

TEST_CASE("simulation: whichever piece of memory is refused, every message is accounted for, and nothing is left",
          "[law4][law8][law11]") {
  TACT_SEEDED(seed);
  for (std::uint64_t s = seed; s < seed + static_cast<std::uint64_t>(scaled(30)); ++s) {
    std::uint64_t nth = 1;
    for (bool refused = true; refused; ++nth) {
      INFO("piece of memory number " << nth << ", seed=" << s);
      const nothing_left left;
      refused = survives(s, nth);
    }
    CHECK(nth > 150);
  }
}

namespace {

struct hold {
  using reply = int;
};
struct release {};
struct keeper : tact::actor<keeper, tact::request<hold>, release> {
  void receive(tact::self<keeper>& self, const tact::request<hold>& m) {
    waiting_.push_back(m.customer);
    self.defer(m);
  }
  void receive(tact::self<keeper>& self, const release&) {
    for (const auto& one : waiting_) self.send(one, 1);
    waiting_.clear();
  }

 private:
  std::vector<tact::ref<int>> waiting_;
};
struct begin {};
struct query {
  using reply = int;
  int number;
  tracked kept{};
};
struct waiter : tact::protocol<begin, tact::request<query>> {};
struct arm {};

constexpr int mailboxes = 3;
tact::ref<waiter> create_waiter(tact::scope& in, tact::ref<keeper> k, int mailbox) {
  tact::behavior<waiter> b{
      [k](tact::self<waiter>& self, const begin&) { static_cast<void>(self.ask(k, hold{})); },
      [](tact::self<waiter>& self, const tact::request<query>& m) { self.reply(m, m.body.number); }};
  switch (mailbox) {
    case 0:
      return in.create(std::move(b));
    case 1:
      return in.create(std::move(b),
                       tact::by_priority([](const tact::request<query>& m) { return m.body.number % 4; }));
    default:
      return in.create(std::move(b), tact::mailbox_limit{.messages = 1'000, .when_full = tact::when_full::drop_oldest});
  }
}

// One piece of memory is refused, so the second attempt has all it needs.
template <class F>
void insist(F f) {
  try {
    f();
  } catch (const std::bad_alloc&) {
    f();
  }
}

// Requests, and the order to end, are put aside while an actor waits, and there is no memory for one of them: the piece
// `nth` is refused when all have begun to wait. False: there was no such piece.
bool tells_askers(std::uint64_t seed, std::uint64_t nth, int mailbox) {
  constexpr int actors = 4;
  tact::simulation sim(seed);
  {
    tact::engine& e = sim.engine(quiet_options(1));
    const auto k = e.spawn<keeper>();
    const auto armed = e.create(tact::behavior<arm>{[&](auto&, const arm&) { sim.fail_allocation(nth); }});
    {
      int told = 0;
      tact::scope all(e);
      std::vector<tact::ref<waiter>> waiters;
      for (int i = 0; i < actors; ++i) waiters.push_back(create_waiter(all, k, mailbox));
      for (const auto& one : waiters) e.send(one, begin{});
      static_cast<void>(e.wait_idle(1s));
      std::vector<std::future<int>> asked;
      e.send(armed, arm{});
      for (int i = 0; i < 2 * actors; ++i) {
        const auto& to = waiters[static_cast<std::size_t>(i % actors)];
        insist([&] { asked.push_back(e.ask_future(to, query{i})); });
      }
      all.end();
      static_cast<void>(e.wait_idle(1s));
      insist([&] { e.send(k, release{}); });
      e.wait_idle();
      for (auto& one : asked) {
        if (one.wait_for(0s) != std::future_status::ready) continue;
        try {
          static_cast<void>(one.get());
        } catch (const tact::ask_error&) {
          // It was told that there is no answer.
        }
        ++told;
      }
      CHECK(told == 2 * actors);
    }
    require_accounted(e);
  }
  sim.end();
  return sim.has_failed_allocation();
}

}  // namespace

TEST_CASE(
    "simulation: what is put aside for an actor that waits is answered or refused, and ends it, without memory too",
    "[law4][law8][law11]") {
  TACT_SEEDED(seed);
  for (int mailbox = 0; mailbox < mailboxes; ++mailbox) {
    for (std::uint64_t s = seed; s < seed + static_cast<std::uint64_t>(scaled(10)); ++s) {
      std::uint64_t nth = 1;
      for (bool refused = true; refused; ++nth) {
        INFO("piece of memory number " << nth << ", mailbox " << mailbox << ", seed=" << s);
        const nothing_left left;
        refused = tells_askers(s, nth, mailbox);
      }
      CHECK(nth > 4);
    }
  }
}

}  // namespace memory_test
