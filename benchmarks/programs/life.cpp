// Game of life on tact.
#include "programs/life.hpp"

#include <algorithm>
#include <deque>
#include <span>

#include "programs/engine.hpp"

namespace bench {
namespace {

struct begin {};

// What a cell tells its neighbours.
struct state {
  std::uint32_t generation;
  bool lives;
};

// On a line of its own: its neighbours may be run by other workers.
class alignas(64) cell : public tact::actor<cell, begin, state> {
 public:
  using told = state;

  cell(const life_setting& s, const std::vector<tact::ref<state>>& all, std::uint64_t place,
       std::span<const std::uint8_t> mine)
      : setting_(&s), all_(&all), place_(static_cast<std::uint32_t>(place)), lives_(mine[0]) {}
  void receive(tact::self<cell>& self, const begin&) {
    progress.begin();
    tell(self);
    go_on(self);
  }
  void receive(tact::self<cell>& self, const state& m) {
    progress.hear(m.generation);
    living_[m.generation % 2] += m.lives ? 1 : 0;
    go_on(self);
  }
  [[nodiscard]] std::span<const std::uint8_t> cells() const { return {&lives_, 1}; }
  life_progress<8> progress;

 private:
  void go_on(tact::self<cell>& self) {
    const std::uint32_t generation = progress.generation();
    if (!progress.go_on()) return;
    lives_ = lives_next(lives_, std::exchange(living_[generation % 2], 0));
    if (generation + 1 < setting_->generations) tell(self);
  }
  void tell(tact::self<cell>& self) {
    const state now{progress.generation(), lives_ == 1};
    for_each_life_neighbour(setting_->size, place_, [&](std::uint64_t beside) { self.send((*all_)[beside], now); });
  }

  const life_setting* setting_;
  const std::vector<tact::ref<state>>* all_;
  std::uint32_t place_;
  unsigned living_[2]{};  // of the neighbours that have told of the even generation, and of the odd one
  std::uint8_t lives_;
};

// What a strip tells those above and below: the row that is beside them.
struct edge {
  std::uint32_t generation;
  bool is_above;
  life_cells row;
};

class alignas(64) strip : public tact::actor<strip, begin, edge> {
 public:
  using told = edge;

  strip(const life_setting& s, const std::vector<tact::ref<edge>>& all, std::uint64_t place,
        std::span<const std::uint8_t> mine)
      : setting_(&s), all_(&all), place_(place), cells_(mine.begin(), mine.end()), next_(cells_.size()) {}
  void receive(tact::self<strip>& self, const begin&) {
    progress.begin();
    tell(self);
    go_on(self);
  }
  void receive(tact::self<strip>& self, const edge& m) {
    progress.hear(m.generation);
    edges_[m.generation % 2][m.is_above ? 0 : 1] = m.row;
    go_on(self);
  }
  [[nodiscard]] std::span<const std::uint8_t> cells() const { return cells_; }
  life_progress<2> progress;

 private:
  void go_on(tact::self<strip>& self) {
    const std::uint32_t generation = progress.generation();
    if (!progress.go_on()) return;
    const auto& [above, below] = edges_[generation % 2];
    make_next_rows(above.data(), cells_, below.data(), next_.data(), setting_->size);
    cells_.swap(next_);
    if (generation + 1 < setting_->generations) tell(self);
  }
  void tell(tact::self<strip>& self) {
    const auto row = static_cast<std::ptrdiff_t>(setting_->size);
    const std::size_t strips = all_->size();
    self.send((*all_)[(place_ + strips - 1) % strips],
              edge{progress.generation(), false, {cells_.begin(), cells_.begin() + row}});
    self.send((*all_)[(place_ + 1) % strips], edge{progress.generation(), true, {cells_.end() - row, cells_.end()}});
  }

  const life_setting* setting_;
  const std::vector<tact::ref<edge>>* all_;
  std::uint64_t place_;
  life_cells cells_;
  life_cells next_;         // its memory
  life_cells edges_[2][2];  // above and below, of the even generation and of the odd one
};

// One game. Its actors are cells or strips, each with its part of the square.
template <class Actor>
class game {
 public:
  explicit game(const life_setting& s) : setting_(&s) {
    const life_cells all = s.beginning();
    for (std::uint64_t i = 0; i < s.actors(); ++i) {
      const std::uint64_t first = s.first_cell(i);
      actors_.emplace_back(s, refs_, i, std::span(all).subspan(first, s.first_cell(i + 1) - first));
    }
  }
  game(const game&) = delete;
  game& operator=(const game&) = delete;

  void attach(tact::engine& engine) {
    for (Actor& one : actors_) {
      const tact::ref<Actor> r = engine.attach(one);
      refs_.push_back(r);
      begins_.push_back(r);
    }
  }
  void play(tact::engine& engine) {
    for (const auto to : begins_) engine.send(to, begin{});
    engine.wait_idle();
  }
  void check(program& p, const tact::engine& engine) const {
    life_cells found;
    for (const Actor& one : actors_) {
      found.insert(found.end(), one.cells().begin(), one.cells().end());
      one.progress.check(p, *setting_);
    }
    check_life(p, *setting_, found);
    check_engine(p, engine, setting_->messages());
  }

 private:
  const life_setting* setting_;
  std::vector<tact::ref<typename Actor::told>> refs_;
  std::vector<tact::ref<begin>> begins_;
  std::deque<Actor> actors_;
};

template <class Actor>
void play_once(program& p, const life_setting& s, const tact::engine_options& options, stopwatch& watch) {
  game<Actor> one(s);
  tact::engine engine(options);
  one.attach(engine);
  watch = {};
  one.play(engine);
  watch.stop();
  say_exchange(p, engine);
  one.check(p, engine);
}

template <class Actor>
void simulate(program& p, const life_setting& s, const tact::engine_options& options, std::uint64_t seeds) {
  for (std::uint64_t seed = 1; seed <= seeds; ++seed) {
    game<Actor> one(s);
    tact::simulation sim(seed);
    one.attach(sim.engine(options));
    one.play(sim.engine());
    one.check(p, sim.engine());
    sim.end();
    p.check(sim.failure().empty(), sim.failure().c_str());
  }
}

template <class Actor>
int run(program& p, const life_setting& s, const tact::engine_options& options, std::uint64_t seeds) {
  stopwatch watch;
  if (seeds == 0) {
    play_once<Actor>(p, s, options, watch);
  } else {
    simulate<Actor>(p, s, options, seeds);
    watch.stop();
  }
  return p.report(watch, s.messages() * std::max<std::uint64_t>(seeds, 1));
}

int run(program& p) {
  const life_setting setting(p, read_life_by_strips(p));
  const auto seeds = p.number("seeds", 0, 0, "instead: so many simulations, each with a seed of its own", 0);
  const auto options = read_engine_options(p);
  p.ready();
  return setting.by_strips ? run<strip>(p, setting, options, seeds) : run<cell>(p, setting, options, seeds);
}

}  // namespace
}  // namespace bench

int main(int argc, char** argv) {
  bench::program p(argc, argv, "Game of life: cells, or strips of them, tell their neighbours how they are.",
                   bench::tact_runtime);
  return bench::run(p);
}
