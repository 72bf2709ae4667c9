// Which thread of a simulation has the next turn, without a simulation.
#include "tools/simulated/turn_choice.hpp"

#include "support/catch.hpp"

namespace turn_choice_test {

namespace {

using tact::schedule;
using tact::simulated::phase;
using tact::simulated::stays;
using tact::simulated::thread_list;
using tact::simulated::thread_record;
using tact::simulated::turn_choice;

thread_list threads(unsigned count, turn_choice& choice) {
  thread_list all;
  for (unsigned i = 0; i < count; ++i) {
    auto& t = *all.emplace_back(std::make_unique<thread_record>());
    t.index = i;
    t.priority = choice.first_priority();
  }
  return all;
}

// Goes to so many points; returns which thread had each turn.
std::vector<unsigned> play(const schedule& as, unsigned points, schedule* in_full = nullptr) {
  turn_choice choice(as);
  const thread_list all = threads(4, choice);
  unsigned running = 0;
  std::vector<unsigned> turns;
  for (unsigned p = 0; p < points; ++p) {
    ++all[running]->points;
    const unsigned next = choice.choose(all, running, stays::likely);
    choice.note_turn(running, next);
    turns.push_back(running = next);
  }
  if (in_full != nullptr) *in_full = choice.so_far();
  return turns;
}

}  // namespace

TEST_CASE("turn choice: the same seed chooses the same turns, and its schedule in full repeats them", "[simulated]") {
  constexpr unsigned points = 2'000;
  bool differ = false;
  for (std::uint64_t seed = 1; seed <= 20; ++seed) {
    INFO("seed " << seed);
    schedule in_full;
    const auto turns = play({.seed = seed}, points, &in_full);
    CHECK(turns == play({.seed = seed}, points));
    CHECK(in_full.in_full);
    CHECK(turns == play(in_full, points));
    differ = differ || turns != play({.seed = seed + 1}, points);
  }
  CHECK(differ);
}

TEST_CASE("turn choice: every thread that can go on has a turn after a while, whatever the seed", "[simulated]") {
  for (std::uint64_t seed = 1; seed <= 50; ++seed) {
    INFO("seed " << seed);
    unsigned seen[4] = {};
    for (const unsigned t : play({.seed = seed}, 10'000)) ++seen[t];
    for (const unsigned n : seen) CHECK(n != 0);
  }
}

TEST_CASE("turn choice: only a thread that can go on is chosen", "[simulated]") {
  for (std::uint64_t seed = 1; seed <= 50; ++seed) {
    INFO("seed " << seed);
    turn_choice choice({.seed = seed});
    const thread_list all = threads(4, choice);
    all[1]->now = phase::asleep;
    all[3]->now = phase::ended;
    for (unsigned p = 0; p < 100; ++p) {
      const unsigned next = choice.choose(all, 0, stays::if_alone);
      CHECK(next == 2);  // thread 0 may go on only if no other can
      choice.note_turn(0, next);
    }
    all[2]->now = phase::resting;
    CHECK_FALSE(turn_choice::any_other(all, 0));
    CHECK(choice.choose(all, 0, stays::if_alone) == 0);
    CHECK(turn_choice::next_after(all, 0) == 0);
  }
}

}  // namespace turn_choice_test
