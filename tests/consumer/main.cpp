// A program of somebody else: an account that takes 1000 deposits.
#include <iostream>
#include <stdexcept>
#include <tact/tact.hpp>

struct deposit {
  long cents;
};
struct balance {
  using reply = long;
};
struct account : tact::protocol<deposit, tact::request<balance>> {};

tact::behavior<account> open_account(long cents) {
  return {
      [=](tact::self<account>& self, const deposit& m) {
        if (m.cents <= 0) throw std::invalid_argument("deposit: amount must be positive");
        self.become(open_account(cents + m.cents));
      },
      [=](auto& self, const tact::request<balance>& m) { self.reply(m, cents); },
  };
}

int main() {
  tact::engine engine;
  const tact::ref<account> a = engine.create(open_account(0));
  for (int i = 0; i < 1000; ++i) engine.send(a, deposit{1});
  engine.wait_idle();
  const long cents = engine.ask(a, balance{});
  std::cout << cents << '\n';
  return cents == 1000 ? 0 : 1;
}
