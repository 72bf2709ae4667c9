// A program compiles beside the macros that other headers leave behind.
#include "foreign_macros.hpp"

#include "tact/tact.hpp"

namespace {

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
        self.become(open_account(cents + m.cents));
        self.on_commit([] {});
      },
      [=](auto& self, const tact::request<balance>& m) { self.reply(m, cents); },
  };
}

class logger : public tact::actor<logger, deposit> {
 public:
  tact::allocation receive(tact::self<logger>& self, const deposit&) {
    self.send_after(std::chrono::seconds(1), self.ref(), deposit{2});
    return tact::allocation::finished;
  }
};

}  // namespace

long foreign_macros();
long foreign_macros() {
  tact::engine engine({.workers = 1, .shutdown_timeout = std::chrono::milliseconds(100)});
  const tact::ref<account> a = engine.create(open_account(0));
  engine.spawn<logger>() | deposit{1} | tact::finished_msg;
  a | deposit{1};
  (void)engine.try_send(a, deposit{2});
  engine.wait_idle();
  return engine.ask(a, balance{}) + static_cast<long>(engine.statistics().commits);
}
