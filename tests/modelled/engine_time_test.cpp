// Time limits of an engine in a model.
#include "modelled/nap.hpp"
#include "modelled/programs.hpp"
#include "tact/tact.hpp"

namespace engine_time_test {

namespace {

using namespace tact::modelled_tests;
using namespace std::chrono_literals;
using clock = std::chrono::steady_clock;

struct tick {};
class watch : public tact::actor<watch, tick> {
 public:
  explicit watch(std::vector<double>& times) : times_(&times), began_(clock::now()) {}
  void receive(tact::self<watch>&, const tick&) { times_->push_back(ns_since(began_)); }

 private:
  std::vector<double>* times_;
  clock::time_point began_;
};

struct job {
  double ns;
};
struct done_count {
  using reply = long;
};
struct worker : tact::protocol<job, tact::request<done_count>> {};
tact::behavior<worker> work() {
  return {
      [](tact::self<worker>&, const job& m) { tact::model::spend_ns(m.ns); },
      [](auto& self, const tact::request<done_count>& m) { self.reply(m, 1); },
  };
}

}  // namespace

TEST_CASE("model: timers of an engine fire when their virtual time has come", "[modelled]") {
  std::vector<double> times;
  bool cancelled = false;
  const auto r = tact::model::run(small_options(), [&] {
    tact::engine e({.workers = 2});
    const auto to = e.spawn<watch>(times);
    static_cast<void>(e.send_after(3h, to, tick{}));
    static_cast<void>(e.send_after(5ms, to, tick{}));
    cancelled = e.send_after(1h, to, tick{}).cancel();
    nap(4h);
  });
  CHECK(cancelled);
  REQUIRE(times.size() == 2);
  CHECK((times[0] >= 5e6 && times[0] < 6e6));
  CHECK((times[1] >= 3 * 3600e9 && times[1] < 3 * 3600e9 + 1e6));
  CHECK(r.engines.timers_fired == 2);
}

TEST_CASE("model: an ask with a limit waits so long in virtual time", "[modelled]") {
  double waited = 0;
  bool answered = true;
  static_cast<void>(tact::model::run(small_options(), [&] {
    tact::engine e({.workers = 2});
    const auto busy = e.create(work());
    e.send(busy, job{50e6});
    const auto began = clock::now();
    answered = e.ask(busy, done_count{}, 10ms).has_value();
    waited = ns_since(began);
  }));
  CHECK(!answered);
  CHECK((waited >= 10e6 && waited < 11e6));
}

}  // namespace engine_time_test
