// Radix sort: numbers go through sixty actors, each of which holds back those with its bit set until all others went
// by. Savina 16.
#include "savina/tact.hpp"
#include "savina/sorting.hpp"

namespace bench {
namespace {

struct value {
  std::uint64_t number;
};

class validator : public tact::actor<validator, value> {
 public:
  validator(std::uint64_t count, numbers* sorted) : count_(count), sorted_(sorted) {}
  tact::allocation receive(tact::self<validator>&, const value& m) {
    sorted_->push_back(m.number);
    return sorted_->size() == count_ ? tact::allocation::delete_ : tact::allocation::nodelete;
  }

 private:
  std::uint64_t count_;
  numbers* sorted_;
};

class sorter : public tact::actor<sorter, value> {
 public:
  sorter(unsigned bit, std::uint64_t count, tact::ref<value> next)
      : mask_(std::uint64_t{1} << bit), left_(count), next_(next) {}
  tact::allocation receive(tact::self<sorter>& self, const value& m) {
    if ((m.number & mask_) == 0) {
      self.send(next_, m);
    } else {
      held_.push_back(m);
    }
    if (--left_ != 0) return tact::allocation::nodelete;
    for (const auto& one : held_) self.send(next_, one);
    return tact::allocation::delete_;
  }

 private:
  std::uint64_t mask_;
  std::uint64_t left_;
  tact::ref<value> next_;
  std::vector<value> held_;
};

struct start {
  tact::ref<value> first;
};

class source : public tact::actor<source, start> {
 public:
  explicit source(std::uint64_t count) : count_(count) {}
  tact::allocation receive(tact::self<source>& self, const start& m) {
    number_source drawn;
    for (std::uint64_t i = 0; i < count_; ++i) self.send(m.first, value{drawn.next()});
    return tact::allocation::delete_;
  }

 private:
  std::uint64_t count_;
};

struct radix_sort {
  explicit radix_sort(savina_parameters& p) : count(p.number("count", {100'000, 400'000, 60}, "numbers")) {}

  std::uint64_t run(tact::engine& engine) {
    tact::ref<value> first = engine.spawn<validator>(count, &sorted);
    for (unsigned bit = number_bits; bit-- != 0;) first = engine.spawn<sorter>(bit, count, first);
    engine.send(engine.spawn<source>(count), start{first});
    engine.wait_finished();
    return (number_bits + 1) * count + 1;
  }
  void check(program& p, const tact::statistics& s) const {
    check_sorted(p, sorted, count);
    p.check_equal(s.dead_letters, 0, "dead letters");
  }

  std::uint64_t count;
  numbers sorted;
};

}  // namespace
}  // namespace bench

int main(int argc, char** argv) {
  return bench::main_on_tact<bench::radix_sort>(argc, argv, "Radix sort: an actor for each bit (Savina 16).");
}
