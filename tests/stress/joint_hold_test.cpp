// Joint holds on real threads: order and exclusion hold while workers take shards together and let go of them again.
#include <memory>

#include "support/engine_fixture.hpp"
#include "support/insides.hpp"

namespace joint_hold_test {

namespace {

using namespace tact::support;
using tact::dispatch::worker_counters;

constexpr unsigned clerks = 24;

struct letter {
  unsigned from;
  unsigned number;  // of those from that clerk to this one
  unsigned left;    // how many are to be written because of it, one after the other
};

// Takes some microseconds: no worker that has met it counts its handlers as quick for a while.
void toil() {
  std::atomic<unsigned> turns{0};
  while (turns.fetch_add(1) < 2000) {
  }
}

// Answers each letter with one to a clerk of its choice.
class clerk : public tact::actor<clerk, letter> {
 public:
  clerk(unsigned me, std::uint64_t seed, unsigned toils_one_in)
      : me_(me), toils_one_in_(toils_one_in), dice_(seed * clerks + me) {}
  void receive(tact::self<clerk>& self, const letter& m) {
    if (inside_.exchange(true) || next_[m.from]++ != m.number) ++broken;
    ++handled;
    if (toils_one_in_ != 0 && dice_.below(toils_one_in_) == 0) toil();
    if (m.left != 0) write(self, m.left - 1);
    inside_ = false;
  }
  std::vector<tact::ref<clerk>> all;
  unsigned broken = 0;
  std::uint64_t handled = 0;

 private:
  void write(tact::self<clerk>& self, unsigned left) {
    const auto to = static_cast<unsigned>(dice_.below(clerks));
    self.send(all[to], letter{me_, sent_[to]++, left});
  }

  const unsigned me_;
  const unsigned toils_one_in_;
  dice dice_;
  std::atomic<bool> inside_{false};
  std::array<unsigned, clerks + 1> next_{};  // not atomic on purpose
  std::array<unsigned, clerks> sent_{};
};

// All write to all. `chains` letters go round at a time, each `length` times.
void correspond(tact::engine& engine, std::uint64_t seed, unsigned chains, unsigned length, unsigned toils_one_in) {
  std::vector<std::unique_ptr<clerk>> staff;
  std::vector<tact::ref<clerk>> refs;
  for (unsigned i = 0; i < clerks; ++i) staff.push_back(std::make_unique<clerk>(i, seed, toils_one_in));
  for (const auto& c : staff) refs.push_back(engine.attach(*c));
  for (const auto& c : staff) c->all = refs;
  for (unsigned i = 0; i < chains; ++i) engine.send(refs[i % clerks], letter{clerks, i / clerks, length});
  require_idle(engine);
  std::uint64_t handled = 0;
  for (const auto& c : staff) {
    CHECK(c->broken == 0);
    handled += c->handled;
  }
  CHECK(handled == std::uint64_t{chains} * (length + 1));
  for (const auto r : refs) r | tact::finished_msg;
  require_idle(engine);
}

struct note {};
struct next_round {};

class reader : public tact::actor<reader, note> {
 public:
  void receive(tact::self<reader>&, const note&) { ++read; }
  std::uint64_t read = 0;
};

// Writes to all clerks, round after round.
class writer : public tact::actor<writer, next_round> {
 public:
  writer(std::vector<tact::ref<reader>> to, int rounds) : to_(std::move(to)), left_(rounds) {}
  tact::allocation receive(tact::self<writer>& self, const next_round&) {
    for (const auto r : to_) self.send(r, note{});
    if (--left_ == 0) return tact::allocation::delete_;
    self.send(tact::ref<next_round>(self.ref()), next_round{});
    return tact::allocation::nodelete;
  }

 private:
  std::vector<tact::ref<reader>> to_;
  int left_;
};

}  // namespace

TEST_CASE("joint hold: order is kept, and nobody runs twice at once, while shards join and part", "[law5][law6]") {
  TACT_SEEDED(seed);
  TACT_FOR_EACH_THREAD_COUNT(workers);
  tact::engine engine(quiet_options(workers));
  const auto length = static_cast<unsigned>(scaled(2000));
  // It may take several rounds until a shard is idle at the moment at which a handler sends to it. Where many more
  // workers than processors share them, a minute may pass without such a moment.
  const bool must_join = workers <= 8;
  const auto end = std::chrono::steady_clock::now() + generous;
  const auto joins = [&] { return must_join ? sum_of(inside_of(engine), &worker_counters::joins) : 1; };
  for (unsigned round = 0; round < (sanitized ? 1U : 4U) || (joins() == 0 && std::chrono::steady_clock::now() < end);
       ++round) {
    correspond(engine, seed + round, 3, length, 0);             // few at a time: others sleep
    correspond(engine, seed + round, 4 * clerks, length, 0);    // enough for all
    correspond(engine, seed + round, 2 * clerks, length, 300);  // and now and then a handler takes long
  }
  CHECK(joins() > 0);
}

TEST_CASE("joint hold: who holds much gives some of it to those who have nothing", "[law7]") {
  TACT_SEEDED(seed);
  tact::engine engine(quiet_options(4));
  const auto busy = [&] {
    unsigned workers = 0;
    for (const auto& w : engine.worker_statistics()) workers += w.commits > 1000;
    return workers;
  };
  const auto end = std::chrono::steady_clock::now() + generous;
  // One after the other they all get to work, although what goes round never leaves the worker that holds it all.
  for (unsigned round = 0; busy() < 4 && std::chrono::steady_clock::now() < end; ++round)
    correspond(engine, seed + round, 100 * clerks, static_cast<unsigned>(scaled(200)), 0);
  CHECK(busy() == 4);
}

TEST_CASE("joint hold: an engine that is ended meanwhile accounts for every letter", "[law4][law11]") {
  TACT_SEEDED(seed);
  TACT_FOR_EACH_THREAD_COUNT(workers);
  for (unsigned round = 0; round < 3; ++round) {
    std::vector<std::unique_ptr<clerk>> staff;
    std::vector<tact::ref<clerk>> refs;
    for (unsigned i = 0; i < clerks; ++i) staff.push_back(std::make_unique<clerk>(i, seed + round, 0));
    tact::engine engine(quiet_options(workers));
    for (const auto& c : staff) refs.push_back(engine.attach(*c));
    for (const auto& c : staff) c->all = refs;
    for (unsigned i = 0; i < 4 * clerks; ++i) engine.send(refs[i % clerks], letter{clerks, i / clerks, ~0U});
    while (engine.statistics().commits < 10'000) std::this_thread::yield();
    REQUIRE(engine.cancel(generous));
    require_accounted(engine);
    CHECK(engine.statistics().dead_letters == 4 * clerks);  // one for each that went round
    for (const auto& c : staff) CHECK(c->broken == 0);
  }
}

// Half of the readers are in shards of the other worker: one note after the other would be carried there, and would
// cost many times what it takes to read it.
TEST_CASE("joint hold: who sends sleepers less than what is worth waking them for runs it", "[dispatch][stress]") {
  constexpr unsigned readers = 64;
  const int rounds = scaled(20'000);
  std::vector<std::unique_ptr<reader>> all;
  for (unsigned i = 0; i < readers; ++i) all.push_back(std::make_unique<reader>());
  tact::engine engine(quiet_options(2));
  std::vector<tact::ref<reader>> refs;
  for (const auto& r : all) refs.push_back(engine.attach(*r));
  const auto& inside = inside_of(engine);
  // The system may let the worker stand for a while: then its handlers do not seem to be quick.
  const auto end = std::chrono::steady_clock::now() + generous;
  const std::uint64_t few = readers / 4 * static_cast<std::uint64_t>(rounds);
  std::uint64_t runs = 0;
  std::uint64_t carried = 0;
  do {
    const std::uint64_t before = sum_of(inside, &worker_counters::gulped);
    engine.send(engine.spawn<writer>(refs, rounds), next_round{});
    require_idle(engine);
    carried = sum_of(inside, &worker_counters::gulped) - before;
    ++runs;
  } while (!sanitized && carried > few && std::chrono::steady_clock::now() < end);
  CAPTURE(runs, carried);
  CHECK((sanitized || carried <= few));
  for (const auto& r : all) CHECK(r->read == runs * static_cast<std::uint64_t>(rounds));
  for (const auto r : refs) r | tact::finished_msg;
  require_idle(engine);
}

// Shards are apart so that other workers may take some. For the only worker there is no reason to keep them apart,
// whatever waits and however long handlers take.
TEST_CASE("joint hold: the only worker publishes little of what its shards send each other", "[dispatch][stress]") {
  const std::uint64_t seed = tact::support::seed();
  const unsigned toils_one_in = GENERATE(0U, 100U);
  CAPTURE(seed, toils_one_in);
  const unsigned each = toils_one_in == 0 ? static_cast<unsigned>(scaled(5'000)) : 50;  // with many a lane is long
  constexpr unsigned hops = 40;
  std::vector<std::unique_ptr<clerk>> staff;
  std::vector<tact::ref<clerk>> refs;
  for (unsigned i = 0; i < clerks; ++i) staff.push_back(std::make_unique<clerk>(i, seed, toils_one_in));
  auto options = quiet_options(1);
  options.shards = 64;
  tact::engine engine(options);
  for (const auto& c : staff) refs.push_back(engine.attach(*c));
  for (const auto& c : staff) c->all = refs;
  for (unsigned i = 0; i < each * clerks; ++i) engine.send(refs[i % clerks], letter{clerks, i / clerks, hops});
  require_idle(engine);
  const auto s = engine.statistics();
  CAPTURE(s.commits, s.published);
  CHECK(s.commits == std::uint64_t{each} * clerks * (hops + 1));
  CHECK(s.published < s.commits / 4);
  for (const auto& c : staff) CHECK(c->broken == 0);
}

}  // namespace joint_hold_test
