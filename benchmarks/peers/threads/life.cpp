// Game of life on threads: an actor for each cell.
#include "programs/life.hpp"

#include <deque>
#include <latch>

#include "peers/threads/pool.hpp"

namespace bench {
namespace {

struct state {
  enum : std::uint8_t { dies, lives, begin } is;
  std::uint32_t generation;
};
using states = pool<state>;

// On a line of its own: its neighbours may live on other threads.
class alignas(64) cell : public states::actor {
 public:
  cell(const life_setting& s, std::deque<cell>& all, std::latch& done, std::uint64_t place, std::uint8_t is_alive)
      : lives(is_alive), setting_(&s), all_(&all), done_(&done), place_(static_cast<std::uint32_t>(place)) {}
  void receive(states& threads, const state& m) override {
    if (m.is == state::begin) {
      progress.begin();
      tell(threads);
    } else {
      progress.hear(m.generation);
      living_[m.generation % 2] += m.is == state::lives ? 1 : 0;
    }
    go_on(threads);
  }
  life_progress<8> progress;
  std::uint8_t lives;

 private:
  void go_on(states& threads) {
    const std::uint32_t generation = progress.generation();
    if (!progress.go_on()) return;
    lives = lives_next(lives, std::exchange(living_[generation % 2], 0));
    generation + 1 < setting_->generations ? tell(threads) : done_->count_down();
  }
  void tell(states& threads) {
    const state now{lives == 1 ? state::lives : state::dies, progress.generation()};
    for_each_life_neighbour(setting_->size, place_, [&](std::uint64_t beside) { threads.send((*all_)[beside], now); });
  }

  const life_setting* setting_;
  std::deque<cell>* all_;
  std::latch* done_;
  std::uint32_t place_;
  unsigned living_[2]{};  // of the neighbours that have told of the even generation, and of the odd one
};

int run(program& p) {
  const life_setting setting(p, false);
  p.ready();

  std::deque<cell> all;
  std::latch done(static_cast<std::ptrdiff_t>(setting.actors()));
  for (const auto lives : setting.beginning()) all.emplace_back(setting, all, done, all.size(), lives);
  states threads(p.threads());
  for (cell& c : all) threads.place(c);

  stopwatch watch;
  for (cell& c : all) threads.send(c, {state::begin, 0});
  done.wait();
  watch.stop();

  life_cells found;
  for (const cell& c : all) {
    found.push_back(c.lives);
    c.progress.check(p, setting);
  }
  check_life(p, setting, found);
  return p.report(watch, setting.messages());
}

}  // namespace
}  // namespace bench

int main(int argc, char** argv) {
  bench::program p(argc, argv, "Game of life: cells tell their neighbours how they are.", bench::pool_runtime);
  return bench::run(p);
}
