// Thousands of random accesses by random cores keep the invariants of a modelled memory.
#include <algorithm>
#include <set>

#include "modelled/memory_fixture.hpp"
#include "support/catch.hpp"
#include "support/dice.hpp"
#include "support/seed.hpp"

namespace random_access_test {

namespace {

using namespace tact::modelled_tests;

constexpr unsigned cores = 8;
constexpr unsigned steps = 20'000;
constexpr std::uintptr_t beginning = 0x10'0000;

// So small that lines fall out of all caches.
tact::model_costs costs_of_small_caches() {
  tact::model_costs costs = bare_costs();
  costs.l2_kib = 1;
  costs.l3_kib = 4;
  return costs;
}

std::set<double> ways_of(const tact::model_costs& c) {
  return {0, c.l2, c.l3, c.same_l3, c.same_package, c.other_package, c.memory, c.other_memory};
}

class random_accesses {
 public:
  explicit random_accesses(std::uint64_t seed) : dice_(seed), pages_(10 + dice_.below(30)) {}

  void step() {
    core_ = dice_.below(cores);
    // The first eight lines of a page, which have the same places in a first-level cache as those of other pages.
    address_ = beginning + dice_.below(pages_) * memory_fixture::page_bytes + dice_.below(8 * 64);
    if (dice_.one_in(5)) return m_.fetch(core_, address_);
    const use how = std::array{use::read, use::write, use::update}[dice_.below(3)];
    const double cost = m_.access(core_, address_, how);
    waited_ += cost != 0;
    if (ways_.count(cost) == 0) ++wrong_costs_;
    if (!m_.whole().has(core_, address_, how)) ++not_there_;
    const use no_more = how == use::read ? use::write : use::read;
    for (unsigned other = 0; other < cores; ++other)
      if (other != core_ && m_.whole().has(other, address_, no_more)) ++not_taken_away_;
  }
  void check() {
    CHECK(wrong_costs_ == 0);
    CHECK(not_there_ == 0);
    CHECK(not_taken_away_ == 0);
    CHECK(waited_ > steps / 10);
    for (unsigned from = 0; from < tact::modelled::sources; ++from) {
      INFO(tact::modelled::name_of(static_cast<source>(from)));
      CHECK(m_.came(static_cast<source>(from)) > 0);
    }
  }
  [[nodiscard]] bool is_consistent() { return m_.whole().is_consistent(); }

 private:
  tact::support::dice dice_;
  const unsigned pages_;
  const std::set<double> ways_ = ways_of(costs_of_small_caches());
  memory_fixture m_{costs_of_small_caches()};
  unsigned core_ = 0;
  std::uintptr_t address_ = 0;
  unsigned waited_ = 0, wrong_costs_ = 0, not_there_ = 0, not_taken_away_ = 0;
};

}  // namespace

TEST_CASE(
    "model: a line that may be written is nowhere else, and caches have what the line says, in any order of accesses",
    "[modelled]") {
  TACT_SEEDED(seed);
  for (std::uint64_t s = seed; s < seed + 3; ++s) {
    INFO("seed=" << s);
    random_accesses random(s);
    for (unsigned i = 0; i < steps; ++i) {
      random.step();
      if (i % 32 == 0) REQUIRE(random.is_consistent());
    }
    random.check();
  }
}

TEST_CASE("model: the same accesses at other addresses cost the same", "[modelled]") {
  TACT_SEEDED(seed);
  memory_fixture here(costs_of_small_caches()), there(costs_of_small_caches());
  tact::support::dice dice(seed);
  unsigned differ = 0;
  for (unsigned i = 0; i < steps; ++i) {
    const unsigned core = dice.below(cores);
    const std::uintptr_t at = dice.below(20'000) * memory_fixture::line_bytes;
    const use how = dice.one_in(2) ? use::read : use::update;
    // Both begin at a page; the second one where the table of translations has other places for its pages.
    const double cost = here.access(core, beginning + at, how, i);
    differ += cost != there.access(core, 0x7f12'3456'7000 + at, how, i);
  }
  CHECK(differ == 0);
}

}  // namespace random_access_test
