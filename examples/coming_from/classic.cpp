// The same account as a classic actor, a class with members, and its watcher: docs/coming_from.md.
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

class account : public tact::actor<account, deposit, tact::request<withdraw>, tact::request<balance>, shut> {
 public:
  void receive(tact::self<account>&, const deposit& m) { cents_ += m.cents; }
  void receive(tact::self<account>& self, const tact::request<withdraw>& m) {
    if (m.body.cents > cents_) throw std::runtime_error("the account does not hold so much");
    cents_ -= m.body.cents;  // behind the check: a member that has changed stays changed
    self.reply(m, cents_);
  }
  void receive(tact::self<account>& self, const tact::request<balance>& m) { self.reply(m, cents_); }
  tact::allocation receive(tact::self<account>&, const shut&) { return tact::allocation::finished; }

 private:
  long cents_ = 0;
};

class watcher : public tact::actor<watcher, tact::ended> {
 public:
  void receive(tact::self<watcher>&, const tact::ended& m) { heard = m.reason; }
  std::optional<tact::end_reason> heard{};
};

}  // namespace

int main() {
  watcher w;  // stays with the program: the engine only borrows it
  tact::engine engine;
  const auto a = engine.spawn<account>(tact::failure_rule(tact::failure_policy::go_on));  // else it ends when it throws
  engine.monitor(a, engine.attach(w));
  engine.send(a, deposit{100});
  bool right = engine.ask(a, withdraw{30}) == 70;
  try {
    engine.ask(a, withdraw{500});
    right = false;
  } catch (const tact::ask_error&) {  // the receive threw; a line on stderr says so as well
  }
  right = right && engine.ask(a, balance{}) == 70;
  engine.send(a, shut{});
  engine.wait_idle();  // everything has been handled, and what handlers wrote is visible here
  return right && w.heard == tact::end_reason::stopped ? 0 : 1;
}
