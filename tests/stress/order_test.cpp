// Law 5: messages of one sender to one classic or ordered receiver arrive in the order sent.
#include <array>
#include <tuple>

#include "support/engine_fixture.hpp"

namespace order_test {

namespace {

using namespace tact::support;

constexpr unsigned senders = 10;
constexpr unsigned receivers = 6;
constexpr unsigned runs_max = 4096;

struct numbered {
  unsigned sender;
  unsigned number;
};
// The part-th send of one run of a parallel actor.
struct in_run {
  unsigned run;
  unsigned part;
};
struct mixed : tact::protocol<numbered, in_run> {};

// What one receiver saw. No atomics: a receiver runs one message at a time, which ThreadSanitizer checks here.
struct ledger {
  std::array<unsigned, senders> next{};
  std::array<unsigned, runs_max> next_part{};
  unsigned wrong = 0;

  void see(const numbered& m) { wrong += m.number != next[m.sender]++; }
  void see(const in_run& m) { wrong += m.part != next_part[m.run]++; }
};

class reader : public tact::actor<reader, mixed> {
 public:
  explicit reader(ledger& l) : ledger_(&l) {}
  void receive(tact::self<reader>&, const numbered& m) { ledger_->see(m); }
  void receive(tact::self<reader>&, const in_run& m) { ledger_->see(m); }

 private:
  ledger* ledger_;
};

tact::behavior<mixed> open_reader(ledger& l) {
  return {[&l](tact::self<mixed>& self, const numbered& m) {
            l.see(m);
            if (m.number % 4 == 0) self.become(open_reader(l));
          },
          [&l](tact::self<mixed>&, const in_run& m) { l.see(m); }};
}

struct go {
  unsigned number;
};
using audience = std::vector<tact::ref<mixed>>;

constexpr unsigned burst = 8;

class writer : public tact::actor<writer, go> {
 public:
  writer(unsigned me, const audience& all, unsigned last) : me_(me), all_(&all), last_(last) {}
  void receive(tact::self<writer>& self, const go& m) {
    for (unsigned i = 0; i < burst; ++i) {
      for (const auto r : *all_) self.send(r, numbered{me_, m.number + i});
    }
    if (m.number + burst < last_) self.send(self.ref(), go{m.number + burst});
  }

 private:
  unsigned me_;
  const audience* all_;
  unsigned last_;
};

struct author : tact::protocol<go> {};
tact::behavior<author> open_writer(unsigned me, const audience& all, unsigned last) {
  return {[=, &all](tact::self<author>& self, const go& m) {
    for (unsigned i = 0; i < burst; ++i) {
      for (const auto r : all) self.send(r, numbered{me, m.number + i});
    }
    if (m.number + burst < last) self.send(self.ref(), go{m.number + burst});
    self.become(open_writer(me, all, last));
  }};
}

// A parallel actor: only the sends of one run keep their order.
struct crowd : tact::protocol<go> {};
tact::behavior<crowd> open_crowd(const audience& all) {
  return {[&all](auto& self, const go& m) {
    for (unsigned part = 0; part < 40; ++part) {
      for (const auto r : all) self.send(r, in_run{m.number, part});
    }
  }};
}

// Makes lanes long, and keeps the workers handing messages to each other.
struct noise {
  unsigned left;
};
struct noisy : tact::protocol<noise> {};
tact::behavior<noisy> open_noise() {
  return {[](tact::self<noisy>& self, const noise& m) {
    if (m.left == 0) return;
    self.send(self.ref(), noise{m.left - 1});
    self.send(self.ref(), noise{m.left - 1});
  }};
}

}  // namespace

TEST_CASE("order: of one sender, and of one run, to each classic and ordered receiver", "[law5]") {
  TACT_FOR_EACH_WORKER_COUNT(workers);
  const auto last = static_cast<unsigned>(scaled(2'000)) / burst * burst;
  const auto runs = static_cast<unsigned>(scaled(200));
  std::vector<ledger> ledgers(receivers);
  audience all;
  tact::engine engine(quiet_options(workers));
  for (unsigned i = 0; i < receivers; ++i) {
    if (i % 2 == 0) {
      all.emplace_back(engine.spawn<reader>(ledgers[i]));
    } else {
      all.push_back(engine.create(open_reader(ledgers[i])));
    }
  }
  const auto storm = engine.create(open_noise(), tact::parallel);
  const auto many = engine.create(open_crowd(all), tact::parallel);
  for (unsigned i = 0; i < 4; ++i) engine.send(engine.spawn<writer>(i, all, last), go{0});
  for (unsigned i = 4; i < 7; ++i) engine.send(engine.create(open_writer(i, all, last)), go{0});
  on_threads(3, [&](unsigned thread) {
    for (unsigned n = 0; n < last; ++n) {
      for (const auto r : all) engine.send(r, numbered{7 + thread, n});
      if (n % 64 == 0) engine.send(storm, noise{8});
      if (thread == 0 && n < runs) engine.send(many, go{n});
    }
  });
  require_idle(engine);
  for (const ledger& l : ledgers) {
    CHECK(l.wrong == 0);
    for (unsigned s = 0; s < senders; ++s) CHECK(l.next[s] == last);
    for (unsigned r = 0; r < std::min(runs, last); ++r) REQUIRE(l.next_part[r] == 40);
  }
}

TEST_CASE("order: kept by an actor that sends while its shard's lane is long", "[law5]") {
  TACT_FOR_EACH_WORKER_COUNT(workers);
  auto options = quiet_options(workers);
  options.shards = workers;  // each actor shares its shard with many others
  std::vector<ledger> ledgers(receivers);
  audience all;
  tact::engine engine(options);
  for (auto& l : ledgers) all.emplace_back(engine.spawn<reader>(l));
  const auto storm = engine.create(open_noise(), tact::parallel);
  const auto last = static_cast<unsigned>(scaled(1'000)) / burst * burst;
  for (unsigned i = 0; i < senders; ++i) {
    engine.send(storm, noise{10});
    engine.send(engine.spawn<writer>(i, all, last), go{0});
  }
  require_idle(engine);
  for (const ledger& l : ledgers) {
    CHECK(l.wrong == 0);
    for (unsigned s = 0; s < senders; ++s) CHECK(l.next[s] == last);
  }
}

namespace {

struct deposit {};
struct balance {
  using reply = long;
};
struct account : tact::protocol<deposit, tact::request<balance>> {};
tact::behavior<account> open_account(long so_far) {
  return {[=](tact::self<account>& self, const deposit&) { self.become(open_account(so_far + 1)); },
          [=](auto& self, const tact::request<balance>& m) { self.reply(m, so_far); }};
}

struct open_one {
  using reply = tact::ref<account>;
};

// How many answers were older than the deposit that the same thread sent before its question.
long stale_answers(tact::engine& engine, tact::ref<account> a, long rounds) {
  long stale = 0;
  for (long n = 1; n <= rounds; ++n) {
    engine.send(a, deposit{});
    stale += engine.ask(a, balance{}) != n;
  }
  return stale;
}

}  // namespace

TEST_CASE("create: a question comes behind what the same thread sent before, unless the actor is parallel", "[law5]") {
  TACT_FOR_EACH_WORKER_COUNT(workers);
  const long rounds = scaled(1'000);
  tact::engine engine(quiet_options(workers));
  const auto alone = engine.create(open_account(0));
  const auto [one, other] = engine.create_group(
      [](tact::ref<account>, tact::ref<account>) { return std::tuple(open_account(0), open_account(0)); });
  const auto clerk = engine.create(tact::behavior<tact::request<open_one>>{
      [](auto& self, const tact::request<open_one>& m) { self.reply(m, self.create(open_account(0))); }});
  const auto made_inside = engine.ask(clerk, open_one{});
  const std::array all{alone, one, other, made_inside};
  std::array<long, all.size()> stale{};
  on_threads(all.size(), [&](unsigned thread) { stale[thread] = stale_answers(engine, all[thread], rounds); });
  for (const long s : stale) CHECK(s == 0);
  CHECK(engine.statistics().collisions == 0);
  CHECK(engine.statistics().went_home == 0);
}

}  // namespace order_test
