// A bank's counter with more messages than an account has, an account that refuses one of them, a front that answers
// one message itself, and a turnstile that is locked again when nobody passes.
#include <chrono>
#include <string>
#include <tact/patterns.hpp>
#include <tact/tact.hpp>

using namespace std::chrono_literals;

struct deposit {
  int cents;
};
struct balance {
  using reply = int;
};
struct account : tact::protocol<deposit, tact::request<balance>> {};

// The handlers of an account, for every protocol that has its messages; `again` makes the whole with another balance.
constexpr auto keeping = [](int cents, auto again) {
  return tact::handlers{
      [=](auto& self, const deposit& m) { self.become(again(cents + m.cents)); },
      [=](auto& self, const tact::request<balance>& m) { self.reply(m, cents); },
  };
};
tact::behavior<account> open_account(int cents) { return keeping(cents, open_account); }

// The same with a message more.
struct pay_interest {
  int percent;
};
struct savings : tact::protocol<account, pay_interest> {};
tact::behavior<savings> open_savings(int cents) {
  return tact::handlers{keeping(cents, open_savings), [=](tact::self<savings>& self, const pay_interest& m) {
                          self.become(open_savings(cents + cents * m.percent / 100));
                        }};
}

// The same, but one message is handled anew.
tact::behavior<account> open_secret(int cents) {
  return tact::overriding(keeping(cents, open_secret), [](auto& self, const tact::request<balance>& m) {
    self.fail(m, tact::failure{tact::failure_reason::unanswered, "it is a secret"});
  });
}

// In front of an account: what it does not handle itself goes there.
struct opening_hours {
  using reply = std::string;
};
struct bank : tact::protocol<account, tact::request<opening_hours>> {};
tact::behavior<bank> open_bank(tact::ref<account> teller) {
  return tact::handlers{tact::delegate(teller),
                        [](auto& self, const tact::request<opening_hours>& m) { self.reply(m, "nine to five"); }};
}

// A turnstile. Who pushes before there is a coin waits for one; who has put in a coin has ten milliseconds to pass.
struct coin {};
struct push {
  using reply = int;
};
struct turnstile : tact::protocol<coin, tact::request<push>> {};

struct unlocked;
struct locked {
  static constexpr auto otherwise = tact::unhandled::waits;
  unlocked operator()(auto&, const coin&) const;
  int passed = 0;
};
struct unlocked {
  void operator()(auto&, const coin&) const {}
  locked operator()(auto& self, const tact::request<push>& m) const {
    self.reply(m, passed + 1);
    return {passed + 1};
  }
  locked operator()(auto&, const tact::state_timeout&) const { return {passed}; }
  std::chrono::milliseconds time_limit() const { return 10ms; }
  int passed;
};
unlocked locked::operator()(auto&, const coin&) const { return {passed}; }

int main() {
  int wrong = 0;
  tact::engine engine;

  const auto saved = engine.create(open_savings(200));
  saved | deposit{100} | pay_interest{10};
  wrong += engine.ask(saved, balance{}) != 330;

  const auto secret = engine.create(open_secret(7));
  try {
    engine.ask(secret, balance{});
    ++wrong;
  } catch (const tact::ask_error& e) {
    wrong += e.reason() != tact::failure_reason::unanswered;
  }

  const auto front = engine.create(open_bank(engine.create(open_account(0))));
  front | deposit{5};
  wrong += engine.ask(front, balance{}) != 5;
  wrong += engine.ask(front, opening_hours{}) != "nine to five";

  const auto gate = engine.create(tact::state_machine<turnstile>(locked{}));
  engine.send_after(5ms, gate, coin{});
  wrong += engine.ask(gate, push{}) != 1;  // has waited for the coin
  gate | coin{};
  engine.send_after(30ms, gate, coin{});
  wrong += engine.ask(gate, push{}) != 2;
  return wrong;
}
