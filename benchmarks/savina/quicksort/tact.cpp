// Quicksort: an actor splits its numbers in three, and makes two actors that sort those below and above. Savina 24.
#include "savina/tact.hpp"
#include "savina/quicksort/numbers.hpp"

namespace bench {
namespace {

enum class side : std::uint8_t { below, above };

struct sort {
  shared_numbers all;
};
struct sorted {
  side where;
  numbers all;
};

class sorter : public tact::actor<sorter, sort, sorted> {
 public:
  // The first one.
  sorter(std::uint64_t threshold, numbers* result) : threshold_(threshold), result_(result) {}
  sorter(std::uint64_t threshold, tact::ref<sorted> parent, side where)
      : threshold_(threshold), parent_(parent), where_(where) {}

  tact::allocation receive(tact::self<sorter>& self, const sort& m) {
    if (m.all->size() < threshold_) {
      numbers own = *m.all;
      sort_three_ways(own);
      return finish(self, std::move(own));
    }
    parts_ = split(*m.all);
    give_away(self, parts_.less, side::below);
    give_away(self, parts_.greater, side::above);
    return tact::allocation::nodelete;
  }
  tact::allocation receive(tact::self<sorter>& self, sorted& m) {
    (m.where == side::below ? parts_.less : parts_.greater) = std::move(m.all);
    if (--missing_ != 0) return tact::allocation::nodelete;
    return finish(self, concatenate(parts_));
  }

 private:
  void give_away(tact::self<sorter>& self, numbers& part, side where) {
    const auto child = self.spawn<sorter>(threshold_, tact::ref<sorted>(self.ref()), where);
    self.send(child, sort{std::make_shared<const numbers>(std::move(part))});
  }
  tact::allocation finish(tact::self<sorter>& self, numbers all) {
    if (parent_) {
      self.send(parent_, sorted{where_, std::move(all)});
    } else {
      *result_ = std::move(all);
    }
    return tact::allocation::delete_;
  }

  std::uint64_t threshold_;
  numbers* result_ = nullptr;
  tact::ref<sorted> parent_;
  side where_{};
  int missing_ = 2;
  three_parts parts_;
};

struct quicksort {
  explicit quicksort(savina_parameters& p) : setting(p) {}

  std::uint64_t run(tact::engine& engine) {
    engine.send(engine.spawn<sorter>(setting.threshold, &result), sort{setting.input});
    engine.wait_finished();
    return setting.messages();
  }
  void check(program& p, const tact::statistics& s) const {
    setting.check(p, result);
    p.check_equal(s.actors_created, setting.actors, "actors made");
    p.check_equal(s.dead_letters, 0, "dead letters");
  }

  quicksort_setting setting;
  numbers result;
};

}  // namespace
}  // namespace bench

int main(int argc, char** argv) {
  return bench::main_on_tact<bench::quicksort>(argc, argv, "Quicksort: a tree of actors sorts numbers (Savina 24).");
}
