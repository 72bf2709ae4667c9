// A small program with everything in it that an engine does, for tests of the simulation.
#pragma once

#include <functional>

#include "support/engine_fixture.hpp"

namespace tact::simulated_tests {

using namespace tact::support;

struct deposit {
  long cents;
};
struct balance {
  using reply = long;
};
struct account : protocol<deposit, request<balance>> {};

inline behavior<account> open_account(long cents) {
  return {
      [=](tact::self<account>& self, const deposit& m) { self.become(open_account(cents + m.cents)); },
      [=](auto& self, const request<balance>& m) { self.reply(m, cents); },
  };
}

struct pay {
  ref<account> to;
  long cents;
};
struct clerk : protocol<pay> {};

// Sends, creates, asks by a beta, becomes.
inline behavior<clerk> hire_clerk(long paid) {
  return {[=](tact::self<clerk>& self, const pay& m) {
    self.send(m.to, deposit{m.cents});
    const auto after = self.create(open_account(paid), tact::parallel);
    self.send(after,
              request<balance>{self.beta([to = m.to](tact::transaction& tx, long) { tx.send(to, deposit{0}); }), {}});
    self.become(hire_clerk(paid + m.cents));
  }};
}

struct line {
  int number;
};
class archive : public tact::actor<archive, line> {
 public:
  void receive(tact::self<archive>&, const line& m) { sum_ += m.number; }

 private:
  long sum_ = 0;
};

// All of it, on any engine; returns what came out, which must be `payments`.
inline long work(engine& e, long payments) {
  const auto a = e.create(open_account(0), tact::parallel);
  const auto c = e.create(hire_clerk(0), tact::parallel);
  const auto kept = e.spawn<archive>();
  const auto slow = e.spawn<archive>(blocking);
  for (int i = 0; i < payments; ++i) {
    e.send(c, pay{a, 1});
    e.send(kept, line{i});
    e.send(slow, line{i});
  }
  e.wait_idle();
  return e.ask(a, balance{});
}

// No seed breaks it.
inline void require_in_every_order(int seeds, const std::function<void(tact::simulation&)>& program) {
  TACT_SEEDED(seed);
  const nothing_left left;
  const auto e = tact::explore(static_cast<std::uint64_t>(scaled(seeds)), program, {.seed = seed, .prints = false});
  INFO(e.text());
  REQUIRE(!e.failed);
}

}  // namespace tact::simulated_tests
