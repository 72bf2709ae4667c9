// Engines of a program in a model.
#include <map>
#include <mutex>
#include <set>
#include <thread>

#include "modelled/programs.hpp"
#include "tact/tact.hpp"
#include "tools/modelled/running.hpp"

namespace modelled_engine_test {

namespace {

using namespace tact::modelled_tests;

struct job {
  double ns;
};
struct done_count {
  using reply = long;
};
struct worker : tact::protocol<job, tact::request<done_count>> {};
tact::behavior<worker> work(long done) {
  return {
      [=](tact::self<worker>& self, const job& m) {
        tact::model::spend_ns(m.ns);
        self.become(work(done + 1));
      },
      [=](auto& self, const tact::request<done_count>& m) { self.reply(m, done); },
  };
}

// On which cores each thread of an engine has run handlers.
using places = std::map<std::thread::id, std::set<unsigned>>;
struct look {
  places* into;
  std::mutex* mutex;
};
struct looker : tact::protocol<look> {};
tact::behavior<looker> look_around() {
  return {[](tact::self<looker>&, const look& m) {
    tact::model::spend_ns(20'000);
    const std::lock_guard lock(*m.mutex);
    (*m.into)[std::this_thread::get_id()].insert(tact::modelled::here.core);
  }};
}

}  // namespace

TEST_CASE("model: an engine has a worker for each processing unit, unless its options say otherwise", "[modelled]") {
  const auto [machine, units] = GENERATE(
      table<std::string, unsigned>({{"core:1 pu:1", 1}, {"l3:2 core:3 pu:2", 12}, {"package:2 l3:4 core:4 pu:2", 64}}));
  unsigned workers = 0, told = 0;
  const auto r = tact::model::run({.machine = machine}, [&] {
    tact::engine all;
    tact::engine two({.workers = 2});
    workers = all.statistics().workers;
    told = two.statistics().workers;
  });
  CHECK(workers == units);
  CHECK(told == 2);
  CHECK(r.threads > units);
  CHECK(r.engines.workers == units + 2);
}

TEST_CASE("model: handlers run side by side on as many cores as there are", "[modelled]") {
  const unsigned cores = GENERATE(1u, 4u, 16u);
  tact::model_options options;
  options.machine = "l3:1 core:" + std::to_string(cores) + " pu:1";
  long done = 0;
  const auto r = tact::model::run(options, [&] {
    tact::engine e;
    std::vector<tact::ref<worker>> all;
    for (unsigned i = 0; i < 64; ++i) all.push_back(e.create(work(0), tact::parallel));
    for (int n = 0; n < 4; ++n) e.send_all(all, job{1e6});
    e.wait_idle();
    for (const long d : e.ask_all(all, done_count{})) done += d;
  });
  CHECK(done == 256);
  CHECK(r.busy_seconds >= 0.256);
  CHECK(r.seconds >= 0.256 / cores);
  CHECK(r.seconds < 0.256 / cores * 1.5);
  CHECK(r.engines.commits >= 256);
}

TEST_CASE("model: workers that are pinned stay on their seats, each on another one", "[modelled]") {
  places seen;
  static_cast<void>(tact::model::run({.machine = "package:2 l3:1 core:4 pu:1"}, [&] {
    std::mutex mutex;
    tact::engine e({.pin_workers = tact::pinning::on});
    std::vector<tact::ref<looker>> all;
    for (int i = 0; i < 32; ++i) all.push_back(e.create(look_around(), tact::parallel));
    for (int n = 0; n < 5; ++n) {
      e.send_all(all, look{&seen, &mutex});
      e.wait_idle();
      tact::model::spend_ns(1e6);
    }
  }));
  std::set<unsigned> cores;
  for (const auto& [thread, on] : seen) {
    CHECK(on.size() == 1);
    CHECK(cores.insert(*on.begin()).second);
  }
  CHECK(cores.size() == 8);
}

TEST_CASE("model: workers of an engine that decides itself stay beside each other", "[modelled]") {
  places seen;
  bool pinned = false, beside = true;
  const auto r = tact::model::run({.machine = "package:2 l3:2 core:2 pu:1"}, [&] {
    std::mutex mutex;
    tact::engine e({.workers = 2, .pin_workers = tact::pinning::automatic});
    tact::engine second({.workers = 2, .pin_workers = tact::pinning::automatic});
    pinned = e.plan().pinned;
    beside = second.plan().pinned;
    std::vector<tact::ref<looker>> all;
    for (int i = 0; i < 8; ++i) all.push_back(e.create(look_around(), tact::parallel));
    for (int n = 0; n < 5; ++n) {
      e.send_all(all, look{&seen, &mutex});
      e.wait_idle();
      tact::model::spend_ns(1e6);
    }
  });
  CHECK(pinned);
  CHECK_FALSE(beside);
  CHECK(r.engines.pinned == 2);
  std::set<unsigned> cores;
  for (const auto& [thread, on] : seen) cores.insert(on.begin(), on.end());
  CHECK(cores == std::set<unsigned>{0, 1});
}

TEST_CASE("model: actors that block have threads of their own", "[modelled]") {
  places seen;
  static_cast<void>(tact::model::run(small_options(), [&] {
    std::mutex mutex;
    tact::engine e({.workers = 1});
    const auto here = e.create(look_around()), apart = e.create(look_around(), tact::blocking);
    for (const auto& to : {here, apart, here, apart}) e.send(to, look{&seen, &mutex});
    e.wait_idle();
  }));
  CHECK(seen.size() == 2);
}

TEST_CASE("model: an engine without workers runs on the program's thread", "[modelled]") {
  long done = 0;
  const auto r = tact::model::run(free_options(), [&] {
    tact::engine e({.workers = 0});
    const auto a = e.create(work(0));
    for (int i = 0; i < 10; ++i) e.send(a, job{1'000});
    e.run_until_idle();
    done = e.ask(a, done_count{});
  });
  CHECK(done == 10);
  CHECK(r.busy_seconds >= 10e-6);
  CHECK(r.engines.commits >= 10);
}

}  // namespace modelled_engine_test
