// How soon idle workers take over what others have, in virtual time.
#include <algorithm>
#include <chrono>
#include <string>
#include <utility>
#include <vector>

#include "modelled/programs.hpp"
#include "modelled/ring.hpp"
#include "tact/tact.hpp"

namespace thieves_test {

namespace {

using namespace tact::modelled_tests;
using clock = std::chrono::steady_clock;

struct job {
  double ns;
};
class doer : public tact::actor<doer, job> {
 public:
  explicit doer(clock::time_point& end) : end_(&end) {}
  void receive(tact::self<doer>&, const job& m) {
    tact::model::spend_ns(m.ns);
    *end_ = clock::now();
  }

 private:
  clock::time_point* end_;  // of its own
};

constexpr unsigned workers = 4;
constexpr unsigned jobs = 8;
constexpr double job_ns = 1e6;
constexpr double first_ns = 3e6;
constexpr int questions = 6;
constexpr double term_ns = 30'000;
constexpr double add_ns = 500;

// The first worker stands in a handler that takes longer than all else, and has nothing besides; the second one has
// `jobs` shards with a job each. How long do these jobs take?
double ns_of_jobs(const tact::victim_policy& victims) {
  double taken = 0;
  static_cast<void>(tact::model::run(small_options(), [&] {
    std::vector<clock::time_point> ends(workers * jobs);
    {
      tact::engine e({.workers = workers, .shards = workers * jobs, .victims = victims});
      std::vector<tact::ref<job>> all;  // actors go round over the workers
      for (unsigned i = 0; i < workers * jobs; ++i) all.push_back(e.spawn<doer>(ends[i]));
      const auto began = clock::now();
      e.send(all[0], job{100 * job_ns});
      for (unsigned i = 1; i < all.size(); i += workers) e.send(all[i], job{job_ns});
      e.wait_idle();
      for (unsigned i = 1; i < all.size(); i += workers)
        taken = std::max(taken, std::chrono::duration<double, std::nano>(ends[i] - began).count());
    }
  }));
  return taken;
}

// A hub asks many, who answer after a job each, and asks each of them again at once. The first job of each takes
// longer.
struct question {};
struct answer {
  std::size_t from;
};
class asked : public tact::actor<asked, question> {
 public:
  asked(tact::ref<answer> hub, std::size_t number) : hub_(hub), number_(number) {}
  void receive(tact::self<asked>& self, const question&) {
    tact::model::spend_ns(std::exchange(next_ns_, job_ns));
    self.send(hub_, answer{number_});
  }

 private:
  tact::ref<answer> hub_;
  std::size_t number_;
  double next_ns_ = first_ns;
};
struct start {};
class hub : public tact::actor<hub, start, answer> {
 public:
  explicit hub(const std::vector<tact::ref<question>>& all) : all_(&all) {}
  void receive(tact::self<hub>& self, const start&) {
    left_.assign(all_->size(), questions - 1);
    for (const auto to : *all_) self.send(to, question{});
  }
  void receive(tact::self<hub>& self, const answer& m) {
    if (left_[m.from]-- > 0) self.send((*all_)[m.from], question{});
  }

 private:
  const std::vector<tact::ref<question>>* all_;
  std::vector<int> left_;
};

// A master has many terms computed, several by each of its workers at a time; short answers come between.
struct term {};
struct computed {
  std::size_t by;
};
class computer : public tact::actor<computer, term> {
 public:
  computer(tact::ref<computed> master, std::size_t number) : master_(master), number_(number) {}
  void receive(tact::self<computer>& self, const term&) {
    tact::model::spend_ns(term_ns);
    self.send(master_, computed{number_});
  }

 private:
  tact::ref<computed> master_;
  std::size_t number_;
};
class master : public tact::actor<master, start, computed> {
 public:
  void receive(tact::self<master>& self, const start&) {
    for (std::size_t i = 0; i < computers; ++i)
      all_.push_back(self.spawn<computer>(tact::ref<computed>(self.ref()), i));
    for (std::size_t i = 0; i < computers * ahead; ++i) ask(self, i % computers);
  }
  void receive(tact::self<master>& self, const computed& m) {
    tact::model::spend_ns(add_ns);
    if (asked_ < terms) ask(self, m.by);
  }

  static constexpr std::size_t computers = 20, ahead = 10, terms = 4'000;

 private:
  void ask(tact::self<master>& self, std::size_t of) {
    ++asked_;
    self.send(all_[of], term{});
  }

  std::vector<tact::ref<term>> all_;
  std::size_t asked_ = 0;
};

constexpr double member_ns = 500;

}  // namespace

// When the shards are divided between the two, each waits for the other now and then. Whoever has nothing to do for a
// moment should not take them all back.
TEST_CASE("model: what a worker has stolen, because it takes long, stays with it", "[modelled]") {
  constexpr std::size_t members = 64;
  constexpr unsigned hops = 400;
  constexpr std::uint64_t seeds = 8;
  double ns = 0;  // in the mean: one order needs up to a third more than another
  for (std::uint64_t seed = 1; seed <= seeds; ++seed) {
    std::uint64_t returned = 0, stolen = 0;
    ns +=
        1.0 / seeds * ns_of({.machine = "l3:1 core:2 pu:1", .seed = seed}, [&] {
          tact::engine e({.workers = 2});
          std::vector<tact::ref<token>> ring;
          for (std::size_t i = 0; i < 2 * members; ++i) {  // actors go round over the workers, and one has all members
            const tact::ref<token> made = e.spawn<ring_member>(ring, i / 2, member_ns);
            if (i % 2 == 0) ring.push_back(made);
          }
          for (const auto to : ring) e.send(to, token{hops});
          e.wait_idle();
          for (const auto& w : e.worker_statistics()) {
            returned += w.shards_returned;
            stolen += w.shards_stolen;
          }
        });
    INFO("seed " << seed << ": " << stolen << " stolen, " << returned << " returned");
    CHECK(stolen != 0);
    CHECK(returned <= 8);
  }
  CHECK(ns < 0.85 * members * hops * member_ns);
}

// Fewer workers are not tried, answers do not wait behind terms, and each term that waits is soon taken by a worker
// that has none.
TEST_CASE("model: workers are busy while handlers take tens of microseconds and there are enough of them",
          "[modelled]") {
  for (const unsigned count : {2u, 8u, 16u}) {
    const tact::model_options on{.machine = "l3:1 core:" + std::to_string(count) + " pu:1"};
    const double ns = ns_of(on, [&] {
      tact::engine e({.workers = count});
      e.send(e.spawn<master>(), start{});
      e.wait_idle();
    });
    INFO(count << " workers: " << ns << " ns");
    CHECK(ns < 1.5 * master::terms * (term_ns + add_ns) / count);
  }
}

TEST_CASE("model: a hub that asks many is not kept by the first of them that run on its worker", "[modelled]") {
  constexpr std::size_t count = 14;
  const double ns = ns_of(small_options(), [&] {
    std::vector<tact::ref<question>> all;
    tact::engine e({.workers = workers});
    const auto middle = e.spawn<hub>(all);
    for (std::size_t i = 0; i < count; ++i) all.push_back(e.spawn<asked>(middle, i));
    e.send(middle, start{});
    e.wait_idle();
  });
  CHECK(ns < 1.15 * count * (first_ns + (questions - 1) * job_ns) / workers);
}

TEST_CASE("model: a worker that stands in a long handler, and has nothing else to give, keeps no thief from the others",
          "[modelled]") {
  CHECK(ns_of_jobs(tact::engine_options{}.victims) < 0.75 * jobs * job_ns);
}

// Every fourth worker has twice as much as the others. When those have done what is theirs, most of the workers that
// are busy have one job only, and so nothing to give; a thief that asks a few of them learns little.
TEST_CASE("model: where handlers take long, thieves find the few workers that have something to give", "[modelled]") {
  constexpr unsigned many = 32, rounds = 8;
  std::vector<clock::time_point> ends(many * rounds);
  const double ns = ns_of({.machine = "l3:4 core:8 pu:1"}, [&] {
    tact::engine e({.workers = many, .shards = many * rounds});
    std::vector<tact::ref<job>> all;  // actors go round over the workers
    for (unsigned i = 0; i < many * rounds; ++i) all.push_back(e.spawn<doer>(ends[i]));
    for (const auto to : all) e.send(to, job{job_ns});
    for (unsigned i = 0; i < all.size(); i += 4) e.send(all[i], job{job_ns});
    e.wait_idle();
  });
  INFO(ns << " ns");
  CHECK(ns < 1.2 * (rounds + rounds / 4) * job_ns);
}

TEST_CASE("model: where no worker steals, jobs are done one after the other", "[modelled]") {
  CHECK(ns_of_jobs(tact::no_victim) > jobs * job_ns);
}

}  // namespace thieves_test
