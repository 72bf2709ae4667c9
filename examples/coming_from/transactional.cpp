// An account as a transactional actor, and a watcher that hears of its end: docs/coming_from.md.
#include <optional>
#include <stdexcept>
#include <tact/tact.hpp>

namespace {

struct deposit {
  long cents;
};
struct withdraw {
  using reply = long;  // what is left
  long cents;
};
struct balance {
  using reply = long;
};
struct shut {};
struct account : tact::protocol<deposit, tact::request<withdraw>, tact::request<balance>, shut> {};

tact::behavior<account> open_account(long cents) {
  return {
      [=](tact::self<account>& self, const deposit& m) { self.become(open_account(cents + m.cents)); },
      [=](tact::self<account>& self, const tact::request<withdraw>& m) {
        if (m.body.cents > cents) throw std::runtime_error("the account does not hold so much");
        self.become(open_account(cents - m.body.cents));
        self.reply(m, cents - m.body.cents);
      },
      [=](auto& self, const tact::request<balance>& m) { self.reply(m, cents); },
      [](tact::self<account>& self, const shut&) { self.stop(); },
  };
}

// Notes outside of itself why an actor has ended: an effect that cannot be undone, so it waits for the commit.
tact::behavior<tact::ended> watch(std::optional<tact::end_reason>& heard) {
  return {[&heard](auto& self, const tact::ended& m) { self.on_commit([&heard, why = m.reason] { heard = why; }); }};
}

}  // namespace

int main() {
  std::optional<tact::end_reason> heard;
  tact::engine engine;
  const auto a = engine.create(open_account(0));  // it keeps the order of each sender
  engine.monitor(a, engine.create(watch(heard)));
  engine.send(a, deposit{100});
  bool right = engine.ask(a, withdraw{30}) == 70;
  try {
    engine.ask(a, withdraw{500});
    right = false;
  } catch (const tact::ask_error&) {  // the handler threw; a line on stderr says so as well
  }
  right = right && engine.ask(a, balance{}) == 70;  // and the account is as it was
  engine.send(a, shut{});
  engine.wait_idle();  // everything has been handled, and what handlers wrote is visible here
  return right && heard == tact::end_reason::stopped ? 0 : 1;
}
