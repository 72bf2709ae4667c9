// Successive over-relaxation: a square of actors, each of which averages itself with its neighbours. Two owners have
// half of the columns each. Savina 26.
#include <array>
#include <memory>
#include <vector>

#include "savina/successive_over_relaxation/relaxation.hpp"
#include "savina/tact.hpp"

namespace bench {
namespace {

class cell;
using cells = half<tact::ref<cell>>;

struct boot {};
struct border {
  std::vector<tact::ref<cell>> beside;
};
struct start {
  std::shared_ptr<const cells> all;
};
struct value {
  double is;
};
struct result {
  place at;
  double value;
};
struct half_sum {
  double sum;
};

class cell : public tact::actor<cell, start, value> {
 public:
  cell(const relaxation& how, place at, double begin, tact::ref<result> owner)
      : how_(&how), at_(at), value_(begin), owner_(owner) {}
  tact::allocation receive(tact::self<cell>& self, const start& m) {
    for_each_neighbour(at_, how_->side, [&](place beside) { neighbours_[count_++] = m.all->at(beside); });
    if (!at_.leads()) return compute(self);
    round_ = 1;
    tell(self);
    return tact::allocation::nodelete;
  }
  tact::allocation receive(tact::self<cell>& self, const value& m) {
    sum_ += m.is;
    ++heard_;
    return compute(self);
  }

 private:
  // Values may come before the start, but one of each neighbour at most: none goes on without this cell.
  tact::allocation compute(tact::self<cell>& self) {
    if (count_ == 0 || heard_ < count_) return tact::allocation::nodelete;
    value_ = relaxed(value_, sum_);
    sum_ = 0;
    heard_ = 0;
    tell(self);
    if (++round_ < how_->rounds) return tact::allocation::nodelete;
    self.send(owner_, result{at_, value_});
    return tact::allocation::delete_;
  }
  void tell(tact::self<cell>& self) {
    for (std::uint32_t i = 0; i < count_; ++i) self.send(neighbours_[i], value{value_});
  }

  const relaxation* how_;
  place at_;
  double value_;
  double sum_ = 0;
  std::uint32_t heard_ = 0;
  std::uint32_t count_ = 0;  // of neighbours
  std::uint64_t round_ = 0;
  std::array<tact::ref<value>, 4> neighbours_;
  tact::ref<result> owner_;
};

// What both owners do.
class owner {
 public:
  owner(const relaxation& how, side which, relaxation_result& found)
      : how_(&how), found_(&found), results_(how, which, found), cells_(std::make_shared<cells>(how, which)) {}
  // Returns the edge.
  std::vector<tact::ref<cell>> make(tact::transaction& tx, tact::ref<result> to) {
    cells_->make([&](place p) { return tx.spawn<cell>(*how_, p, found_->cells[how_->index(p)], to); });
    return cells_->edge();
  }
  void begin(tact::transaction& tx, const std::vector<tact::ref<cell>>& beside) {
    cells_->set_border(beside);
    cells_->for_each([&](place p) { tx.send(cells_->at(p), start{cells_}); });
  }
  results& of_cells() { return results_; }

 private:
  const relaxation* how_;
  relaxation_result* found_;
  results results_;
  std::shared_ptr<cells> cells_;
};

class peer : public tact::actor<peer, boot, result> {
 public:
  peer(const relaxation& how, std::vector<tact::ref<cell>> beside, tact::ref<border> runner, tact::ref<half_sum> sums,
       relaxation_result& found)
      : half_(how, side::right, found), beside_(std::move(beside)), runner_(runner), sums_(sums) {}
  void receive(tact::self<peer>& self, const boot&) {
    self.send(runner_, border{half_.make(self, self.ref())});
    half_.begin(self, beside_);
  }
  tact::allocation receive(tact::self<peer>& self, const result& m) {
    if (!half_.of_cells().add(m.at, m.value)) return tact::allocation::nodelete;
    self.send(sums_, half_sum{half_.of_cells().sum()});
    return tact::allocation::delete_;
  }

 private:
  owner half_;
  std::vector<tact::ref<cell>> beside_;
  tact::ref<border> runner_;
  tact::ref<half_sum> sums_;
};

class runner : public tact::actor<runner, boot, border, result, half_sum> {
 public:
  runner(const relaxation& how, relaxation_result& found) : how_(&how), found_(&found), half_(how, side::left, found) {}
  void receive(tact::self<runner>& self, const boot&) {
    auto edge = half_.make(self, self.ref());
    self.send(self.spawn<peer>(*how_, std::move(edge), self.ref(), self.ref(), *found_), boot{});
  }
  void receive(tact::self<runner>& self, const border& m) { half_.begin(self, m.beside); }
  tact::allocation receive(tact::self<runner>&, const result& m) {
    return half_.of_cells().add(m.at, m.value) ? add(half_.of_cells().sum()) : tact::allocation::nodelete;
  }
  tact::allocation receive(tact::self<runner>&, const half_sum& m) { return add(m.sum); }

 private:
  tact::allocation add(double sum) {
    found_->sum += sum;
    return --halves_ == 0 ? tact::allocation::delete_ : tact::allocation::nodelete;
  }

  const relaxation* how_;
  relaxation_result* found_;
  owner half_;
  unsigned halves_ = 2;
};

struct successive_over_relaxation {
  explicit successive_over_relaxation(savina_parameters& p) : how(p), found{how.beginning(), 0} {}

  std::uint64_t run(tact::engine& engine) {
    engine.send(engine.spawn<runner>(how, found), boot{});
    engine.wait_finished();
    return how.messages();
  }
  void check(program& p, const tact::statistics& s) const {
    check_relaxation(p, how, found);
    p.check_equal(s.dead_letters, how.values_in_vain(), "values for cells that had ended");
  }

  relaxation how;
  relaxation_result found;
};

}  // namespace
}  // namespace bench

int main(int argc, char** argv) {
  return bench::main_on_tact<bench::successive_over_relaxation>(
      argc, argv, "Successive over-relaxation: cells are averaged with their neighbours (Savina 26).");
}
