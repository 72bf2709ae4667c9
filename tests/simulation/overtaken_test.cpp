// What may come to a watcher before and behind the word that an actor has ended.
#include <algorithm>
#include <set>
#include <string>
#include <vector>

#include "simulation/office.hpp"

namespace {

using namespace tact::simulated_tests;

struct word {
  std::string by;
};
struct watched : tact::protocol<word, tact::ended> {};
using seen = std::vector<std::string>;

tact::behavior<watched> open_watcher(seen& all) {
  return {[&all](auto&, const word& m) { all.push_back(m.by); },
          [&all](auto&, const tact::ended&) { all.push_back("ended"); }};
}

struct ask_me {
  using reply = int;
};
struct go {};

// The orders in which the words came, each once.
template <class LastRun>
std::set<seen> orders(LastRun last_run) {
  std::set<seen> found;
  for (std::uint64_t seed = 1; seed <= 300; ++seed) {
    seen all;
    tact::simulation sim(seed);
    auto& engine = sim.engine();
    const auto watcher = engine.create(open_watcher(all));
    const auto helper = engine.create(
        tact::behavior<tact::request<ask_me>>([](auto& tx, const tact::request<ask_me>& m) { tx.reply(m, 1); }));
    const auto relay = engine.create(tact::behavior<word>([watcher](auto& tx, const word& m) { tx.send(watcher, m); }));
    const auto one = engine.create(tact::behavior<go>(
        [=](tact::self<go>& self, const go&) { last_run(self, tact::ref<word>(watcher), helper, relay); }));
    engine.monitor(one, watcher);
    sim.run();
    engine.send(one, go{});
    sim.run();
    sim.end();
    found.insert(all);
  }
  return found;
}

TEST_CASE("monitor: what the ended actor sent itself is there before its word", "[law5][simulation]") {
  CHECK(orders([](auto& self, tact::ref<word> to, auto, auto) {
          self.send(to, word{"itself"});
          self.stop();
        }) == std::set<seen>{{"itself", "ended"}});
}

TEST_CASE("monitor: its word may overtake what other actors send for the ended one", "[simulation]") {
  const std::set<seen> both{{"other", "ended"}, {"ended", "other"}};
  const auto of_relay = orders([](auto& self, tact::ref<word>, auto, tact::ref<word> relay) {
    self.send(relay, word{"other"});
    self.stop();
  });
  CHECK(of_relay.contains({"ended", "other"}));
  CHECK(std::includes(both.begin(), both.end(), of_relay.begin(), of_relay.end()));
  const auto of_continuation = orders([](auto& self, tact::ref<word> to, auto helper, auto) {
    self.ask(helper, ask_me{}, [to](tact::transaction& tx, int) { tx.send(to, word{"other"}); });
    self.stop();
  });
  CHECK(of_continuation.contains({"ended", "other"}));
  CHECK(std::includes(both.begin(), both.end(), of_continuation.begin(), of_continuation.end()));
  const auto of_effect = orders([](auto& self, tact::ref<word> to, auto, auto) {
    self.on_commit([to](tact::transaction& tx) { tx.send(to, word{"other"}); });
    self.stop();
  });
  CHECK(of_effect.contains({"ended", "other"}));
  CHECK(std::includes(both.begin(), both.end(), of_effect.begin(), of_effect.end()));
}

}  // namespace
