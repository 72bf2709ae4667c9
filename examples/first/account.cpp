// The second program of the README: a bank account whose state is what its behaviour captures.
#include <iostream>
#include <stdexcept>
#include <tact/tact.hpp>

struct deposit {
  long cents;
};
struct balance {
  using reply = long;  // a query names the type of its answer
};
struct account : tact::protocol<deposit, tact::request<balance>> {};  // what an account accepts

tact::behavior<account> open_account(long cents) {
  return {
      [=](tact::self<account>& self, const deposit& m) {
        if (m.cents <= 0) throw std::invalid_argument("deposit: amount must be positive");  // leaves no trace
        self.become(open_account(cents + m.cents));
      },
      [=](auto& self, const tact::request<balance>& m) { self.reply(m, cents); },
  };
}

int main() {
  tact::engine engine;  // one worker per processing unit
  tact::ref<account> a = engine.create(open_account(0));
  for (int i = 0; i < 1000; ++i) engine.send(a, deposit{1});
  std::cout << engine.ask(a, balance{}) << '\n';  // 1000: the question comes behind the deposits of the same thread
}
