// Shards that were stolen come home while all workers have something to do: nothing is lost, run twice or overtaken.
#include <vector>

#include "support/engine_fixture.hpp"

namespace return_test {

namespace {

using namespace tact::support;

struct hop {
  unsigned sender;
  unsigned number;
  unsigned left;
};

class walkers;

// Numbers what it sends to each other one, and looks at the numbers that come.
class walker : public tact::actor<walker, hop> {
 public:
  walker(walkers& all, unsigned me, std::uint64_t seed);
  void receive(tact::self<walker>& self, const hop& m);

 private:
  walkers* all_;
  const unsigned me_;
  dice dice_;
  std::vector<unsigned> next_from_;
  std::vector<unsigned> sent_to_;
};

class walkers {
 public:
  static constexpr unsigned count = 512;

  walkers(tact::engine& e, std::uint64_t seed) {
    for (unsigned i = 0; i < count; ++i) refs_.push_back(e.spawn<walker>(*this, i, seed * count + i));
  }
  // A message to each from outside, all under way at once.
  void walk(tact::engine& e, unsigned length) {
    for (const auto r : refs_) e.send(r, hop{count, 0, length});
  }
  [[nodiscard]] tact::ref<walker> at(unsigned i) const { return refs_[i]; }
  std::atomic<unsigned> wrong{0};

 private:
  std::vector<tact::ref<walker>> refs_;
};

walker::walker(walkers& all, unsigned me, std::uint64_t seed)
    : all_(&all), me_(me), dice_(seed), next_from_(walkers::count + 1), sent_to_(walkers::count) {}

void walker::receive(tact::self<walker>& self, const hop& m) {
  if (m.number != next_from_[m.sender]++) ++all_->wrong;
  if (m.left == 0) return;
  const auto to = static_cast<unsigned>(dice_.below(walkers::count));
  self.send(all_->at(to), hop{me_, sent_to_[to]++, m.left - 1});
}

}  // namespace

TEST_CASE("return: while stolen shards come home under load, nothing is lost or overtaken", "[law4][law5]") {
  TACT_SEEDED(seed);
  const unsigned workers = GENERATE(from_range(usual_of({2u, 4u, 8u})));
  INFO("workers=" << workers);
  auto options = quiet_options(workers);
  options.shards = 256;
  options.workers_rest = false;
  tact::engine engine(options);
  walkers all(engine, seed);
  const auto length = static_cast<unsigned>(scaled(2'000));
  all.walk(engine, length);
  require_idle(engine);
  CHECK(all.wrong == 0);
  CHECK(engine.statistics().commits == std::uint64_t{walkers::count} * (length + 1));
  require_accounted(engine);
}

}  // namespace return_test
