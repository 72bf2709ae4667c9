// Successive over-relaxation on CAF.
#include <array>
#include <memory>
#include <vector>

#include "savina/caf.hpp"
#include "savina/successive_over_relaxation/relaxation.hpp"

namespace bench {
using cells = half<caf::actor>;
using shared_cells = std::shared_ptr<const cells>;
}  // namespace bench

CAF_ALLOW_UNSAFE_MESSAGE_TYPE(bench::shared_cells)

namespace bench {
namespace {

using boot = caf::atom_constant<caf::atom("boot")>;
using border = caf::atom_constant<caf::atom("border")>;
using start = caf::atom_constant<caf::atom("start")>;
using result = caf::atom_constant<caf::atom("result")>;
using half_sum = caf::atom_constant<caf::atom("sum")>;

class cell : public caf::event_based_actor {
 public:
  cell(caf::actor_config& config, const relaxation& how, place at, double begin, caf::actor owner)
      : event_based_actor(config), how_(&how), at_(at), value_(begin), owner_(std::move(owner)) {}
  caf::behavior make_behavior() override {
    return {
        [this](double value) {
          sum_ += value;
          ++heard_;
          compute();
        },
        [this](start, const shared_cells& all) {
          for_each_neighbour(at_, how_->side, [&](place beside) { neighbours_[count_++] = all->at(beside); });
          if (!at_.leads()) return compute();
          round_ = 1;
          tell();
        },
    };
  }
  // Neighbours keep each other alive.
  void on_exit() override { neighbours_.fill(nullptr); }

 private:
  // Values may come before the start, but one of each neighbour at most: none goes on without this cell.
  void compute() {
    if (count_ == 0 || heard_ < count_) return;
    value_ = relaxed(value_, sum_);
    sum_ = 0;
    heard_ = 0;
    tell();
    if (++round_ < how_->rounds) return;
    send(owner_, result::value, at_.row, at_.column, value_);
    quit();
  }
  void tell() {
    for (std::uint32_t i = 0; i < count_; ++i) send(neighbours_[i], value_);
  }

  const relaxation* how_;
  place at_;
  double value_;
  double sum_ = 0;
  std::uint32_t heard_ = 0;
  std::uint32_t count_ = 0;  // of neighbours
  std::uint64_t round_ = 0;
  std::array<caf::actor, 4> neighbours_;
  caf::actor owner_;
};

// What both owners do.
class owner : public caf::event_based_actor {
 public:
  owner(caf::actor_config& config, const relaxation& how, side which, relaxation_result& found)
      : event_based_actor(config),
        how_(&how),
        found_(&found),
        results_(how, which, found),
        cells_(std::make_shared<cells>(how, which)) {}
  // The cells keep their owner alive.
  void on_exit() override { cells_ = nullptr; }

 protected:
  // Returns the edge.
  std::vector<caf::actor> make() {
    const caf::actor to(this);
    cells_->make([&](place p) { return spawn<cell>(std::cref(*how_), p, found_->cells[how_->index(p)], to); });
    return cells_->edge();
  }
  void begin(const std::vector<caf::actor>& beside) {
    cells_->set_border(beside);
    cells_->for_each([this](place p) { send(cells_->at(p), start::value, shared_cells(cells_)); });
  }

  const relaxation* how_;
  relaxation_result* found_;
  results results_;

 private:
  std::shared_ptr<cells> cells_;
};

class peer : public owner {
 public:
  peer(caf::actor_config& config, const relaxation& how, std::vector<caf::actor> beside, caf::actor runner,
       relaxation_result& found)
      : owner(config, how, side::right, found), beside_(std::move(beside)), runner_(std::move(runner)) {}
  caf::behavior make_behavior() override {
    return {
        [this](result, std::uint32_t row, std::uint32_t column, double value) {
          if (!results_.add({row, column}, value)) return;
          send(runner_, half_sum::value, results_.sum());
          quit();
        },
        [this](boot) {
          send(runner_, border::value, make());
          begin(beside_);
          beside_.clear();
        },
    };
  }

 private:
  std::vector<caf::actor> beside_;
  caf::actor runner_;
};

class runner : public owner {
 public:
  runner(caf::actor_config& config, const relaxation& how, relaxation_result& found)
      : owner(config, how, side::left, found) {}
  caf::behavior make_behavior() override {
    return {
        [this](result, std::uint32_t row, std::uint32_t column, double value) {
          if (results_.add({row, column}, value)) add(results_.sum());
        },
        [this](half_sum, double sum) { add(sum); },
        [this](border, const std::vector<caf::actor>& beside) { begin(beside); },
        [this](boot) {
          auto edge = make();
          send(spawn<peer>(std::cref(*how_), std::move(edge), caf::actor(this), std::ref(*found_)), boot::value);
        },
    };
  }

 private:
  void add(double sum) {
    found_->sum += sum;
    if (--halves_ == 0) quit();
  }

  unsigned halves_ = 2;
};

struct successive_over_relaxation {
  explicit successive_over_relaxation(savina_parameters& p) : how(p), found{how.beginning(), 0} {}

  std::uint64_t run(caf::actor_system& system) {
    caf::anon_send(system.spawn<runner>(std::cref(how), std::ref(found)), boot::value);
    system.await_all_actors_done();
    return how.messages();
  }
  void check(program& p) const { check_relaxation(p, how, found); }

  relaxation how;
  relaxation_result found;
};

}  // namespace
}  // namespace bench

int main(int argc, char** argv) {
  return bench::main_on_caf<bench::successive_over_relaxation>(
      argc, argv, "Successive over-relaxation: cells are averaged with their neighbours (Savina 26).");
}
