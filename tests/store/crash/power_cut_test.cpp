// Power cuts: whatever a disk has lost of what was not flushed, what was answered is there, whole, and nothing else.
#include <iostream>
#include <iterator>

#include "store/crash/hunt.hpp"
#include "support/catch.hpp"
#include "support/seed.hpp"

namespace power_cut_test {

namespace {

using namespace tact::store_tests;

void require_none_broken(play p, std::uint64_t seed) {
  const child_end end = hunt(p, seed);
  std::cout << end.counts[0] << " programs, " << end.counts[1] << " stores opened\n";
  INFO("repeat: " << end.now << " ./dev test --suite store");
  CHECK(end.problem == "");
  CHECK(end.counts[1] != 0);
}

}  // namespace

TEST_CASE("crash: after a power cut at any call of a short program, what was answered is there, and nothing in part",
          "[crash]") {
  TACT_SEEDED(seed);
  require_none_broken(&play_short, seed);
}

TEST_CASE("crash: a store that is cut while it recovers, and again, loses nothing that was answered", "[crash]") {
  TACT_SEEDED(seed);
  require_none_broken(&play_lives, seed);
}

TEST_CASE("crash: what a store has when it is opened after a kill stays so after a power cut", "[crash]") {
  TACT_SEEDED(seed);
  require_none_broken(&play_restarts, seed);
}

TEST_CASE("crash: a failed write of the page that names the last version is unknown until the store is opened again",
          "[crash]") {
  TACT_SEEDED(seed);
  require_none_broken(&play_meta_failures, seed);
}

TEST_CASE("crash: whichever call fails, the store says what became of each group, and that stays so", "[crash]") {
  TACT_SEEDED(seed);
  require_none_broken(&play_failures, seed);
}

TEST_CASE("crash: each mistake that a store could make is found", "[crash]") {
  TACT_SEEDED(seed);
  constexpr std::uint64_t programs_most = 500;
  struct planted {
    mistake what;
    play found_by;
  };
  constexpr planted all[] = {
      {mistake::no_sync, &play_short},
      {mistake::no_meta_sync, &play_short},
      {mistake::folder_not_synced, &play_short},
      {mistake::failed_sync_ignored, &play_failures},
      {mistake::unknown_is_durable, &play_failures},
      {mistake::unknown_is_refused, &play_failures},
      {mistake::group_in_two, &play_short},
      {mistake::group_in_part, &play_short},
      {mistake::earlier_over_later, &play_short},
      {mistake::refused_comes_later, &play_failures},
      {mistake::answered_before, &play_short},
      {mistake::not_flushed_when_opened, &play_restarts},
  };
  static_assert(std::size(all) + 1 == static_cast<std::size_t>(mistake::count));
  for (const planted& p : all) {
    const child_end end = hunt(p.found_by, seed, p.what, programs_most);
    INFO(name_of(p.what) << " after " << end.counts[0] << " programs");
    CHECK(end.problem != "");
  }
}

}  // namespace power_cut_test
