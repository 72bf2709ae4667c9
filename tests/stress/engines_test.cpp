// Law 11: many engines, one after the other and at once, leave nothing behind.
#include <fstream>
#include <string>

#include "support/engine_fixture.hpp"

namespace engines_test {

namespace {

using namespace tact::support;

struct ball {
  unsigned hops;
  tracked kept{};
};
struct player : tact::protocol<ball> {};

struct court {
  std::vector<tact::ref<player>> players;
  std::atomic<unsigned> stopped{0};
};

tact::behavior<player> open_player(court& c, std::size_t me) {
  return {[&c, me](tact::self<player>& self, const ball& m) {
    if (m.hops == 0) {
      ++c.stopped;
      return;
    }
    self.send(c.players[(me + 1) % c.players.size()], ball{m.hops - 1});
    self.become(open_player(c, me));
  }};
}

// Resident memory in KiB; 0 where the system does not tell.
long resident_kib() {
  std::ifstream status("/proc/self/status");
  for (std::string line; std::getline(status, line);) {
    if (line.rfind("VmRSS:", 0) == 0) return std::stol(line.substr(6));
  }
  return 0;
}

}  // namespace

TEST_CASE("engines: started and ended a thousand times without a leak", "[law11]") {
  const nothing_left left;
  const int engines = scaled(1'000);
  const auto one_engine = [] {
    tact::engine engine(quiet_options(2));
    const auto a = engine.create(tact::sink<ball>(), tact::parallel);
    for (int k = 0; k < 3; ++k) engine.send(a, ball{0});
  };
  for (int i = 0; i < engines / 10; ++i) one_engine();
  const long before = resident_kib();
  for (int i = engines / 10; i < engines; ++i) one_engine();
  CHECK(resident_kib() - before < (sanitized ? 200'000 : 20'000));
}

TEST_CASE("engines: several in one process exchange messages", "[law11][law4]") {
  TACT_FOR_EACH_THREAD_COUNT(workers);
  const nothing_left left;
  court c;
  tact::engine one(quiet_options(workers));
  tact::engine two(quiet_options(2));
  tact::engine three(quiet_options(1));
  tact::engine* const engines[] = {&one, &two, &three};
  for (std::size_t i = 0; i < 9; ++i) {
    c.players.push_back(i % 2 == 0 ? engines[i % 3]->create(open_player(c, i), tact::parallel)
                                   : engines[i % 3]->create(open_player(c, i)));
  }
  const auto hops = static_cast<unsigned>(scaled(2'000));
  for (unsigned i = 0; i < 6; ++i) engines[i % 3]->send(c.players[i], ball{hops});
  // A message between two engines is in flight in one of them at every moment, but not in the same one.
  const auto until = std::chrono::steady_clock::now() + generous;
  while (c.stopped < 6 && std::chrono::steady_clock::now() < until) std::this_thread::yield();
  REQUIRE(c.stopped == 6);
  std::uint64_t sent = 0;
  for (tact::engine* e : engines) {
    require_idle(*e);
    sent += e->statistics().messages_sent;
    CHECK(e->statistics().dead_letters == 0);
  }
  CHECK(sent == 6 * (std::uint64_t{hops} + 1));
}

TEST_CASE("engines: one that ends while others send to it loses no count of what it accepted", "[law11][law13][law4]") {
  TACT_FOR_EACH_WORKER_COUNT(workers);
  const nothing_left left;
  tact::engine one(quiet_options(workers));
  for (int round = 0; round < scaled(20); ++round) {
    court c;
    {
      tact::engine two(quiet_options(2));
      c.players.push_back(one.create(open_player(c, 0), tact::parallel));
      c.players.push_back(two.create(open_player(c, 1)));
      for (unsigned i = 0; i < 4; ++i) one.send(c.players[0], ball{1'000'000'000});
      std::this_thread::yield();
      two.cancel();
      require_idle(one);  // the last ball has met the end of its court: no actor sends to the engine any more
      require_accounted(two);
    }
    REQUIRE(c.stopped == 0);
  }
}

}  // namespace engines_test
