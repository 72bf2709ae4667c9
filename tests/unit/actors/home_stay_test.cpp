// What follows from what was seen of an actor at home.
#include "actors/cells/home_stay.hpp"

#include "support/catch.hpp"

namespace home_stay_test {

namespace {

using tact::actors::home_stay;
using verdict = home_stay::verdict;

// Messages at home until it is time for a verdict; one in `changing` becomes, 0: none.
unsigned run_until_time(home_stay& s, unsigned changing, unsigned stretch) {
  for (unsigned n = 1;; ++n) {
    if (!s.goes_on_with_readers(changing != 0 && n % changing == 0, stretch)) return n;
  }
}

}  // namespace

TEST_CASE("home: an actor of which few messages become is parallel again after one stretch", "[actor]") {
  home_stay s;
  CHECK(run_until_time(s, 32, 32) == 32);
  CHECK(s.judge() == verdict::parallel);
}

TEST_CASE("home: each time it comes back it stays twice as long, up to 32 times", "[actor]") {
  home_stay s;
  for (const unsigned times : {1u, 2u, 4u, 8u, 16u, 32u, 32u, 32u}) {
    CHECK(run_until_time(s, 0, 10) == 10 * times);
    CHECK(s.judge() == verdict::parallel);
  }
}

TEST_CASE("home: with many becomes everybody is sent home, with some only those that become", "[actor]") {
  home_stay s;
  run_until_time(s, 1, 64);
  CHECK(s.judge() == verdict::everybody_home);
  run_until_time(s, 3, 64);
  CHECK(s.judge() == verdict::readers_away);
  // It stayed, so it stays no longer than before.
  CHECK(run_until_time(s, 2, 64) == 64);
  CHECK(s.judge() == verdict::everybody_home);
}

TEST_CASE("home: messages that ran elsewhere count, one for each sample, and lead to a verdict", "[actor]") {
  home_stay s;
  for (unsigned n = 0; n < 64 / home_stay::read_sample; ++n) {
    CHECK_FALSE(s.is_due(64));
    s.count_read_away();
  }
  CHECK(s.is_due(64));
  CHECK(run_until_time(s, 1, 64) == 1);
  CHECK(s.judge() == verdict::parallel);  // one became, of 65
  CHECK_FALSE(s.is_due(64));
  run_until_time(s, 1, 64);
  CHECK(s.judge() == verdict::everybody_home);
}

TEST_CASE("home: who becomes is remembered until the next verdict", "[actor]") {
  home_stay s;
  s.note_become(63);
  CHECK(s.becomes_lately(63));
  CHECK_FALSE(s.becomes_lately(0));
  run_until_time(s, 1, 1);
  static_cast<void>(s.judge());
  CHECK_FALSE(s.becomes_lately(63));
}

}  // namespace home_stay_test
