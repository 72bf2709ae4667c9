// Joint holds: a worker owes answers to actors of every shard that it holds.
#include "support/engine_fixture.hpp"

namespace joint_debt_test {

namespace {

using namespace tact::support;

struct go {
  unsigned asks;
};
struct price {
  using reply = int;
};

class shop : public tact::actor<shop, tact::request<price>> {
 public:
  void receive(tact::self<shop>& self, const tact::request<price>& m) { self.reply(m, 7); }
};

// Asks again and again, in its own name: its own address is the customer.
class buyer : public tact::actor<buyer, go, int, tact::failure> {
 public:
  void receive(tact::self<buyer>& self, const go& m) {
    left_ = m.asks;
    ask(self);
  }
  void receive(tact::self<buyer>& self, const int&) {
    ++answers;
    if (--left_ != 0) ask(self);
  }
  void receive(tact::self<buyer>&, const tact::failure& f) {
    ++failures;
    reason = f.reason;
  }
  tact::ref<tact::request<price>> from;
  std::atomic<unsigned> answers{0};
  std::atomic<unsigned> failures{0};
  std::atomic<tact::failure_reason> reason{};

 private:
  void ask(tact::self<buyer>& self) { self.send(from, tact::request<price>{self.ref(), {}}); }
  unsigned left_ = 0;
};

}  // namespace

TEST_CASE("joint hold: an answer to an actor of a shard that is held beside settles the debt", "[law8]") {
  TACT_FOR_EACH_WORKER_COUNT(workers);
  buyer b;
  shop s;
  auto options = quiet_options(workers);
  options.shards = 8 * workers;
  tact::engine engine(options);
  b.from = engine.attach(s);
  const auto who = engine.attach(b);
  const auto asks = static_cast<unsigned>(scaled(100'000));
  engine.send(who, go{asks});
  require_idle(engine);
  CHECK(b.answers == asks);
  CHECK(b.failures == 0);
  CHECK(engine.statistics().dead_letters == 0);
}

}  // namespace joint_debt_test
